// Every element-wise op on every element type, compiled for one and for eight
// lanes, against the evaluator: on special values, crossed, and random bits.
#include "xla/backends/cpu/codegen/elementwise/elementwise.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "llvm/IR/IRBuilder.h"
#include "tests/backends/cpu/codegen/isa_targets.h"
#include "xla/backends/cpu/jit/jit_compiler.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ops/elementwise/elementwise_unary.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla::cpu {
namespace {

using primitive_util::IsComplexType;
using primitive_util::IsFloatingPointType;
using primitive_util::LowercasePrimitiveTypeName;

constexpr int64_t kCount = 1024;
constexpr PrimitiveType kFloats[] = {
    F16,      BF16,          F32,        F64,        F8E5M2,    F8E4M3,  F8E3M4,
    F8E4M3FN, F8E4M3B11FNUZ, F8E5M2FNUZ, F8E4M3FNUZ, F8E8M0FNU, F4E2M1FN};
constexpr PrimitiveType kIntegers[] = {S2, S4, S8, S16, S32, S64,
                                       U2, U4, U8, U16, U32, U64};
constexpr PrimitiveType kComplexes[] = {C64, C128};
constexpr PrimitiveType kPreds[] = {PRED};

using Types = absl::Span<const PrimitiveType>;

// One op: its operand types, its result type, and the accuracy required.
struct Case {
  std::string opcode;
  std::vector<PrimitiveType> operands;
  PrimitiveType result;
  std::string attributes;
  double ulps = 0;  // in units of the result type

