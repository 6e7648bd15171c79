// Comparison: a direction and the order that it refers to. It knows no values
// except in Compare, which the evaluator applies to each element.
#ifndef XLA_CORE_COMPARISON_H_
#define XLA_CORE_COMPARISON_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/base/float_bits.h"
#include "xla/base/types.h"
#include "xla/core/primitive_util.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

enum class ComparisonDirection : uint8_t { kEq, kNe, kGe, kGt, kLe, kLt };
enum class ComparisonOrder : uint8_t { kTotal, kPartial };

// A comparison of two values of one element type. Under the partial order of
// floating-point numbers NaN is unequal to everything; under the total one
// -NaN < -inf < ... < -0 < +0 < ... < inf < NaN.
class Comparison {
 public:
  using Direction = ComparisonDirection;
  using Order = ComparisonOrder;
  // The type attribute of HLO text, which combines the order and the kind of
  // number.
  enum class Type : uint8_t { kFloat, kFloatTotalOrder, kSigned, kUnsigned };

  Comparison() = delete;
  // Floats get the partial order, all other types the total order.
  Comparison(Direction dir, PrimitiveType type);
  Comparison(Direction dir, PrimitiveType type, Order order)
      : dir_(dir), primitive_type_(type), order_(order) {}
  // Compares elements of the widest type of that kind.
  Comparison(Direction dir, Type type);

  Direction GetDirection() const { return dir_; }
  PrimitiveType GetPrimitiveType() const { return primitive_type_; }
  Order GetOrder() const { return order_; }
  Type GetType() const;

  bool IsEq() const { return dir_ == Direction::kEq; }
  bool IsNe() const { return dir_ == Direction::kNe; }
  bool IsGe() const { return dir_ == Direction::kGe; }
  bool IsGt() const { return dir_ == Direction::kGt; }
  bool IsLe() const { return dir_ == Direction::kLe; }
  bool IsLt() const { return dir_ == Direction::kLt; }
  bool IsTotalOrder() const { return order_ == Order::kTotal; }
  bool IsPartialOrder() const { return order_ == Order::kPartial; }
  bool IsF32TotalOrder() const {
    return primitive_type_ == F32 && IsTotalOrder();
  }
  // Standard: of that type, in the order that the type has by default.
  bool IsStandardF32() const {
    return primitive_type_ == F32 && IsPartialOrder();
  }
  bool IsStandardS32() const {
    return primitive_type_ == S32 && IsTotalOrder();
  }
  bool IsStandardU32() const {
    return primitive_type_ == U32 && IsTotalOrder();
  }
  bool IsIntegralPrimitiveType() const {
    return primitive_util::IsIntegralType(primitive_type_);
  }
  bool IsFloatingPointPrimitiveType() const {
    return primitive_util::IsFloatingPointType(primitive_type_);
  }

  // Returns true if x dir x holds for all x.
  bool IsReflexive() const;
  bool IsAntireflexive() const;
  // Returns the comparison with its operands swapped: y < x for x > y.
  Comparison Converse() const;
  // Returns the negation, if there is one: because of NaN, x >= y does not
  // negate x < y.
  std::optional<Comparison> Inverse() const;

  // Returns "LT" or, with types, parts such as ".LT.F32.PARTIALORDER", as XLA
  // does.
  std::string ToString(std::string prefix1 = ".", std::string prefix2 = ".",
                       std::string prefix3 = ".") const;

  template <typename T>
  std::function<bool(T, T)> GetComparator() const {
    switch (dir_) {
      case Direction::kEq:
        return std::equal_to<T>();
      case Direction::kNe:
        return std::not_equal_to<T>();
      case Direction::kGe:
        return std::greater_equal<T>();
      case Direction::kGt:
        return std::greater<T>();
      case Direction::kLe:
        return std::less_equal<T>();
      case Direction::kLt:
        return std::less<T>();
    }
    return nullptr;
  }

  // Compares two values, floats in the comparison's order.
  template <typename T>
  bool Compare(const T a, const T b) const {
    if constexpr (is_specialized_floating_point_v<T>) {
      if (IsTotalOrder()) {
        return GetComparator<int64_t>()(TotalOrderKey(a), TotalOrderKey(b));
      }
    }
    return GetComparator<T>()(a, b);
  }
  static Type DefaultComparisonType(PrimitiveType type);

  bool operator==(const Comparison& other) const {
    return dir_ == other.dir_ && primitive_type_ == other.primitive_type_ &&
           order_ == other.order_;
  }
  bool operator!=(const Comparison& other) const { return !(*this == other); }
  template <typename H>
  friend H AbslHashValue(H h, const Comparison& c) {
    return H::combine(std::move(h), static_cast<int>(c.dir_),
                      static_cast<int>(c.primitive_type_),
                      static_cast<int>(c.order_));
  }

 private:
  // Maps floats to integers in their total order.
  template <typename T>
  static int64_t TotalOrderKey(T value) {
    const auto [sign, magnitude] = SignAndMagnitude(value);
    const auto key = static_cast<int64_t>(magnitude);
    return sign != 0 ? -1 - key : key;
  }

  Direction dir_;
  PrimitiveType primitive_type_;
  Order order_;
};

// "EQ", "NE", "GE", "GT", "LE", "LT". Errors: InvalidArgument.
std::string ComparisonDirectionToString(Comparison::Direction direction);
absl::StatusOr<Comparison::Direction> StringToComparisonDirection(
    absl::string_view direction);
// "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED".
std::string ComparisonTypeToString(Comparison::Type type);
absl::StatusOr<Comparison::Type> StringToComparisonType(
    absl::string_view comparison);
absl::string_view ComparisonPrimitiveTypeToString(PrimitiveType type);
// "TOTALORDER", "PARTIALORDER".
absl::string_view ComparisonOrderToString(Comparison::Order order);
absl::StatusOr<Comparison::Order> StringToComparisonOrder(
    absl::string_view order);

// Returns the type of a comparison of `type` elements that states none.
Comparison::Type DefaultComparisonType(PrimitiveType type);

std::ostream& operator<<(std::ostream& out, const Comparison& comparison);

}  // namespace xla

#endif  // XLA_CORE_COMPARISON_H_
