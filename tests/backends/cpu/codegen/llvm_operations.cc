// The table, by families. Cases that LLVM leaves undefined (divisions by 0,
// large shifts, conversions out of range) are kept from it, as code generation
// does.
#include "tests/backends/cpu/codegen/llvm_operations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "xla/backends/cpu/codegen/math/float_lanes.h"
#include "xla/backends/cpu/codegen/math/registers_avx512.h"
#include "xla/base/types.h"

namespace xla::cpu {
namespace {

using Value = llvm::Value;
using Builder = llvm::IRBuilder<>;
using Used = bool (*)(const TargetInfo&);

template <typename T>
constexpr LaneType kTypeOf = std::is_same_v<T, bool>     ? LaneType::kI1
                             : std::is_same_v<T, half>   ? LaneType::kF16
                             : std::is_same_v<T, float>  ? LaneType::kF32
                             : std::is_same_v<T, double> ? LaneType::kF64
                             : sizeof(T) == 1            ? LaneType::kI8
                             : sizeof(T) == 2            ? LaneType::kI16
                             : sizeof(T) == 4            ? LaneType::kI32
                                                         : LaneType::kI64;

template <typename T>
T NumberOf(uint64_t bits) {
  T x;
  std::memcpy(static_cast<void*>(&x), &bits, sizeof(T));
  return x;
}
template <typename T>
uint64_t BitsOfNumber(T x) {
  uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof(T));
  return bits;
}

// Collects operations, whose meaning is defined on numbers.
class OperationTable {
 public:
  template <typename In, typename Out, typename Emit, typename F>
  void Unary(std::string source, Emit emit, F f, Used used = nullptr,
             double tolerance = 0) {
    all_.push_back({std::move(source), kTypeOf<In>, kTypeOf<Out>, 1,
                    [emit](Builder& b, Value* x, Value*, Value*) -> Value* {
                      return emit(b, x);
                    },
                    [f](uint64_t x, uint64_t, uint64_t) {
                      return BitsOfNumber<Out>(f(NumberOf<In>(x)));
                    },
                    used, tolerance});
  }
  template <typename In, typename Out, typename Emit, typename F>
  void Binary(std::string source, Emit emit, F f, Used used = nullptr) {
    all_.push_back({std::move(source), kTypeOf<In>, kTypeOf<Out>, 2,
                    [emit](Builder& b, Value* x, Value* y, Value*) -> Value* {
                      return emit(b, x, y);
                    },
                    [f](uint64_t x, uint64_t y, uint64_t) {
                      return BitsOfNumber<Out>(
                          f(NumberOf<In>(x), NumberOf<In>(y)));
                    },
                    used});
  }
  template <typename In, typename Emit, typename F>
  void Ternary(std::string source, Emit emit, F f, Used used = nullptr) {
    all_.push_back({std::move(source), kTypeOf<In>, kTypeOf<In>, 3, emit,
                    [f](uint64_t x, uint64_t y, uint64_t z) {
                      return BitsOfNumber<In>(
                          f(NumberOf<In>(x), NumberOf<In>(y), NumberOf<In>(z)));
                    },
                    used});
  }
  std::vector<LlvmOperation> Take() { return std::move(all_); }

 private:
  std::vector<LlvmOperation> all_;
};

// A type with the lanes of x.
llvm::Type* TypeLike(Value* x, llvm::Type* scalar) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
  return vector == nullptr
             ? scalar
             : llvm::FixedVectorType::get(scalar, vector->getNumElements());
}
template <typename T>
llvm::Type* TypeLike(Builder& b, Value* x) {
  return TypeLike(x, ScalarOf(b.getContext(), kTypeOf<T>));
}
llvm::Constant* NumberLike(Value* x, double number) {
  return llvm::ConstantFP::get(x->getType(), number);
}
llvm::Constant* IntegerLike(Value* x, uint64_t number) {
  return llvm::ConstantInt::get(x->getType(), number);
}

// IEEE 754-2019 maximum and minimum: NaN wins, and -0 is below 0.
template <typename T>
T Larger(T x, T y) {
  if (std::isnan(x) || std::isnan(y))
    return std::numeric_limits<T>::quiet_NaN();
  if (x == y) return std::signbit(x) ? y : x;
  return x > y ? x : y;
}
template <typename T>
T Smaller(T x, T y) {
  return -Larger<T>(-x, -y);
}

