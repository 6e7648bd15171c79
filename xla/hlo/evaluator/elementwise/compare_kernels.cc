// Comparisons of elements.
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

#include "xla/base/types.h"
#include "xla/hlo/evaluator/elementwise/kernels.h"

namespace xla {
namespace {

// Maps floats, or their bits, to integers in the total order. Negative numbers
// count down from -1, since a larger bit pattern is a lesser number.
template <typename T>
auto TotalOrderKey(T x) {
  using Bits = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  const Bits bits = std::bit_cast<Bits>(x);
  return bits < 0 ? std::bit_cast<Bits>(x) ^ std::numeric_limits<Bits>::max()
                  : bits;
}

// Complex numbers in XLA:CPU's order: < and > by real part, then by imaginary
// part; <= and >= by real part alone.
template <typename Strict>
struct ComplexStrict {
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    return Strict()(a.real(), b.real()) ||
           (a.real() == b.real() && Strict()(a.imag(), b.imag()));
  }
};
template <typename Relation>
struct ByRealPart {
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    return Relation()(a.real(), b.real());
  }
};

template <typename T, typename Relation, bool kTotal>
void Compare(const void* const* inputs, void* output, size_t n,
             const KernelParams&) {
  const T* a = static_cast<const T*>(inputs[0]);
  const T* b = static_cast<const T*>(inputs[1]);
  bool* out = static_cast<bool*>(output);
  for (size_t i = 0; i < n; ++i) {
    if constexpr (kTotal) {
      out[i] = Relation()(TotalOrderKey(a[i]), TotalOrderKey(b[i]));
    } else {
      out[i] = Relation()(a[i], b[i]);
    }
  }
}

template <typename T, bool kTotal = false>
KernelFn ChooseComparison(ComparisonDirection direction) {
  switch (direction) {
    case ComparisonDirection::kEq:
      return Compare<T, std::equal_to<>, kTotal>;
    case ComparisonDirection::kNe:
      return Compare<T, std::not_equal_to<>, kTotal>;
    default:
      break;
  }
  if constexpr (is_complex_v<T>) {
    switch (direction) {
      case ComparisonDirection::kGe:
        return Compare<T, ByRealPart<std::greater_equal<>>, false>;
      case ComparisonDirection::kGt:
        return Compare<T, ComplexStrict<std::greater<>>, false>;
      case ComparisonDirection::kLe:
        return Compare<T, ByRealPart<std::less_equal<>>, false>;
      case ComparisonDirection::kLt:
        return Compare<T, ComplexStrict<std::less<>>, false>;
      default:
        break;
    }
  } else {
    switch (direction) {
      case ComparisonDirection::kGe:
        return Compare<T, std::greater_equal<>, kTotal>;
      case ComparisonDirection::kGt:
        return Compare<T, std::greater<>, kTotal>;
      case ComparisonDirection::kLe:
        return Compare<T, std::less_equal<>, kTotal>;
      case ComparisonDirection::kLt:
        return Compare<T, std::less<>, kTotal>;
      default:
        break;
    }
  }
  return nullptr;
}

}  // namespace

KernelFn CompareKernel(ComparisonDirection direction, PrimitiveType type,
                       bool total) {
  switch (type) {
    case PRED:
      return ChooseComparison<bool>(direction);
    case S64:
      return total ? ChooseComparison<int64_t, true>(direction)
                   : ChooseComparison<int64_t>(direction);
    case U64:
      return ChooseComparison<uint64_t>(direction);
    case F32:
      return total ? ChooseComparison<float, true>(direction)
                   : ChooseComparison<float>(direction);
    case F64:
      return total ? ChooseComparison<double, true>(direction)
                   : ChooseComparison<double>(direction);
    case C64:
      return ChooseComparison<complex64>(direction);
    case C128:
      return ChooseComparison<complex128>(direction);
    default:
      return nullptr;
  }
}

}  // namespace xla