  std::string name;
  std::unique_ptr<HloModule> module = nullptr;
};

std::string ArrayText(PrimitiveType type) {
  return absl::StrCat(LowercasePrimitiveTypeName(type), "[", kCount, "]");
}

// Adds the op if it is defined on these types.
void AddCase(Case one, std::vector<Case>& cases) {
  std::string text = "HloModule m\nENTRY e {\n";
  std::vector<std::string> names;
  for (size_t i = 0; i < one.operands.size(); ++i) {
    names.push_back(absl::StrCat("p", i));
    absl::StrAppend(&text, names.back(), " = ", ArrayText(one.operands[i]),
                    " parameter(", i, ")\n");
  }
  const std::string op =
      absl::StrCat(ArrayText(one.result), " ", one.opcode, "(",
                   absl::StrJoin(names, ", "), ")", one.attributes);
  absl::StrAppend(&text, "ROOT r = ", op, "\n}\n");
  auto module = ParseAndReturnUnverifiedModule(text);
  ASSERT_TRUE(module.ok()) << module.status() << text;
  if (!HloVerifier().Verify(**module).ok()) return;
  one.name = op;
  for (PrimitiveType type : one.operands) {
    absl::StrAppend(&one.name, " ", LowercasePrimitiveTypeName(type));
  }
  one.module = *std::move(module);
  cases.push_back(std::move(one));
}

// Numbers that each type represents exactly, rounds or saturates.
std::vector<double> SpecialNumbers() {
  const double infinity = HUGE_VAL;
  return {0.0,     -0.0,   1,     -1,     infinity, -infinity,   NAN,   0.5,
          -1.5,    2.5,    3.25,  -7,     1e-3,     -100.7,      65520, -448.5,
          1.25e10, -1e300, 3e-39, 1e-310, 9.3e18,   2147483648., 0.999, 30};
}

// Values for operand `position` of a case.
Literal MakeOperand(PrimitiveType type, int position, std::mt19937_64& random) {
  const std::vector<double> specials = SpecialNumbers();
  const int64_t n = specials.size();
  Literal literal(ShapeUtil::MakeShape(type, {kCount}));
  const bool is_complex = IsComplexType(type);
  const PrimitiveType part =
      is_complex ? primitive_util::ComplexComponentType(type) : type;
  const int parts = is_complex ? 2 : 1;
  const int bytes = primitive_util::ByteWidth(part);
  char* data = static_cast<char*>(literal.untyped_data());
  std::uniform_real_distribution<double> moderate(-4, 4);
  for (int64_t i = 0; i < kCount * parts; ++i) {
    const int64_t element = i / parts;
    double number = moderate(random);
    if (element < n * n) {
      const bool is_fast = is_complex ? i % 2 == 0 : position == 0;
      number = specials[(is_fast ? element : element / n + position) % n];
      // The second of two complex operands is special at other positions.
      if (is_complex && position > 0) number = specials[random() % n];
    }
    ConvertElements(F64, &number, part, data + i * bytes, 1);
    if (element >= n * n && element % 2 == 0) {
      const uint64_t bits = random();
      std::memcpy(data + i * bytes, &bits, bytes);
      NormalizeElements(part, data + i * bytes, 1);
    }
  }
  return literal;
}

// Loads a real or complex element from memory.
Element LoadElement(llvm::IRBuilder<>& b, PrimitiveType type, int lanes,
                    llvm::Value* array, llvm::Value* index) {
  llvm::Type* scalar = MemoryType(b.getContext(), type);
  if (!IsComplexType(type)) {
    llvm::Value* address = b.CreateGEP(scalar, array, index);
    return {FromMemory(b, type,
                       b.CreateAlignedLoad(WithLanes(scalar, lanes), address,
                                           llvm::Align(1)))};
  }
  Element result;
  llvm::Value* address = b.CreateGEP(scalar, array, b.CreateShl(index, 1));
  for (int part = 0; part < 2; ++part) {
    llvm::Value* value;
    if (lanes == 1) {
      value = b.CreateLoad(scalar, b.CreateConstGEP1_64(scalar, address, part));
    } else {
      llvm::Value* pairs = b.CreateAlignedLoad(WithLanes(scalar, 2 * lanes),
                                               address, llvm::Align(1));
      std::vector<int> mask;
      for (int i = 0; i < lanes; ++i) mask.push_back(2 * i + part);
      value = b.CreateShuffleVector(pairs, mask);
    }
    (part == 0 ? result.value : result.imag) = value;
  }
  return result;
}

void StoreElement(llvm::IRBuilder<>& b, PrimitiveType type, int lanes,
                  Element element, llvm::Value* array, llvm::Value* index) {
  llvm::Type* scalar = MemoryType(b.getContext(), type);
  if (!IsComplexType(type)) {
    b.CreateAlignedStore(ToMemory(b, type, element.value),
                         b.CreateGEP(scalar, array, index), llvm::Align(1));
    return;
  }
  llvm::Value* address = b.CreateGEP(scalar, array, b.CreateShl(index, 1));
  if (lanes == 1) {
    b.CreateStore(element.value, address);
    b.CreateStore(element.imag, b.CreateConstGEP1_64(scalar, address, 1));
    return;
  }
  std::vector<int> mask;
  for (int i = 0; i < 2 * lanes; ++i) mask.push_back(i / 2 + i % 2 * lanes);
  b.CreateAlignedStore(b.CreateShuffleVector(element.value, element.imag, mask),
                       address, llvm::Align(1));
}

// Emits void name(ptr, ptr, ptr operands, ptr result), a loop over kCount
// elements.
absl::Status EmitFunction(llvm::Module& module, const TargetInfo& target,
                          const Case& one, int lanes, const std::string& name) {
  llvm::LLVMContext& llvm_context = module.getContext();
  llvm::IRBuilder<> b(llvm_context);
  llvm::Type* ptr = b.getPtrTy();
  auto* type =
      llvm::FunctionType::get(b.getVoidTy(), {ptr, ptr, ptr, ptr}, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                          name, module);
  auto* entry = llvm::BasicBlock::Create(llvm_context, "", function);
  auto* loop = llvm::BasicBlock::Create(llvm_context, "", function);
  auto* done = llvm::BasicBlock::Create(llvm_context, "", function);
  b.SetInsertPoint(entry);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  llvm::PHINode* index = b.CreatePHI(b.getInt64Ty(), 2);
  std::vector<Element> operands;
  for (size_t i = 0; i < one.operands.size(); ++i) {
    operands.push_back(
        LoadElement(b, one.operands[i], lanes, function->getArg(i), index));
  }
  EmitContext context = {b, target};
  if (lanes > 1) {
    context.mask =
        llvm::Constant::getAllOnesValue(WithLanes(b.getInt1Ty(), lanes));
  }
  TF_ASSIGN_OR_RETURN(
      Element result,
      EmitElementwise(context,
                      *one.module->entry_computation()->root_instruction(),
                      operands));
  StoreElement(b, one.result, lanes, result, function->getArg(3), index);
  llvm::Value* next = b.CreateAdd(index, b.getInt64(lanes));
  index->addIncoming(b.getInt64(0), entry);
  index->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpULT(next, b.getInt64(kCount)), loop, done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  return absl::OkStatus();
}

// Part `i` of an array as a double; integers of 64 bits lose low bits.
double Part(const Literal& literal, PrimitiveType part, int64_t i) {
  double number;
  ConvertElements(part,
                  static_cast<const char*>(literal.untyped_data()) +
                      i * primitive_util::ByteWidth(part),
                  F64, &number, 1);
  return number;
}

// `size` is the modulus of the whole number, complex or not, to which errors
// are relative.
bool IsNear(double a, double b, double size, PrimitiveType part, double ulps) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) {
    return ulps > 0 || std::signbit(a) == std::signbit(b) ||
           !primitive_util::HasNaN(part);
  }
  if (ulps == 0) return false;
  // The direction of an infinite number is as inexact as its modulus.
  if (std::isinf(size) && ulps > 1000) return std::isinf(a) == std::isinf(b);
  const int digits = primitive_util::SignificandWidth(part);
  const int exponent =
      std::max(std::isfinite(size) && size != 0 ? std::ilogb(size) : -5000,
               primitive_util::UnderflowExponent(part) - 1);
  return std::fabs(a - b) <= ulps * std::ldexp(1.0, exponent + 1 - digits);
}