bool UsesFma(const TargetInfo& target) { return target.has_fma; }
bool UsesRounding(const TargetInfo& target) { return target.has_round; }
bool UsesHalf(const TargetInfo& target) { return target.has_f16c; }
bool UsesAvx512(const TargetInfo& target) { return target.has_avx512; }
bool ComputesHalf(const TargetInfo& target) {
  return target.is_aarch64 ? target.Has("fullfp16") : target.has_avx512_fp16;
}
bool FencesHalf(const TargetInfo& target) {
  return target.has_f16c && !ComputesHalf(target);
}

#define EMIT1(expression) \
  [](Builder& b, Value* x) -> Value* { return expression; }
#define EMIT2(expression) \
  [](Builder& b, Value* x, Value* y) -> Value* { return expression; }
#define INTRINSIC1(id) \
  "Intrinsic::" #id, EMIT1(b.CreateUnaryIntrinsic(llvm::Intrinsic::id, x))
#define INTRINSIC2(id) \
  "Intrinsic::" #id, EMIT2(b.CreateBinaryIntrinsic(llvm::Intrinsic::id, x, y))
#define BUILDER1(method) #method, EMIT1(b.method(x))
#define BUILDER2(method) #method, EMIT2(b.method(x, y))

template <typename T>
void AddFloatArithmetic(OperationTable& table) {
  table.Binary<T, T>(BUILDER2(CreateFAdd), [](T x, T y) { return x + y; });
  table.Binary<T, T>(BUILDER2(CreateFSub), [](T x, T y) { return x - y; });
  table.Binary<T, T>(BUILDER2(CreateFMul), [](T x, T y) { return x * y; });
  table.Binary<T, T>(BUILDER2(CreateFDiv), [](T x, T y) { return x / y; });
  table.Unary<T, T>(BUILDER1(CreateFNeg), [](T x) { return -x; });
  table.Unary<T, T>(INTRINSIC1(fabs), [](T x) { return std::fabs(x); });
  table.Unary<T, T>(INTRINSIC1(sqrt), [](T x) { return std::sqrt(x); });
  table.Binary<T, T>(INTRINSIC2(copysign),
                     [](T x, T y) { return std::copysign(x, y); });
  table.Binary<T, T>(INTRINSIC2(maximum), Larger<T>);
  table.Binary<T, T>(INTRINSIC2(minimum), Smaller<T>);
  table.Unary<T, T>(
      INTRINSIC1(floor), [](T x) { return std::floor(x); }, UsesRounding);
  table.Unary<T, T>(
      INTRINSIC1(ceil), [](T x) { return std::ceil(x); }, UsesRounding);
  table.Unary<T, T>(
      INTRINSIC1(trunc), [](T x) { return std::trunc(x); }, UsesRounding);
  table.Unary<T, T>(
      INTRINSIC1(roundeven), [](T x) { return std::nearbyint(x); },
      UsesRounding);
  table.Ternary<T>(
      "Intrinsic::fma",
      [](Builder& b, Value* x, Value* y, Value* z) -> Value* {
        return b.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()},
                                 {x, y, z});
      },
      [](T x, T y, T z) { return std::fma(x, y, z); }, UsesFma);
}

template <typename T>
void AddFloatComparisons(OperationTable& table) {
  table.Binary<T, bool>(BUILDER2(CreateFCmpOEQ),
                        [](T x, T y) { return x == y; });
  table.Binary<T, bool>(BUILDER2(CreateFCmpOGT),
                        [](T x, T y) { return x > y; });
  table.Binary<T, bool>(BUILDER2(CreateFCmpOGE),
                        [](T x, T y) { return x >= y; });
  table.Binary<T, bool>(BUILDER2(CreateFCmpOLT),
                        [](T x, T y) { return x < y; });
  table.Binary<T, bool>(BUILDER2(CreateFCmpONE),
                        [](T x, T y) { return x < y || x > y; });
  table.Binary<T, bool>(BUILDER2(CreateFCmpUEQ),
                        [](T x, T y) { return !(x < y || x > y); });
  table.Binary<T, bool>(BUILDER2(CreateFCmpUNE),
                        [](T x, T y) { return x != y; });
  table.Binary<T, bool>(BUILDER2(CreateFCmpUNO), [](T x, T y) {
    return std::isnan(x) || std::isnan(y);
  });
  table.Binary<T, bool>("CreateFCmp",
                        EMIT2(b.CreateFCmp(llvm::CmpInst::FCMP_OLE, x, y)),
                        [](T x, T y) { return x <= y; });
}

