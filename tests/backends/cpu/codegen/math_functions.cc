// The table of functions, the loops around them, and the error measure.
#include "tests/backends/cpu/codegen/math_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "xla/backends/cpu/jit/jit_compiler.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

using llvm::Value;

// Newton's method on erf, or on erfc where erf is close to 1.
template <typename W>
W ErfInvReference(W x) {
  const W a = std::fabs(x);
  if (!(a < 1)) return a == 1 ? x * std::numeric_limits<W>::infinity() : NAN;
  if (a < W(1e-12)) return x * W(0.886226925452758013649083741670572592L);
  const W log_part = std::log1p(-a * a);
  const W t = W(4.33) + log_part / 2;
  W y = std::sqrt(std::sqrt(t * t - log_part / W(0.147)) - t);
  const W rest = 1 - a;
  for (int i = 0; i < 8; ++i) {
    const W error = a < W(0.5) ? std::erf(y) - a : rest - std::erfc(y);
    const W step =
        error * W(0.886226925452758013649083741670572592L) * std::exp(y * y);
    y -= step / (1 + y * step);
  }
  return std::copysign(y, x);
}

template <typename W>
W SignReference(W x) {
  return x > 0 ? W(1) : x < 0 ? W(-1) : x;
}

template <typename W>
W RsqrtReference(W x) {
  return 1 / std::sqrt(x);
}

#define REFERENCES(expression)                                              \
  [](double x, [[maybe_unused]] double y) -> double { return expression; }, \
      [](long double x, [[maybe_unused]] long double y) -> long double {    \
        return expression;                                                  \
      }
#define UNARY(method) \
  1, [](MathBuilder& math, Value* x, Value*) { return math.method(x); }
#define BINARY(method) \
  2, [](MathBuilder& math, Value* x, Value* y) { return math.method(x, y); }

constexpr MathFunction kMathFunctions[] = {
    {"exp", UNARY(Exp), REFERENCES(std::exp(x)), 2, 4, -20, 20},
    {"exp2", UNARY(Exp2), REFERENCES(std::exp2(x)), 2, 4, -20, 20},
    {"expm1", UNARY(Expm1), REFERENCES(std::expm1(x)), 2, 4, -5, 5},
    {"logistic", UNARY(Logistic), REFERENCES(1 / (1 + std::exp(-x))), 2, 4, -20,
     20},
    {"log", UNARY(Log), REFERENCES(std::log(x)), 2, 4, 0, 100},
    {"log2", UNARY(Log2), REFERENCES(std::log2(x)), 2, 4, 0, 100},
    {"log1p", UNARY(Log1p), REFERENCES(std::log1p(x)), 2, 4, -1, 100},
    {"sin", UNARY(Sin), REFERENCES(std::sin(x)), 0.6, 4, -100, 100},
    {"cos", UNARY(Cos), REFERENCES(std::cos(x)), 0.6, 4, -100, 100},
    {"tan", UNARY(Tan), REFERENCES(std::tan(x)), 2, 4, -100, 100},
    {"asin", UNARY(Asin), REFERENCES(std::asin(x)), 4, 4, -1, 1},
    {"acos", UNARY(Acos), REFERENCES(std::acos(x)), 4, 4, -1, 1},
    {"atan", UNARY(Atan), REFERENCES(std::atan(x)), 4, 4, -10, 10},
    {"sinh", UNARY(Sinh), REFERENCES(std::sinh(x)), 2, 4, -10, 10},
    {"cosh", UNARY(Cosh), REFERENCES(std::cosh(x)), 2, 4, -10, 10},
    {"tanh", UNARY(Tanh), REFERENCES(std::tanh(x)), 2, 4, -10, 10},
    {"asinh", UNARY(Asinh), REFERENCES(std::asinh(x)), 4, 4, -10, 10},
    {"acosh", UNARY(Acosh), REFERENCES(std::acosh(x)), 4, 4, 1, 10},
    {"atanh", UNARY(Atanh), REFERENCES(std::atanh(x)), 4, 4, -1, 1},
    {"erf", UNARY(Erf), REFERENCES(std::erf(x)), 2, 4, -4, 4},
    {"erfc", UNARY(Erfc), REFERENCES(std::erfc(x)), 8, 8, -4, 10},
    {"erfinv", UNARY(ErfInv), REFERENCES(ErfInvReference(x)), 4, 4, -1, 1},
    {"sqrt", UNARY(Sqrt), REFERENCES(std::sqrt(x)), 0.5, 0.5, 0, 100},
    {"rsqrt", UNARY(Rsqrt), REFERENCES(RsqrtReference(x)), 2, 4, 0, 100},
    {"cbrt", UNARY(Cbrt), REFERENCES(std::cbrt(x)), 2, 4, -100, 100},
    {"floor", UNARY(Floor), REFERENCES(std::floor(x)), 0, 0, -100, 100},
    {"ceil", UNARY(Ceil), REFERENCES(std::ceil(x)), 0, 0, -100, 100},
    {"trunc", UNARY(Trunc), REFERENCES(std::trunc(x)), 0, 0, -100, 100},
    {"round_even", UNARY(RoundNearestEven), REFERENCES(std::nearbyint(x)), 0, 0,
     -100, 100},
    {"round_afz", UNARY(RoundNearestAfz), REFERENCES(std::round(x)), 0, 0, -100,
     100},
    {"sign", UNARY(Sign), REFERENCES(SignReference(x)), 0, 0, -100, 100},
    {"pow", BINARY(Pow), REFERENCES(std::pow(x, y)), 4, 4, -10, 20},
    {"atan2", BINARY(Atan2), REFERENCES(std::atan2(x, y)), 4, 4, -10, 10},
    {"fmod", BINARY(Remainder), REFERENCES(std::fmod(x, y)), 0, 0, -100, 100},
};
#undef REFERENCES
#undef UNARY
#undef BINARY

