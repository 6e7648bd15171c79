// Chooses the elements, panels and sums for the types of a product.
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {
namespace {

// Whether all values of the type are bfloat16s that are not subnormal.
bool FitsBf16(PrimitiveType type) {
  if (primitive_util::IsFloatingPointType(type)) {
    return type == BF16 ||
           (primitive_util::BitWidth(type) <= 8 && type != F8E8M0FNU);
  }
  return !primitive_util::IsComplexType(type) &&
         primitive_util::BitWidth(type) <= 8;
}

// For integers of at most 8 bits.
ProductKind KindOfTiles(PrimitiveType lhs, PrimitiveType rhs) {
  const bool left_signed = primitive_util::IsSignedIntegralType(lhs);
  const bool right_signed = primitive_util::IsSignedIntegralType(rhs);
  const PanelType panel =
      left_signed
          ? (right_signed ? PanelType::kS8Tiles : PanelType::kS8U8Tiles)
          : (right_signed ? PanelType::kU8S8Tiles : PanelType::kU8Tiles);
  ProductKind kind = {right_signed ? S8 : U8, panel, U32, /*is_complex=*/false,
                      /*group=*/4};
  kind.left = left_signed ? S8 : U8;
  return kind;
}

// ProductKindOf without the kernels.
ProductKind KindOfTypes(PrimitiveType lhs, PrimitiveType rhs,
                        PrimitiveType out) {
  const auto any = [&](auto predicate) {
    return predicate(lhs) || predicate(rhs);
  };
  const auto is_double = [](PrimitiveType t) { return t == F64 || t == C128; };
  const bool wide = any(is_double) || is_double(out);
  const PanelType real = wide ? PanelType::kF64 : PanelType::kF32;
  if (any(primitive_util::IsComplexType)) {
    const PrimitiveType type = wide ? C128 : C64;
    return {type, real, type, /*is_complex=*/true};
  }
  if (any(primitive_util::IsFloatingPointType)) {
    const PrimitiveType type = wide ? F64 : F32;
    const PanelType pairs = HasMicroKernels(PanelType::kBf16Tiles)
                                ? PanelType::kBf16Tiles
                                : PanelType::kBf16Pairs;
    if (type == F32 && FitsBf16(lhs) && FitsBf16(rhs) &&
        HasMicroKernels(pairs)) {
      return {BF16, pairs, F32, /*is_complex=*/false, /*group=*/2};
    }
    return {type, real, type};
  }
  const bool out_is_integer = primitive_util::IsIntegralType(out);
  if (out_is_integer && primitive_util::BitWidth(out) <= 32) {
    const auto fits_16_bits = [](PrimitiveType t) {
      return primitive_util::BitWidth(t) < 16 || t == S16;
    };
    const auto fits_8_bits = [](PrimitiveType t) {
      return primitive_util::BitWidth(t) <= 8;
    };
    if (fits_8_bits(lhs) && fits_8_bits(rhs) &&
        HasMicroKernels(PanelType::kS8Tiles)) {
      return KindOfTiles(lhs, rhs);
    }
    if (fits_8_bits(lhs) && fits_8_bits(rhs) && rhs != U8 &&
        HasMicroKernels(PanelType::kQuads)) {
      ProductKind kind = {S8, PanelType::kQuads, U32, /*is_complex=*/false,
                          /*group=*/4};
      const bool is_signed = primitive_util::IsSignedIntegralType(lhs);
      kind.shifts_left = is_signed != kHasSignedQuads;
      kind.left = is_signed ? S8 : U8;
      return kind;
    }
    if (fits_16_bits(lhs) && fits_16_bits(rhs)) {
      return {S16, PanelType::kPairs, U32, /*is_complex=*/false, /*group=*/2};
    }
    return {U32, PanelType::kU32, U32};
  }
  const bool has_u64 = any([](PrimitiveType t) { return t == U64; });
  return {U64, PanelType::kU64, out_is_integer || has_u64 ? U64 : S64};
}

}  // namespace

int ProductKind::element_bytes() const {
  return primitive_util::ByteWidth(element);
}

ProductKind ProductKindOf(PrimitiveType lhs, PrimitiveType rhs,
                          PrimitiveType out, const CacheSizes& caches) {
  ProductKind kind = KindOfTypes(lhs, rhs, out);
  kind.kernels = BlockKernelsFor(kind.panel, caches);
  return kind;
}

}  // namespace xla::cpu