// Only for numbers that have a result.
template <typename From, typename To>
void AddFloatToInteger(OperationTable& table) {
  constexpr bool kSigned = std::is_signed_v<To>;
  // The first number that is too large; it is exact.
  const double limit =
      std::ldexp(1.0, static_cast<int>(sizeof(To)) * 8 - (kSigned ? 1 : 0));
  const double least = kSigned ? -limit : 0.0;
  table.Unary<From, To>(
      kSigned ? "CreateFPToSI" : "CreateFPToUI",
      [limit, least](Builder& b, Value* x) -> Value* {
        Value* inside = b.CreateAnd(b.CreateFCmpOGE(x, NumberLike(x, least)),
                                    b.CreateFCmpOLT(x, NumberLike(x, limit)));
        Value* value = b.CreateSelect(inside, x, NumberLike(x, 1));
        llvm::Type* type = TypeLike<To>(b, x);
        return kSigned ? b.CreateFPToSI(value, type)
                       : b.CreateFPToUI(value, type);
      },
      [limit, least](From x) {
        return x >= least && x < limit ? static_cast<To>(x) : To{1};
      });
  table.Unary<To, From>(
      kSigned ? "CreateSIToFP" : "CreateUIToFP",
      [](Builder& b, Value* x) -> Value* {
        llvm::Type* type = TypeLike<From>(b, x);
        return kSigned ? b.CreateSIToFP(x, type) : b.CreateUIToFP(x, type);
      },
      [](To x) { return static_cast<From>(x); });
}

void AddConversions(OperationTable& table) {
  table.Unary<float, double>("CreateFPExt",
                             EMIT1(b.CreateFPExt(x, TypeLike<double>(b, x))),
                             [](float x) { return static_cast<double>(x); });
  table.Unary<double, float>("CreateFPTrunc",
                             EMIT1(b.CreateFPTrunc(x, TypeLike<float>(b, x))),
                             [](double x) { return static_cast<float>(x); });
  table.Unary<half, float>(
      "CreateFPExt", EMIT1(b.CreateFPExt(x, TypeLike<float>(b, x))),
      [](half x) { return static_cast<float>(x); }, UsesHalf);
  table.Unary<float, half>(
      "CreateFPTrunc", EMIT1(b.CreateFPTrunc(x, TypeLike<half>(b, x))),
      [](float x) { return half(x); }, UsesHalf);
  AddFloatToInteger<float, int32_t>(table);
  AddFloatToInteger<float, uint32_t>(table);
  AddFloatToInteger<float, int64_t>(table);
  AddFloatToInteger<float, uint64_t>(table);
  AddFloatToInteger<double, int32_t>(table);
  AddFloatToInteger<double, uint32_t>(table);
  AddFloatToInteger<double, int64_t>(table);
  AddFloatToInteger<double, uint64_t>(table);
  table.Unary<float, uint32_t>(
      "CreateBitCast", EMIT1(b.CreateBitCast(x, TypeLike<uint32_t>(b, x))),
      [](float x) { return std::bit_cast<uint32_t>(x); });
  table.Unary<uint64_t, double>(
      "CreateBitCast", EMIT1(b.CreateBitCast(x, TypeLike<double>(b, x))),
      [](uint64_t x) { return std::bit_cast<double>(x); });
}