// for (i = 0; i < count; i += lanes) out[i..] = function(x[i..], y[i..]).
void EmitLoop(llvm::Module& module, const MathFunction& function,
              const MathOptions& options, llvm::Type* scalar, int lanes) {
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> b(context);
  llvm::Type* pointer = b.getPtrTy();
  const std::string name =
      std::string(function.name) + (scalar->isDoubleTy() ? "_f64" : "_f32");
  auto* callee = llvm::Function::Create(
      llvm::FunctionType::get(
          b.getVoidTy(), {pointer, pointer, pointer, b.getInt64Ty()}, false),
      llvm::Function::ExternalLinkage, name, module);
  for (unsigned i = 0; i < 3; ++i) {
    callee->addParamAttr(i, llvm::Attribute::NoAlias);
  }
  // Otherwise the target would split 512-bit vectors.
  callee->addFnAttr("prefer-vector-width", "512");
  callee->addFnAttr("min-legal-vector-width", "512");
  auto* entry = llvm::BasicBlock::Create(context, "entry", callee);
  auto* loop = llvm::BasicBlock::Create(context, "loop", callee);
  auto* done = llvm::BasicBlock::Create(context, "done", callee);
  b.SetInsertPoint(entry);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  llvm::PHINode* index = b.CreatePHI(b.getInt64Ty(), 2);
  index->addIncoming(b.getInt64(0), entry);
  llvm::Type* type = scalar;
  if (lanes > 0) type = llvm::FixedVectorType::get(scalar, lanes);
  const llvm::Align align(scalar->isDoubleTy() ? 8 : 4);
  auto element = [&](unsigned arg) {
    return b.CreateGEP(scalar, callee->getArg(arg), index);
  };
  Value* x = b.CreateAlignedLoad(type, element(0), align);
  Value* y = function.arity == 1 ? nullptr
                                 : b.CreateAlignedLoad(type, element(1), align);
  MathBuilder math(b, options);
  Value* result = function.emit(math, x, y);
  b.CreateAlignedStore(result, element(2), align);
  Value* next = b.CreateAdd(index, b.getInt64(std::max(lanes, 1)));
  index->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpSLT(next, callee->getArg(3)), loop, done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
}

MathOptions OptionsOf(const TargetInfo& target) {
  return {.has_fma = target.has_fma,
          .has_round = target.has_round,
          .has_avx512 = target.has_avx512,
          .is_x86 = target.is_x86};
}

}  // namespace

absl::Span<const MathFunction> MathFunctions() { return kMathFunctions; }

absl::StatusOr<std::vector<MathVariant>> MathVariants() {
  const TargetInfo& host = HostTarget();
  std::vector<MathVariant> variants;
  variants.push_back({"host", host, OptionsOf(host)});
  if (!host.is_x86) return variants;
  auto add = [&](const char* name, const char* cpu) -> absl::Status {
    TF_ASSIGN_OR_RETURN(TargetInfo target, TargetFor(cpu));
    variants.push_back({name, target, OptionsOf(target)});
    return absl::OkStatus();
  };
  if (host.has_avx512 && host.has_fma) {
    TF_RETURN_IF_ERROR(add("avx2", "haswell"));
  }
  TF_RETURN_IF_ERROR(add("sse2", "x86-64"));
  return variants;
}

absl::StatusOr<std::unique_ptr<CompiledCode>> CompileMath(
    const MathVariant& variant, int lanes) {
  ModuleInput input = NewModule("math", variant.target);
  llvm::LLVMContext& context = *input.context;
  for (const MathFunction& function : MathFunctions()) {
    EmitLoop(*input.module, function, variant.options,
             llvm::Type::getFloatTy(context), lanes);
    EmitLoop(*input.module, function, variant.options,
             llvm::Type::getDoubleTy(context), lanes);
  }
  JitOptions options;
  options.target = variant.target;
  options.verify = true;
  std::vector<ModuleInput> modules;
  modules.push_back(std::move(input));
  return JitCompiler(std::move(options)).Compile(std::move(modules));
}

template <typename T, typename Wide>
double UlpError(T got, Wide want) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (std::isnan(want)) return std::isnan(got) ? 0 : kWrong;
  if (std::isnan(got)) return kWrong;
  if (got == 0 && want == 0) {
    return std::signbit(got) == std::signbit(want) ? 0 : kWrong;
  }
  const Wide beyond = std::ldexp(Wide(1), std::numeric_limits<T>::max_exponent);
  auto finite = [&](Wide x) { return std::clamp(x, -beyond, beyond); };
  if (got == finite(want)) return 0;
  const Wide size = std::fabs(finite(want));
  int exponent;
  std::frexp(std::min(size, static_cast<Wide>(std::numeric_limits<T>::max())),
             &exponent);
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
  const Wide error = std::fabs(finite(static_cast<Wide>(got)) - finite(want));
  // Denormal results may have lost their sign, but nothing else.
  return static_cast<double>(
      std::ldexp(error, std::numeric_limits<T>::digits - exponent));
}
template double UlpError(float got, double want);
template double UlpError(double got, long double want);

}  // namespace xla::cpu
