// Element types, operands and dots.
#include "tests/fuzz/contractions/contraction_operands.h"

#include <utility>
#include <vector>

#include "xla/core/primitive_util.h"

namespace xla::fuzz {

ProductTypes DrawTypes(Random& random) {
  static const std::vector<ProductTypes> kUsual = {
      {F32, F32, F32},    {F32, F32, F32},   {F32, F32, F32}, {F64, F64, F64},
      {BF16, BF16, BF16}, {BF16, BF16, F32}, {F16, F16, F16}, {F16, F16, F32},
      {S8, S8, S32},      {S32, S32, S32},   {C64, C64, C64}, {U8, S8, S32}};
  static const std::vector<ProductTypes> kOthers = {
      {C128, C128, C128},
      {U8, U8, S32},
      {S8, U8, S32},
      {U8, U8, U32},
      {S16, S16, S32},
      {S16, S8, S32},
      {U16, U16, U32},
      {U32, U32, U32},
      {S64, S64, S64},
      {U64, U64, U64},
      {S8, S8, S8},
      {U8, U8, U8},
      {S16, S16, S16},
      {S4, S4, S32},
      {U4, U4, U32},
      {S4, S8, S32},
      {S4, BF16, BF16},
      {S8, S8, F32},
      {S32, S32, F32},
      {BF16, S8, F32},
      {S8, BF16, BF16},
      {F32, BF16, F32},
      {BF16, F32, F32},
      {F32, S8, F32},
      {F32, F32, F64},
      {F32, F32, BF16},
      {F64, F32, F64},
      {F16, BF16, F32},
      {C64, C64, C128},
      {F8E4M3FN, F8E4M3FN, F32},
      {F8E5M2, F8E5M2, BF16},
      {F8E4M3FN, F8E5M2, F16},
      {F8E4M3FN, F8E4M3FN, F8E4M3FN},
      {F8E4M3B11FNUZ, BF16, F32},
      {F8E4M3FNUZ, F8E5M2FNUZ, F32},
      {F8E3M4, F8E4M3, F32}};
  return random.Chance(0.65) ? random.Of(kUsual) : random.Of(kOthers);
}

Numbers DrawNumbers(const ProductTypes& types, Random& random) {
  if (IsInteger(types.result)) {
    return random.Of<Numbers>({Numbers::kAny, Numbers::kAny,
                               Numbers::kSmallIntegers, Numbers::kSparse});
  }
  return random.Of<Numbers>({Numbers::kSmallIntegers, Numbers::kSmallIntegers,
                             Numbers::kReal, Numbers::kReal, Numbers::kPositive,
                             Numbers::kWide, Numbers::kSparse,
                             Numbers::kSpecial});
}

namespace {

// A type whose values are values of `type`.
PrimitiveType Narrower(PrimitiveType type, Random& random) {
  switch (type) {
    case F32:
      return random.Of<PrimitiveType>({BF16, F16, S8, U8, S16, F8E4M3FN});
    case F64:
      return random.Of<PrimitiveType>({F32, S32, BF16});
    case BF16:
      return random.Of<PrimitiveType>({S8, F8E5M2});
    case F16:
      return random.Of<PrimitiveType>({S8, U8, F8E4M3FN});
    case S32:
      return random.Of<PrimitiveType>({S8, U8, S16, S4});
    default:
      return type;
  }
}

}  // namespace

Term DrawOperand(TermWriter& w, PrimitiveType type, const Sizes& sizes,
                 Numbers numbers, bool constant, bool computed) {
  Random& random = w.random();
  const int64_t rank = sizes.size();
  const auto plain = [&](PrimitiveType of, const Sizes& dims) {
    return w.Argument(of, dims, numbers, constant);
  };
  if (!computed || rank == 0) return plain(type, sizes);
  switch (random.Below(7)) {
    case 0: {
      const PrimitiveType narrow = Narrower(type, random);
      return w.Convert(plain(narrow, sizes), type);
    }
    case 1: {
      const std::vector<int64_t> order = random.Permutation(rank);
      Sizes inside(rank);
      for (int64_t d = 0; d < rank; ++d) inside[order[d]] = sizes[d];
      return w.Transpose(plain(type, inside), order);
    }
    case 2: {
      Sizes some, dimensions;
      const int64_t missing = random.Below(rank);
      for (int64_t d = 0; d < rank; ++d) {
        if (d == missing) continue;
        some.push_back(sizes[d]);
        dimensions.push_back(d);
      }
      return w.Broadcast(plain(type, some), sizes, dimensions);
    }
    case 3:
      if (primitive_util::IsUnsignedIntegralType(type)) break;
      return w.Negate(plain(type, sizes));
    case 4:
      if (primitive_util::BitWidth(type) <= 8) break;
      return w.Multiply(plain(type, sizes), w.Splat(type, 2, sizes));
    case 5: {
      Sizes flat = {1};
      for (const int64_t size : sizes) flat[0] *= size;
      return w.Reshape(plain(type, flat), sizes);
    }
    default:
      if (primitive_util::BitWidth(type) <= 8) break;
      return w.Add(plain(type, sizes), w.Argument(type, sizes, numbers));
  }
  return plain(type, sizes);
}

namespace {

enum class Role { kBatch, kFree, kContracted };

struct RoleDimension {
  int64_t size;
  Role role;
  int64_t number;  // among those of its role
};

std::vector<RoleDimension> DimensionsOf(const Sizes& batch, const Sizes& first,
                                        Role first_role, const Sizes& second,
                                        Role second_role) {
  std::vector<RoleDimension> all;
  const auto append = [&](const Sizes& sizes, Role role) {
    for (size_t i = 0; i < sizes.size(); ++i) {
      all.push_back({sizes[i], role, static_cast<int64_t>(i)});
    }
  };
  append(batch, Role::kBatch);
  append(first, first_role);
  append(second, second_role);
  return all;
}

void Mix(std::vector<RoleDimension>& dimensions, Random& random) {
  const std::vector<RoleDimension> before = dimensions;
  const std::vector<int64_t> order = random.Permutation(before.size());
  for (size_t d = 0; d < order.size(); ++d) dimensions[d] = before[order[d]];
}

// Where dimension `number` of `role` is.
int64_t Find(const std::vector<RoleDimension>& dimensions, Role role,
             int64_t number) {
  for (size_t d = 0; d < dimensions.size(); ++d) {
    if (dimensions[d].role == role && dimensions[d].number == number) {
      return static_cast<int64_t>(d);
    }
  }
  return -1;
}

Sizes SizesOf(const std::vector<RoleDimension>& dimensions) {
  Sizes sizes;
  for (const RoleDimension& dimension : dimensions) {
    sizes.push_back(dimension.size);
  }
  return sizes;
}

}  // namespace

Numbers BesideOf(Numbers numbers) {
  return numbers == Numbers::kSpecial ? Numbers::kReal : numbers;
}

Term DrawDot(TermWriter& w, const DotSizesList& sizes,
             const ProductTypes& types, const OperandStyle& style) {
  Random& random = w.random();
  const bool transposed = random.Chance(0.25);
  auto lhs = transposed
                 ? DimensionsOf(sizes.batch, sizes.depth, Role::kContracted,
                                sizes.rows, Role::kFree)
                 : DimensionsOf(sizes.batch, sizes.rows, Role::kFree,
                                sizes.depth, Role::kContracted);
  auto rhs = random.Chance(0.4)
                 ? DimensionsOf(sizes.batch, sizes.columns, Role::kFree,
                                sizes.depth, Role::kContracted)
                 : DimensionsOf(sizes.batch, sizes.depth, Role::kContracted,
                                sizes.columns, Role::kFree);
  if (style.any_order && random.Chance(0.7)) Mix(lhs, random);
  if (style.any_order && random.Chance(0.7)) Mix(rhs, random);
  DotDimensionNumbers numbers;
  for (size_t i = 0; i < sizes.batch.size(); ++i) {
    numbers.add_lhs_batch_dimensions(Find(lhs, Role::kBatch, i));
    numbers.add_rhs_batch_dimensions(Find(rhs, Role::kBatch, i));
  }
  for (size_t i = 0; i < sizes.depth.size(); ++i) {
    numbers.add_lhs_contracting_dimensions(Find(lhs, Role::kContracted, i));
    numbers.add_rhs_contracting_dimensions(Find(rhs, Role::kContracted, i));
  }
  const Numbers drawn = DrawNumbers(types, random);
  const Term a =
      DrawOperand(w, types.lhs, SizesOf(lhs), drawn, style.constant_lhs,
                  style.computed && random.Chance(0.5));
  const Term b =
      DrawOperand(w, types.rhs, SizesOf(rhs), BesideOf(drawn),
                  style.constant_rhs, style.computed && random.Chance(0.5));
  return w.Dot(a, b, numbers, types.result);
}

}  // namespace xla::fuzz