template <typename T>
void AddIntegerArithmetic(OperationTable& table) {
  using S = std::make_signed_t<T>;
  constexpr int kBits = sizeof(T) * 8;
  const auto number = [](uint64_t x) { return static_cast<T>(x); };
  const auto is_less = [](T x, T y) {
    return static_cast<S>(x) < static_cast<S>(y);
  };
  table.Binary<T, T>(BUILDER2(CreateAdd),
                     [=](T x, T y) { return number(uint64_t{x} + y); });
  table.Binary<T, T>(BUILDER2(CreateSub),
                     [=](T x, T y) { return number(uint64_t{x} - y); });
  table.Binary<T, T>(BUILDER2(CreateMul),
                     [=](T x, T y) { return number(uint64_t{x} * y); });
  table.Binary<T, T>(BUILDER2(CreateAnd),
                     [=](T x, T y) { return number(x & y); });
  table.Binary<T, T>(BUILDER2(CreateOr),
                     [=](T x, T y) { return number(x | y); });
  table.Binary<T, T>(BUILDER2(CreateXor),
                     [=](T x, T y) { return number(x ^ y); });
  table.Unary<T, T>(BUILDER1(CreateNot), [=](T x) { return number(~x); });
  table.Unary<T, T>(BUILDER1(CreateNeg),
                    [=](T x) { return number(0 - uint64_t{x}); });
  table.Unary<T, T>(BUILDER1(CreateFreeze), [](T x) { return x; });
  table.Binary<T, T>(INTRINSIC2(umin), [](T x, T y) { return std::min(x, y); });
  table.Binary<T, T>(INTRINSIC2(umax), [](T x, T y) { return std::max(x, y); });
  table.Binary<T, T>(INTRINSIC2(smin),
                     [=](T x, T y) { return is_less(x, y) ? x : y; });
  table.Binary<T, T>(INTRINSIC2(smax),
                     [=](T x, T y) { return is_less(x, y) ? y : x; });
  table.Unary<T, T>(
      "Intrinsic::abs",
      EMIT1(b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, b.getFalse())),
      [=](T x) { return number(is_less(x, 0) ? 0 - uint64_t{x} : x); });
  table.Unary<T, T>(
      "Intrinsic::ctlz",
      EMIT1(b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x, b.getFalse())),
      [=](T x) { return number(std::countl_zero(x)); });
  table.Unary<T, T>(INTRINSIC1(ctpop),
                    [=](T x) { return number(std::popcount(x)); });
  const auto amount = [](T y) { return y & (kBits - 1); };
  table.Binary<T, T>(
      "CreateShl",
      EMIT2(b.CreateShl(x, b.CreateAnd(y, IntegerLike(y, kBits - 1)))),
      [=](T x, T y) { return number(uint64_t{x} << amount(y)); });
  table.Binary<T, T>(
      "CreateLShr",
      EMIT2(b.CreateLShr(x, b.CreateAnd(y, IntegerLike(y, kBits - 1)))),
      [=](T x, T y) { return number(uint64_t{x} >> amount(y)); });
  table.Binary<T, T>(
      "CreateAShr",
      EMIT2(b.CreateAShr(x, b.CreateAnd(y, IntegerLike(y, kBits - 1)))),
      [=](T x, T y) {
        return number(
            static_cast<uint64_t>(int64_t{static_cast<S>(x)} >> amount(y)));
      });
}

template <typename T>
void AddIntegerDivision(OperationTable& table) {
  using S = std::make_signed_t<T>;
  // Odd, so never 0; positive for signed divisions.
  constexpr T kPositive = std::numeric_limits<S>::max();
  table.Binary<T, T>("CreateUDiv",
                     EMIT2(b.CreateUDiv(x, b.CreateOr(y, IntegerLike(y, 1)))),
                     [](T x, T y) { return static_cast<T>(x / (y | 1)); });
  table.Binary<T, T>("CreateURem",
                     EMIT2(b.CreateURem(x, b.CreateOr(y, IntegerLike(y, 1)))),
                     [](T x, T y) { return static_cast<T>(x % (y | 1)); });
  const auto divisor = [](Builder& b, Value* y) {
    return b.CreateOr(b.CreateAnd(y, IntegerLike(y, kPositive)),
                      IntegerLike(y, 1));
  };
  table.Binary<T, T>(
      "CreateSDiv",
      [=](Builder& b, Value* x, Value* y) -> Value* {
        return b.CreateSDiv(x, divisor(b, y));
      },
      [](T x, T y) {
        return static_cast<T>(static_cast<S>(x) / S((y & kPositive) | 1));
      });
  table.Binary<T, T>(
      "CreateSRem",
      [=](Builder& b, Value* x, Value* y) -> Value* {
        return b.CreateSRem(x, divisor(b, y));
      },
      [](T x, T y) {
        return static_cast<T>(static_cast<S>(x) % S((y & kPositive) | 1));
      });
  table.Unary<T, T>("CreateUDiv", EMIT1(b.CreateUDiv(x, IntegerLike(x, 7))),
                    [](T x) { return static_cast<T>(x / 7); });
  table.Unary<T, T>("CreateExactSDiv",
                    EMIT1(b.CreateExactSDiv(b.CreateShl(b.CreateAShr(x, 3), 3),
                                            IntegerLike(x, 8))),
                    [](T x) { return static_cast<T>(static_cast<S>(x) >> 3); });
}