// Counts the elements that differ and reports the first ones.
void Compare(const Case& one, int lanes, const std::vector<Literal>& operands,
             const Literal& actual, const Literal& expected) {
  const bool is_complex = IsComplexType(one.result);
  const PrimitiveType part =
      is_complex ? primitive_util::ComplexComponentType(one.result)
                 : one.result;
  const int bytes = primitive_util::ByteWidth(part);
  const char* a = static_cast<const char*>(actual.untyped_data());
  const char* e = static_cast<const char*>(expected.untyped_data());
  int wrong = 0;
  std::string text;
  for (int64_t i = 0; i < kCount * (is_complex ? 2 : 1); ++i) {
    if (std::memcmp(a + i * bytes, e + i * bytes, bytes) == 0) continue;
    if (IsFloatingPointType(part)) {
      const double number = Part(expected, part, i);
      double size = std::fabs(number);
      if (is_complex) {
        size = std::max(size, std::fabs(Part(expected, part, i ^ 1)));
      }
      // The logarithm of a number close to 1 has no more digits.
      if (one.opcode == "atan2") size = std::max(size, 1.0);
      if (IsNear(Part(actual, part, i), number, size, part, one.ulps)) continue;
    }
    if (++wrong > 5) continue;
    const int64_t element = is_complex ? i / 2 : i;
    for (const Literal& operand : operands) {
      absl::StrAppend(&text, operand.GetAsString({element}), "  ");
    }
    absl::StrAppend(&text, "gives ", actual.GetAsString({element}), " not ",
                    expected.GetAsString({element}), "\n");
  }
  EXPECT_EQ(wrong, 0) << one.name << ", lanes " << lanes << "\n" << text;
}

// Compiles all cases into one module. If this processor supports the target,
// runs each case and compares the results.
void RunCases(std::vector<Case> cases, const IsaTarget& isa) {
  const TargetInfo& target = isa.target;
  ASSERT_FALSE(cases.empty());
  ModuleInput input = NewModule("m", target);
  constexpr int kLanes[] = {1, 8};
  auto name = [](size_t i, int lanes) {
    return absl::StrCat("case_", i, "_", lanes);
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    for (int lanes : kLanes) {
      ASSERT_EQ(
          EmitFunction(*input.module, target, cases[i], lanes, name(i, lanes)),
          absl::OkStatus());
    }
  }
  if (!isa.missing.empty()) {
    const auto object =
        CompileToObject(std::move(input), target, {.verify = true});
    ASSERT_TRUE(object.ok()) << object.status();
    return;
  }
  std::vector<ModuleInput> modules;
  modules.push_back(std::move(input));
  JitOptions options;
  options.target = target;
  options.verify = true;
  JitCompiler compiler(options);
  auto code = compiler.Compile(std::move(modules));
  ASSERT_TRUE(code.ok()) << code.status();
  // The code must not call replacements of missing instructions.
  for (const auto& [symbol, address] : RuntimeSymbols()) {
    if (absl::StartsWith(symbol, "mem")) continue;
    for (const std::string& object : (*code)->objects().objects) {
      EXPECT_FALSE(absl::StrContains(object, '\0' + symbol + '\0')) << symbol;
    }
  }
  std::mt19937_64 random(1);
  for (size_t i = 0; i < cases.size(); ++i) {
    const Case& one = cases[i];
    std::vector<Literal> operands;
    for (size_t k = 0; k < one.operands.size(); ++k) {
      operands.push_back(MakeOperand(one.operands[k], k, random));
    }
    auto expected =
        HloEvaluator().Evaluate(*one.module, absl::MakeConstSpan(operands));
    ASSERT_TRUE(expected.ok()) << expected.status();
    const void* in[3] = {};
    for (size_t k = 0; k < operands.size(); ++k) {
      in[k] = operands[k].untyped_data();
    }
    for (int lanes : kLanes) {
      using Fn = void(const void*, const void*, const void*, void*);
      auto fn = (*code)->Function<Fn>(name(i, lanes));
      ASSERT_TRUE(fn.ok()) << fn.status();
      Literal actual(ShapeUtil::MakeShape(one.result, {kCount}));
      (*fn)(in[0], in[1], in[2], actual.untyped_data());
      Compare(one, lanes, operands, actual, *expected);
    }
  }
}

