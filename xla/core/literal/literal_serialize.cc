// Writes literals as bytes and reads them, in the format of LiteralBase's
// Serialize.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

static_assert(std::endian::native == std::endian::little,
              "elements are written as they lie in memory");

// Elements that share a byte: 0 if they do not.
int ElementsPerByte(PrimitiveType type) {
  const int bits = primitive_util::BitWidth(type);
  return bits < 8 && 8 % bits == 0 ? 8 / bits : 0;
}

void AppendElements(const LiteralPiece& piece, std::string* out) {
  const PrimitiveType type = piece.shape->element_type();
  const int per_byte = ElementsPerByte(type);
  if (per_byte == 0) {
    out->append(piece.buffer, piece.size_bytes());
    return;
  }
  const int bits = 8 / per_byte;
  const int mask = (1 << bits) - 1;
  const int64_t count = piece.element_count();
  for (int64_t i = 0; i < count; i += per_byte) {
    int byte = 0;
    for (int j = 0; j < per_byte && i + j < count; ++j) {
      byte |= (piece.buffer[i + j] & mask) << (j * bits);
    }
    out->push_back(static_cast<char>(byte));
  }
}

// Takes `size` bytes from the front of `data`. Errors: InvalidArgument if there
// are fewer.
absl::StatusOr<absl::string_view> Take(uint64_t size, absl::string_view what,
                                       absl::string_view& data) {
  if (size > data.size()) {
    return InvalidArgument("serialized literal: %s takes %d bytes of %d", what,
                           size, data.size());
  }
  const absl::string_view taken = data.substr(0, size);
  data.remove_prefix(size);
  return taken;
}

absl::Status ReadSizes(LiteralPiece& piece, absl::string_view& data) {
  if (!piece.shape->is_dynamic()) return absl::OkStatus();
  const int rank = piece.shape->dimensions_size();
  TF_ASSIGN_OR_RETURN(absl::string_view bytes,
                      Take(rank * sizeof(int32_t), "dynamic sizes", data));
  std::memcpy(piece.dynamic_sizes, bytes.data(), bytes.size());
  for (int i = 0; i < rank; ++i) {
    const int32_t size = piece.dynamic_sizes[i];
    if (size < 0 || size > piece.shape->dimensions(i)) {
      return InvalidArgument(
          "serialized literal: size %d of dimension %d of %s", size, i,
          piece.shape->ToString());
    }
  }
  return absl::OkStatus();
}

absl::Status ReadElements(LiteralPiece& piece, absl::string_view& data) {
  const PrimitiveType type = piece.shape->element_type();
  const int per_byte = ElementsPerByte(type);
  if (per_byte == 0) {
    TF_ASSIGN_OR_RETURN(absl::string_view bytes,
                        Take(piece.size_bytes(), "an array", data));
    std::copy(bytes.begin(), bytes.end(), piece.buffer);
    return absl::OkStatus();
  }
  const int bits = 8 / per_byte;
  const int64_t count = piece.element_count();
  TF_ASSIGN_OR_RETURN(
      absl::string_view bytes,
      Take(CeilOfRatio<int64_t>(count, per_byte), "an array", data));
  // Integers with a sign are kept with their sign in all of the byte.
  const bool is_signed = primitive_util::IsSignedIntegralType(type);
  for (int64_t i = 0; i < count; ++i) {
    const int high = static_cast<uint8_t>(bytes[i / per_byte])
                     << (8 - bits - i % per_byte * bits);
    piece.buffer[i] = is_signed ? static_cast<int8_t>(high) >> (8 - bits)
                                : static_cast<uint8_t>(high) >> (8 - bits);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status LiteralBase::SerializeToString(std::string* output) const {
  const ShapeProto proto = shape().ToProto();
  TF_ASSIGN_OR_RETURN(const int64_t size,
                      ShapeUtil::SerializedSizeWithProto(shape(), proto));
  if (!IsKnown()) {
    return InvalidArgument("a literal without values cannot be serialized");
  }
  const std::string shape_bytes = proto.SerializeAsString();
  const uint64_t shape_size = shape_bytes.size();
  output->clear();
  output->reserve(size);
  output->append(reinterpret_cast<const char*>(&shape_size),
                 sizeof(shape_size));
  output->append(shape_bytes);
  ForEachPiece(root_piece(), [&](const LiteralPiece& p) {
    if (!p.shape->IsArray()) return;
    for (int i = 0; p.shape->is_dynamic() && i < p.shape->dimensions_size();
         ++i) {
      const int32_t current = static_cast<int32_t>(p.dynamic_size(i));
      output->append(reinterpret_cast<const char*>(&current), sizeof(current));
    }
    AppendElements(p, output);
  });
  return absl::OkStatus();
}

absl::StatusOr<std::string> LiteralBase::SerializeAsString() const {
  std::string result;
  TF_RETURN_IF_ERROR(SerializeToString(&result));
  return result;
}

absl::StatusOr<Literal> Literal::DeserializeFromString(absl::string_view data) {
  uint64_t shape_size = 0;
  TF_ASSIGN_OR_RETURN(absl::string_view header,
                      Take(sizeof(shape_size), "the size of the shape", data));
  std::memcpy(&shape_size, header.data(), sizeof(shape_size));
  TF_ASSIGN_OR_RETURN(absl::string_view shape_bytes,
                      Take(shape_size, "the shape", data));
  ShapeProto proto;
  if (!proto.ParseFromString(std::string(shape_bytes))) {
    return InvalidArgument("serialized literal: the shape is no ShapeProto");
  }
  TF_ASSIGN_OR_RETURN(Shape shape, Shape::FromProto(proto));
  // Check the size before memory is allocated.
  TF_ASSIGN_OR_RETURN(const int64_t size,
                      ShapeUtil::SerializedSizeWithProto(shape, proto));
  const uint64_t body = size - sizeof(shape_size) - proto.ByteSizeLong();
  if (data.size() != body) {
    return InvalidArgument(
        "serialized literal: %d bytes for %s, which takes %d", data.size(),
        shape.ToString(), body);
  }
  TF_ASSIGN_OR_RETURN(Literal result, Make(DenseLiteralShape(shape)));
  absl::Status status = absl::OkStatus();
  ForEachPiece(*result.root_, [&](LiteralPiece& p) {
    if (!p.shape->IsArray() || !status.ok()) return;
    status = ReadSizes(p, data);
    if (status.ok()) status = ReadElements(p, data);
  });
  TF_RETURN_IF_ERROR(status);
  return result;
}

}  // namespace xla