template <typename T>
void AddIntegerComparisons(OperationTable& table) {
  using S = std::make_signed_t<T>;
  const auto s = [](T x) { return static_cast<S>(x); };
  table.Binary<T, bool>(BUILDER2(CreateICmpEQ),
                        [](T x, T y) { return x == y; });
  table.Binary<T, bool>(BUILDER2(CreateICmpNE),
                        [](T x, T y) { return x != y; });
  table.Binary<T, bool>(BUILDER2(CreateICmpULT),
                        [](T x, T y) { return x < y; });
  table.Binary<T, bool>(BUILDER2(CreateICmpULE),
                        [](T x, T y) { return x <= y; });
  table.Binary<T, bool>(BUILDER2(CreateICmpUGT),
                        [](T x, T y) { return x > y; });
  table.Binary<T, bool>(BUILDER2(CreateICmpUGE),
                        [](T x, T y) { return x >= y; });
  table.Binary<T, bool>(BUILDER2(CreateICmpSLT),
                        [=](T x, T y) { return s(x) < s(y); });
  table.Binary<T, bool>(BUILDER2(CreateICmpSLE),
                        [=](T x, T y) { return s(x) <= s(y); });
  table.Binary<T, bool>(BUILDER2(CreateICmpSGT),
                        [=](T x, T y) { return s(x) > s(y); });
  table.Binary<T, bool>("CreateICmp",
                        EMIT2(b.CreateICmp(llvm::CmpInst::ICMP_SGE, x, y)),
                        [=](T x, T y) { return s(x) >= s(y); });
  table.Ternary<T>(
      "CreateSelect",
      [](Builder& b, Value* x, Value* y, Value* z) -> Value* {
        return b.CreateSelect(b.CreateICmpSLT(x, y), y, z);
      },
      [=](T x, T y, T z) { return s(x) < s(y) ? y : z; });
}

// What LLVM makes of float operations between halves: it computes them in
// halves on processors that can; on others, fences prevent that.
template <typename Emit, typename F>
void AddThroughFloat(OperationTable& table, Emit emit, F f) {
  const auto expected = [f](half x, half y) {
    return half(f(static_cast<float>(x), static_cast<float>(y)));
  };
  const auto through = [emit](bool fenced) {
    return [emit, fenced](Builder& b, Value* x, Value* y) -> Value* {
      llvm::Type* type = TypeLike<float>(b, x);
      const auto fence = [&](Value* value) -> Value* {
        return fenced ? b.CreateArithmeticFence(value, type) : value;
      };
      Value* result =
          emit(b, fence(b.CreateFPExt(x, type)), fence(b.CreateFPExt(y, type)));
      return b.CreateFPTrunc(fence(result), x->getType());
    };
  };
  table.Binary<half, half>("CreateArithmeticFence", through(true), expected,
                           FencesHalf);
  table.Binary<half, half>("CreateFPTrunc", through(false), expected,
                           ComputesHalf);
}

void AddHalves(OperationTable& table) {
  using F = float;
  const auto add = [&](auto emit, auto f) { AddThroughFloat(table, emit, f); };
  add(EMIT2(b.CreateFAdd(x, y)), [](F x, F y) { return x + y; });
  add(EMIT2(b.CreateFSub(x, y)), [](F x, F y) { return x - y; });
  add(EMIT2(b.CreateFMul(x, y)), [](F x, F y) { return x * y; });
  add(EMIT2(b.CreateFDiv(x, y)), [](F x, F y) { return x / y; });
  add(EMIT2(b.CreateBinaryIntrinsic(llvm::Intrinsic::maximum, x, y)),
      Larger<F>);
  add(EMIT2(b.CreateBinaryIntrinsic(llvm::Intrinsic::minimum, x, y)),
      Smaller<F>);
  add(EMIT2(b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, x, y)),
      [](F x, F y) { return std::copysign(x, y); });
  add(EMIT2(b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, b.CreateFNeg(y))),
      [](F, F y) { return std::sqrt(-y); });
  add(EMIT2(b.CreateSelect(b.CreateFCmpOLT(x, y), x, y)),
      [](F x, F y) { return x < y ? x : y; });
  add(EMIT2(b.CreateUnaryIntrinsic(llvm::Intrinsic::floor,
                                   b.CreateFMul(x, NumberLike(x, 0.5)))),
      [](F x, F) { return std::floor(x / 2); });
}