// Adds ops with `arity` operands of each type and a result of the same type.
void AddOps(absl::Span<const char* const> opcodes, int arity, Types types,
            double ulps, std::vector<Case>& cases) {
  for (const char* opcode : opcodes) {
    for (PrimitiveType type : types) {
      const bool is_small = primitive_util::BitWidth(type) < 32;
      AddCase({opcode, std::vector<PrimitiveType>(arity, type), type, "",
               is_small ? std::min(ulps, 1.0) : ulps},
              cases);
    }
  }
}

constexpr const char* kExactUnary[] = {"abs",
                                       "ceil",
                                       "copy",
                                       "count-leading-zeros",
                                       "floor",
                                       "imag",
                                       "negate",
                                       "not",
                                       "popcnt",
                                       "real",
                                       "round-nearest-afz",
                                       "round-nearest-even",
                                       "sign"};
constexpr const char* kExactBinary[] = {
    "add", "divide", "maximum", "minimum", "multiply", "remainder", "subtract"};
constexpr const char* kIntegerBinary[] = {"and",
                                          "mulhi",
                                          "or",
                                          "power",
                                          "shift-left",
                                          "shift-right-arithmetic",
                                          "shift-right-logical",
                                          "xor"};

// The functions of one operand that backends approximate.
std::vector<const char*> Functions() {
  std::vector<const char*> names;
  for (const OpDef* op : OpTable()) {
    if (op->attrs != AttrsOf<AccuracyAttrs>()) continue;
    names.push_back(op->name.data());
  }
  return names;
}

void AddIntegerCases(std::vector<Case>& cases) {
  for (Types types : {Types(kIntegers), Types(kPreds)}) {
    AddOps(kExactUnary, 1, types, 0, cases);
    AddOps(kExactBinary, 2, types, 0, cases);
    AddOps({"clamp"}, 3, types, 0, cases);
  }
  AddOps(kIntegerBinary, 2, kIntegers, 0, cases);
  AddOps({"and", "or", "xor"}, 2, kPreds, 0, cases);
}

void AddFloatCases(std::vector<Case>& cases) {
  AddOps(kExactUnary, 1, kFloats, 0, cases);
  AddOps(kExactBinary, 2, kFloats, 0, cases);
  AddOps({"clamp"}, 3, kFloats, 0, cases);
  for (PrimitiveType type : kFloats) {
    AddCase({"is-finite", {type}, PRED, ""}, cases);
    // The operands have two types; the result has the more precise one.
    AddCase({"add", {type, F32}, F32, ""}, cases);
    AddCase({"maximum", {BF16, type}, BF16, ""}, cases);
  }
  AddCase({"complex", {F32, F32}, C64, ""}, cases);
  AddCase({"complex", {F64, F64}, C128, ""}, cases);
}

bool IsMain(PrimitiveType type) {
  return type == F32 || type == F64 || type == S32 || type == U64 ||
         type == F8E4M3FN || type == PRED;
}

void AddConversionCases(std::vector<Case>& cases) {
  std::vector<PrimitiveType> types;
  for (Types some :
       {Types(kFloats), Types(kIntegers), Types(kComplexes), Types(kPreds)}) {
    types.insert(types.end(), some.begin(), some.end());
  }
  for (PrimitiveType from : types) {
    for (PrimitiveType to : types) {
      // Conversions between two small formats go through float.
      if (!IsMain(from) && !IsMain(to)) continue;
      AddCase({"convert", {from}, to, ""}, cases);
      if (primitive_util::StorageBitWidth(from) ==
          primitive_util::StorageBitWidth(to)) {
        AddCase({"bitcast-convert", {from}, to, ""}, cases);
      }
    }
  }
}

