// Reads !quant.uniform<...>, quantized per tensor, per index of an axis, or per
// block.
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/stablehlo/text/attribute_reader.h"

namespace xla::stablehlo {
namespace {

// Only i4 and u4 are spelled without MLIR's own prefix "ui".
PrimitiveType StorageTypeOfName(absl::string_view name) {
  if (!name.empty() && name[0] == 'u') {
    return ElementTypeOfName(absl::StrCat("ui", name.substr(1)));
  }
  return ElementTypeOfName(name);
}

}  // namespace

// "i8", "u8", "i8<-127:127>"
absl::Status AttributeReader::ReadStorage(QuantizedType* type) {
  const Token token = lexer_.token();
  TF_RETURN_IF_ERROR(lexer_.Take(TokenKind::kWord, "a storage type").status());
  type->storage_type = StorageTypeOfName(token.text);
  if (!primitive_util::IsIntegralType(type->storage_type)) {
    return lexer_.ErrorAt(
        token.offset, absl::StrCat("expected an integer storage type, got '",
                                   token.text, "'"));
  }
  const int bits = primitive_util::BitWidth(type->storage_type);
  const bool is_signed =
      primitive_util::IsSignedIntegralType(type->storage_type);
  const uint64_t ones = ~uint64_t{0} >> (64 - bits);
  type->storage_max =
      static_cast<int64_t>((is_signed || bits == 64) ? ones >> 1 : ones);
  type->storage_min = is_signed ? -type->storage_max - 1 : 0;
  if (!lexer_.TryConsume('<')) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(type->storage_min, lexer_.TakeInteger());
  TF_RETURN_IF_ERROR(lexer_.Expect(':'));
  TF_ASSIGN_OR_RETURN(type->storage_max, lexer_.TakeInteger());
  if (type->storage_min >= type->storage_max) {
    return lexer_.ErrorAt(token.offset, "the storage range is empty");
  }
  return lexer_.Expect('>');
}

// "{0:2, 1:4}"
absl::Status AttributeReader::ReadBlocks(std::vector<int64_t>* axes,
                                         std::vector<int64_t>* sizes) {
  TF_RETURN_IF_ERROR(lexer_.Expect('{'));
  if (lexer_.TryConsume('}')) return absl::OkStatus();
  do {
    TF_ASSIGN_OR_RETURN(axes->emplace_back(), lexer_.TakeInteger());
    TF_RETURN_IF_ERROR(lexer_.Expect(':'));
    TF_ASSIGN_OR_RETURN(sizes->emplace_back(), lexer_.TakeInteger());
    if (axes->back() < 0 || sizes->back() <= 0) {
      return lexer_.Error("axes are not negative and block sizes positive");
    }
  } while (lexer_.TryConsume(','));
  return lexer_.Expect('}');
}

// Reads "0.5:3", "0.5", or a list of these in braces, nested for blocks.
absl::Status AttributeReader::ReadScales(std::vector<double>* scales,
                                         std::vector<int64_t>* zero_points) {
  const Nesting nesting(*this);
  TF_RETURN_IF_ERROR(CheckDepth());
  if (lexer_.TryConsume('{')) {
    if (lexer_.TryConsume('}')) return absl::OkStatus();
    do {
      TF_RETURN_IF_ERROR(ReadScales(scales, zero_points));
    } while (lexer_.TryConsume(','));
    return lexer_.Expect('}');
  }
  const Token token = lexer_.token();
  const bool number =
      token.kind == TokenKind::kFloat || token.kind == TokenKind::kInteger;
  double scale = 0;
  if (!number || !absl::SimpleAtod(token.text, &scale) || scale <= 0) {
    return lexer_.Expected("a positive scale");
  }
  lexer_.Advance();
  scales->push_back(scale);
  zero_points->push_back(0);
  if (!lexer_.TryConsume(':')) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(zero_points->back(), lexer_.TakeInteger());
  return absl::OkStatus();
}

absl::StatusOr<const QuantizedType*> AttributeReader::ReadQuantizedType() {
  QuantizedType type{};
  type.axis = -1;
  lexer_.Advance();
  TF_RETURN_IF_ERROR(lexer_.Expect('<'));
  TF_RETURN_IF_ERROR(ReadStorage(&type));
  TF_RETURN_IF_ERROR(lexer_.Expect(':'));
  TF_ASSIGN_OR_RETURN(const absl::string_view expressed,
                      lexer_.Take(TokenKind::kWord, "a type"));
  type.expressed_type = ElementTypeOfName(expressed);
  if (!primitive_util::IsFloatingPointType(type.expressed_type)) {
    return lexer_.Error("the expressed type must be a float");
  }
  const bool per_tensor = !lexer_.TryConsume(':');
  std::vector<int64_t> axes, block_sizes, zero_points;
  std::vector<double> scales;
  if (!per_tensor && lexer_.Is('{')) {
    TF_RETURN_IF_ERROR(ReadBlocks(&axes, &block_sizes));
  } else if (!per_tensor) {
    TF_ASSIGN_OR_RETURN(type.axis, lexer_.TakeInteger());
    if (type.axis < 0) return lexer_.Error("the axis is negative");
  }
  TF_RETURN_IF_ERROR(lexer_.Expect(','));
  TF_RETURN_IF_ERROR(ReadScales(&scales, &zero_points));
  if (scales.empty() || (per_tensor && scales.size() != 1)) {
    return lexer_.Error("expected one scale for the tensor");
  }
  TF_RETURN_IF_ERROR(lexer_.Expect('>'));
  type.axes = arena_.Copy(axes);
  type.block_sizes = arena_.Copy(block_sizes);
  type.scales = arena_.Copy(scales);
  type.zero_points = arena_.Copy(zero_points);
  return arena_.New(type);
}

}  // namespace xla::stablehlo