template <typename Narrow, typename Wide>
void AddWidths(OperationTable& table) {
  using S = std::make_signed_t<Narrow>;
  using SW = std::make_signed_t<Wide>;
  table.Unary<Narrow, Wide>("CreateZExt",
                            EMIT1(b.CreateZExt(x, TypeLike<Wide>(b, x))),
                            [](Narrow x) { return Wide{x}; });
  table.Unary<Narrow, Wide>(
      "CreateSExt", EMIT1(b.CreateSExt(x, TypeLike<Wide>(b, x))),
      [](Narrow x) { return static_cast<Wide>(SW{static_cast<S>(x)}); });
  table.Unary<Narrow, Wide>(
      "CreateIntCast",
      EMIT1(b.CreateIntCast(x, TypeLike<Wide>(b, x), /*isSigned=*/true)),
      [](Narrow x) { return static_cast<Wide>(SW{static_cast<S>(x)}); });
  table.Unary<Wide, Narrow>("CreateTrunc",
                            EMIT1(b.CreateTrunc(x, TypeLike<Narrow>(b, x))),
                            [](Wide x) { return static_cast<Narrow>(x); });
}

MathOptions WithAvx512() {
  return {
      .has_fma = true, .has_round = true, .has_avx512 = true, .is_x86 = true};
}

// Adds intrinsics of AVX-512 for each register width into which code generation
// puts the lanes.
template <typename T>
void AddAvx512(OperationTable& table) {
  const char* const scale = sizeof(T) == 4
                                ? "Intrinsic::x86_avx512_mask_scalef_ps_128 "
                                  "Intrinsic::x86_avx512_mask_scalef_ps_256 "
                                  "Intrinsic::x86_avx512_mask_scalef_ps_512"
                                : "Intrinsic::x86_avx512_mask_scalef_pd_128 "
                                  "Intrinsic::x86_avx512_mask_scalef_pd_256 "
                                  "Intrinsic::x86_avx512_mask_scalef_pd_512";
  table.Binary<T, T>(
      scale,
      [](Builder& b, Value* x, Value* y) -> Value* {
        FloatLanes lanes(b, WithAvx512(), x->getType());
        Value* size = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, y);
        Value* small = b.CreateFCmpOLT(size, NumberLike(y, 5000));
        return ScaleByInstruction(lanes, x,
                                  b.CreateSelect(small, y, NumberLike(y, 1)));
      },
      [](T x, T y) {
        const T n = std::fabs(y) < 5000 ? std::floor(y) : 1;
        return std::ldexp(x, static_cast<int>(n));
      },
      UsesAvx512);
  const char* const range = sizeof(T) == 4
                                ? "Intrinsic::x86_avx512_mask_range_ps_128 "
                                  "Intrinsic::x86_avx512_mask_range_ps_256 "
                                  "Intrinsic::x86_avx512_mask_range_ps_512"
                                : "Intrinsic::x86_avx512_mask_range_pd_128 "
                                  "Intrinsic::x86_avx512_mask_range_pd_256 "
                                  "Intrinsic::x86_avx512_mask_range_pd_512";
  const auto extreme = [](Builder& b, Value* x, Value* y, bool greater) {
    FloatLanes lanes(b, WithAvx512(), x->getType());
    return b.CreateSelect(b.CreateFCmpUNO(x, y), lanes.NaN(),
                          ExtremeByInstruction(lanes, x, y, greater));
  };
  table.Binary<T, T>(
      range,
      [extreme](Builder& b, Value* x, Value* y) -> Value* {
        return extreme(b, x, y, /*greater=*/true);
      },
      Larger<T>, UsesAvx512);
  table.Binary<T, T>(
      range,
      [extreme](Builder& b, Value* x, Value* y) -> Value* {
        return extreme(b, x, y, /*greater=*/false);
      },
      Smaller<T>, UsesAvx512);
  static constexpr double kEntries[16] = {3, 1, 4,  1.5, 9,  -2, 6,  5,
                                          0, 7, -8, 2.5, 11, 12, 13, 14};
  table.Unary<T, T>(
      sizeof(T) == 8 ? "Intrinsic::x86_avx512_vpermi2var_pd_512"
                     : "Intrinsic::x86_avx512_permvar_sf_512",
      [](Builder& b, Value* x) -> Value* {
        FloatLanes lanes(b, WithAvx512(), x->getType());
        return LookUpByInstruction(lanes, kEntries, lanes.Bits(x));
      },
      [](T x) { return static_cast<T>(kEntries[BitsOfNumber(x) % 16]); },
      UsesAvx512);
  if (sizeof(T) == 8) return;
  table.Unary<T, T>(
      "Intrinsic::x86_avx512_rcp14_ps_128 Intrinsic::x86_avx512_rcp14_ps_256 "
      "Intrinsic::x86_avx512_rcp14_ps_512",
      [](Builder& b, Value* x) -> Value* {
        FloatLanes lanes(b, WithAvx512(), x->getType());
        Value* size = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
        Value* usual = b.CreateAnd(b.CreateFCmpOGT(size, NumberLike(x, 1e-30)),
                                   b.CreateFCmpOLT(size, NumberLike(x, 1e30)));
        return ReciprocalByEstimate(lanes,
                                    b.CreateSelect(usual, x, NumberLike(x, 1)));
      },
      [](T x) {
        const T size = std::fabs(x);
        return size > T(1e-30) && size < T(1e30) ? 1 / x : 1;
      },
      UsesAvx512, /*tolerance=*/1e-6);
}