void AddOtherCases(std::vector<Case>& cases) {
  for (Types types :
       {Types(kFloats), Types(kIntegers), Types(kComplexes), Types(kPreds)}) {
    for (PrimitiveType type : types) {
      AddCase({"select", {PRED, type, type}, type, ""}, cases);
      for (const char* direction : {"EQ", "NE", "GE", "GT", "LE", "LT"}) {
        if (IsComplexType(type) && direction[1] != 'Q' && direction[0] != 'N') {
          continue;
        }
        const std::string attribute = absl::StrCat(", direction=", direction);
        AddCase({"compare", {type, type}, PRED, attribute}, cases);
        if (!IsFloatingPointType(type) || direction[1] == 'E') continue;
        AddCase({"compare",
                 {type, type},
                 PRED,
                 absl::StrCat(attribute, ", type=TOTALORDER")},
                cases);
      }
    }
  }
  for (PrimitiveType type : kFloats) {
    for (const auto& [exponent, mantissa] :
         {std::pair(5, 10), {8, 7}, {8, 23}, {1, 0}, {11, 2}, {4, 60}}) {
      AddCase({"reduce-precision",
               {type},
               type,
               absl::StrCat(", exponent_bits=", exponent,
                            ", mantissa_bits=", mantissa)},
              cases);
    }
    if (primitive_util::BitWidth(type) < 16) continue;
    const PrimitiveType random =
        primitive_util::UnsignedIntegralTypeForBitWidth(
            primitive_util::BitWidth(type));
    for (PrimitiveType to : {F64, F16, F8E4M3FN, S8, U64}) {
      AddCase({"stochastic-convert", {type, random}, to, ""}, cases);
    }
  }
}

class ElementwiseTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    for (const IsaTarget& isa : IsaTargets()) {
      if (isa.name == GetParam()) isa_ = &isa;
    }
    if (isa_ == nullptr) {
      GTEST_SKIP() << GetParam() << " is what the host is, or is not of its "
                   << "architecture";
    }
  }

  void Run(void (*add_cases)(std::vector<Case>&)) {
    std::vector<Case> cases;
    add_cases(cases);
    RunCases(std::move(cases), *isa_);
  }

  const IsaTarget* isa_ = nullptr;
};

TEST_P(ElementwiseTest, Integers) { Run(AddIntegerCases); }

TEST_P(ElementwiseTest, Floats) { Run(AddFloatCases); }

TEST_P(ElementwiseTest, FloatFunctions) {
  std::vector<Case> cases;
  constexpr PrimitiveType kWide[] = {F32, F64};
  AddOps(Functions(), 1, kWide, 4, cases);
  AddOps({"atan2", "power"}, 2, kWide, 4, cases);
  constexpr PrimitiveType kSmall[] = {F16, BF16, F8E4M3FN};
  AddOps({"exponential", "rsqrt", "sqrt", "tanh"}, 1, kSmall, 1, cases);
  RunCases(std::move(cases), *isa_);
}

TEST_P(ElementwiseTest, Conversions) { Run(AddConversionCases); }

TEST_P(ElementwiseTest, ComparisonsSelectionsAndRoundings) {
  Run(AddOtherCases);
}

TEST_P(ElementwiseTest, ComplexArithmetic) {
  std::vector<Case> cases;
  for (const char* opcode : {"negate", "sign", "copy"}) {
    AddOps({opcode}, 1, kComplexes, opcode[0] == 's' ? 4 : 0, cases);
  }
  AddOps({"add", "subtract", "multiply", "divide"}, 2, kComplexes, 0, cases);
  for (const char* opcode : {"abs", "real", "imag"}) {
    const double ulps = opcode[0] == 'a' ? 2 : 0;
    AddCase({opcode, {C64}, F32, "", ulps}, cases);
    AddCase({opcode, {C128}, F64, "", ulps}, cases);
  }
  RunCases(std::move(cases), *isa_);
}

TEST_P(ElementwiseTest, ComplexFunctions) {
  std::vector<Case> cases;
  AddOps(Functions(), 1, kComplexes, 32, cases);
  // The error grows with the exponent, and the formula of atan2 cancels.
  AddOps({"power", "atan2"}, 2, kComplexes, 1e4, cases);
  RunCases(std::move(cases), *isa_);
}

// The levels whose code differs.
#if defined(__x86_64__)
constexpr const char* kLevels[] = {"Host", "SSE2",   "AVX",
                                   "AVX2", "AVX512", "AVX512_FP16"};
#else
constexpr const char* kLevels[] = {"Host", "NEON", "SVE"};
#endif
INSTANTIATE_TEST_SUITE_P(Targets, ElementwiseTest, testing::ValuesIn(kLevels),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace xla::cpu
