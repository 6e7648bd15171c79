// Comparisons: their defaults, their inverses and their names.
#include "xla/core/comparison.h"

#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/core/primitive_util.h"

namespace xla {
namespace {

using Direction = Comparison::Direction;
using Type = Comparison::Type;
using Order = Comparison::Order;

bool IsFloat(PrimitiveType type) {
  return primitive_util::IsFloatingPointType(type) ||
         primitive_util::IsComplexType(type);
}

Order DefaultOrder(PrimitiveType type) {
  return IsFloat(type) ? Order::kPartial : Order::kTotal;
}

}  // namespace

Comparison::Comparison(Direction dir, PrimitiveType type)
    : dir_(dir), primitive_type_(type), order_(DefaultOrder(type)) {}

Comparison::Comparison(Direction dir, Type type) : dir_(dir) {
  switch (type) {
    case Type::kFloat:
    case Type::kFloatTotalOrder:
      primitive_type_ = F32;
      break;
    case Type::kSigned:
      primitive_type_ = S32;
      break;
    case Type::kUnsigned:
      primitive_type_ = U32;
      break;
  }
  order_ = type == Type::kFloat ? Order::kPartial : Order::kTotal;
}

Comparison::Type Comparison::DefaultComparisonType(PrimitiveType type) {
  return ::xla::DefaultComparisonType(type);
}

Comparison::Type DefaultComparisonType(PrimitiveType type) {
  if (IsFloat(type)) return Type::kFloat;
  return primitive_util::IsSignedIntegralType(type) ? Type::kSigned
                                                    : Type::kUnsigned;
}

Comparison::Type Comparison::GetType() const {
  const Type type = DefaultComparisonType(primitive_type_);
  return type == Type::kFloat && IsTotalOrder() ? Type::kFloatTotalOrder : type;
}

bool Comparison::IsReflexive() const {
  // NaN is not equal to itself in the partial order.
  return IsTotalOrder() && (IsEq() || IsGe() || IsLe());
}

bool Comparison::IsAntireflexive() const {
  return IsGt() || IsLt() || (IsNe() && IsTotalOrder());
}

Comparison Comparison::Converse() const {
  switch (dir_) {
    case Direction::kEq:
    case Direction::kNe:
      return *this;
    case Direction::kGe:
      return Comparison(Direction::kLe, primitive_type_, order_);
    case Direction::kGt:
      return Comparison(Direction::kLt, primitive_type_, order_);
    case Direction::kLe:
      return Comparison(Direction::kGe, primitive_type_, order_);
    case Direction::kLt:
      return Comparison(Direction::kGt, primitive_type_, order_);
  }
  return *this;
}

std::optional<Comparison> Comparison::Inverse() const {
  if (IsPartialOrder() && !IsEq() && !IsNe()) return std::nullopt;
  Direction inverse = dir_;
  switch (dir_) {
    case Direction::kEq:
      inverse = Direction::kNe;
      break;
    case Direction::kNe:
      inverse = Direction::kEq;
      break;
    case Direction::kGe:
      inverse = Direction::kLt;
      break;
    case Direction::kGt:
      inverse = Direction::kLe;
      break;
    case Direction::kLe:
      inverse = Direction::kGt;
      break;
    case Direction::kLt:
      inverse = Direction::kGe;
      break;
  }
  return Comparison(inverse, primitive_type_, order_);
}

std::string Comparison::ToString(std::string prefix1, std::string prefix2,
                                 std::string prefix3) const {
  return absl::StrCat(prefix1, ComparisonDirectionToString(dir_), prefix2,
                      ComparisonPrimitiveTypeToString(primitive_type_), prefix3,
                      ComparisonOrderToString(order_));
}

std::string ComparisonDirectionToString(Comparison::Direction direction) {
  switch (direction) {
    case Direction::kEq:
      return "EQ";
    case Direction::kNe:
      return "NE";
    case Direction::kGe:
      return "GE";
    case Direction::kGt:
      return "GT";
    case Direction::kLe:
      return "LE";
    case Direction::kLt:
      return "LT";
  }
  return "";
}

absl::StatusOr<Comparison::Direction> StringToComparisonDirection(
    absl::string_view direction) {
  for (Direction d : {Direction::kEq, Direction::kNe, Direction::kGe,
                      Direction::kGt, Direction::kLe, Direction::kLt}) {
    if (ComparisonDirectionToString(d) == direction) return d;
  }
  return InvalidArgument("unknown comparison direction '%s'", direction);
}

std::string ComparisonTypeToString(Comparison::Type type) {
  switch (type) {
    case Type::kFloat:
      return "FLOAT";
    case Type::kFloatTotalOrder:
      return "TOTALORDER";
    case Type::kSigned:
      return "SIGNED";
    case Type::kUnsigned:
      return "UNSIGNED";
  }
  return "";
}

absl::StatusOr<Comparison::Type> StringToComparisonType(
    absl::string_view comparison) {
  for (Type t :
       {Type::kFloat, Type::kFloatTotalOrder, Type::kSigned, Type::kUnsigned}) {
    if (ComparisonTypeToString(t) == comparison) return t;
  }
  return InvalidArgument("unknown comparison type '%s'", comparison);
}

absl::string_view ComparisonPrimitiveTypeToString(PrimitiveType type) {
  return PrimitiveType_Name(type);
}

absl::string_view ComparisonOrderToString(Comparison::Order order) {
  return order == Order::kTotal ? "TOTALORDER" : "PARTIALORDER";
}

absl::StatusOr<Comparison::Order> StringToComparisonOrder(
    absl::string_view order) {
  if (order == "TOTALORDER") return Order::kTotal;
  if (order == "PARTIALORDER") return Order::kPartial;
  return InvalidArgument("unknown comparison order '%s'", order);
}

std::ostream& operator<<(std::ostream& out, const Comparison& comparison) {
  return out << comparison.ToString();
}

}  // namespace xla