template <typename T>
void AddSpecialFloats(std::vector<uint64_t>& bits) {
  using Limits = std::numeric_limits<T>;
  for (const double x :
       {0.0, 0.5, 1.0, 1.5, 2.5, 3.5, 7.0, 100.25, 65504.0, 2147483520.0,
        2147483647.5, 4294967040.0, 9.2e18, 1.8e19, 1e-3, 0.49999997}) {
    bits.push_back(BitsOfNumber(static_cast<T>(x)));
    bits.push_back(BitsOfNumber(static_cast<T>(-x)));
  }
  const T ones[] = {Limits::infinity(), Limits::quiet_NaN(), Limits::max(),
                    Limits::min(), Limits::denorm_min()};
  for (const T x : ones) {
    bits.push_back(BitsOfNumber(x));
    bits.push_back(BitsOfNumber(static_cast<T>(-x)));
  }
}

}  // namespace

int LaneBits(LaneType type) {
  switch (type) {
    case LaneType::kI1:
    case LaneType::kI8:
      return 8;
    case LaneType::kI16:
    case LaneType::kF16:
      return 16;
    case LaneType::kI32:
    case LaneType::kF32:
      return 32;
    case LaneType::kI64:
    case LaneType::kF64:
      return 64;
  }
  return 0;
}

llvm::Type* ScalarOf(llvm::LLVMContext& context, LaneType type) {
  switch (type) {
    case LaneType::kI1:
      return llvm::Type::getInt1Ty(context);
    case LaneType::kF16:
      return llvm::Type::getHalfTy(context);
    case LaneType::kF32:
      return llvm::Type::getFloatTy(context);
    case LaneType::kF64:
      return llvm::Type::getDoubleTy(context);
    default:
      return llvm::Type::getIntNTy(context, LaneBits(type));
  }
}

std::vector<LlvmOperation> LlvmOperations() {
  OperationTable table;
  AddFloatArithmetic<float>(table);
  AddFloatArithmetic<double>(table);
  AddFloatComparisons<float>(table);
  AddFloatComparisons<double>(table);
  AddConversions(table);
  AddHalves(table);
  AddIntegerArithmetic<uint8_t>(table);
  AddIntegerArithmetic<uint16_t>(table);
  AddIntegerArithmetic<uint32_t>(table);
  AddIntegerArithmetic<uint64_t>(table);
  AddIntegerDivision<uint32_t>(table);
  AddIntegerDivision<uint64_t>(table);
  AddIntegerComparisons<uint8_t>(table);
  AddIntegerComparisons<uint16_t>(table);
  AddIntegerComparisons<uint32_t>(table);
  AddIntegerComparisons<uint64_t>(table);
  AddWidths<uint8_t, uint16_t>(table);
  AddWidths<uint8_t, uint32_t>(table);
  AddWidths<uint8_t, uint64_t>(table);
  AddWidths<uint16_t, uint32_t>(table);
  AddWidths<uint32_t, uint64_t>(table);
  AddAvx512<float>(table);
  AddAvx512<double>(table);
  return table.Take();
}

std::vector<std::string> LlvmMovements() {
  return {// LlvmOperationsTest.Movements and EmitOperation above it.
          "CreateAlignedLoad", "CreateAlignedStore", "CreateMaskedLoad",
          "CreateMaskedStore", "CreateMaskedGather", "CreateMaskedScatter",
          "CreateShuffleVector", "CreateExtractElement", "CreateInsertElement",
          "CreateMemCpy", "CreateOrReduce", "CreateBr", "CreateCondBr",
          "CreatePHI", "CreateGEP", "CreateInBoundsGEP",
          "CreateConstInBoundsGEP1_64", "CreateRet", "CreateRetVoid",
          // These compute no values; every program of tests/ops shows their
          // effect.
          "CreateLoad", "CreateStore", "CreateAlloca", "CreateCall",
          "CreateSwitch", "CreateInsertValue", "CreateExtractValue",
          "CreateVectorSplat", "Intrinsic::prefetch",
          "Intrinsic::x86_sse_sfence",
          // The intrinsics that these create are listed by name elsewhere.
          "CreateIntrinsic", "CreateUnaryIntrinsic", "CreateBinaryIntrinsic"};
}

// None of these changes the results of arithmetic.
std::vector<std::string> LlvmFlags() {
  return {
      // Fast-math flags are cleared where a caller could have set them, and
      // nothing is contracted: jit/README.md, invariants.
      "FastMathFlag", "clearFastMathFlags", "FPOpFusion::Strict",
      // Flags of addresses, which lie within their arrays, and of the division
      // of a multiple; LlvmOperationsTest covers them.
      "CreateInBoundsGEP", "CreateConstInBoundsGEP1_64", "CreateExactSDiv",
      // Facts about memory, from buffer assignment; random programs cover them.
      "LLVMContext::MD_invariant_load", "LLVMContext::MD_nontemporal",
      // Attributes of kernels and of the functions that they call.
      "Attribute::NoAlias", "Attribute::ReadOnly", "Attribute::NoUnwind",
      "Attribute::NoInline", "Attribute::WillReturn", "Attribute::AlwaysInline",
      "Attribute::UWTable", "setDoesNotAccessMemory", "setDoesNotThrow",
      "\"prefer-vector-width\"", "\"min-legal-vector-width\"",
      "\"prefer-256-bit\"",
      // Metadata that keeps passes from changing loops.
      "LLVMContext::MD_loop", "\"llvm.loop.unroll.\"",
      "\"llvm.loop.unroll.disable\""};
}

std::vector<uint64_t> SpecialBits(LaneType type) {
  std::vector<uint64_t> bits;
  switch (type) {
    case LaneType::kF16:
      AddSpecialFloats<half>(bits);
      return bits;
    case LaneType::kF32:
      AddSpecialFloats<float>(bits);
      return bits;
    case LaneType::kF64:
      AddSpecialFloats<double>(bits);
      return bits;
    default:
      break;
  }
  const int width = LaneBits(type);
  const uint64_t all = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  for (const uint64_t x :
       {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{7},
        uint64_t{100}, all >> 1, all / 3, uint64_t{0x123456789abcdef1}}) {
    bits.push_back(x & all);
    bits.push_back(~x & all);
    bits.push_back(((all >> 1) + 1 + x) & all);
  }
  return bits;
}

bool SameResult(LaneType type, uint64_t a, uint64_t b, double tolerance) {
  if (a == b) return true;
  const auto same = [&](auto x, auto y) {
    const double p = static_cast<double>(x), q = static_cast<double>(y);
    return (std::isnan(p) && std::isnan(q)) ||
           (tolerance > 0 && std::fabs(p - q) <= tolerance * std::fabs(q));
  };
  switch (type) {
    case LaneType::kF16:
      return same(NumberOf<half>(a), NumberOf<half>(b));
    case LaneType::kF32:
      return same(NumberOf<float>(a), NumberOf<float>(b));
    case LaneType::kF64:
      return same(NumberOf<double>(a), NumberOf<double>(b));
    default:
      return false;
  }
}

}  // namespace xla::cpu
