// The elements of a byte are one more dimension between the two conversions.
#include "xla/hlo/transforms/layout/packed_bits.h"

#include <vector>

#include "xla/core/primitive_util.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;

}  // namespace

int64_t ElementsInByte(PrimitiveType type) {
  return 8 / primitive_util::BitWidth(type);
}

Hlo PackIntoBytes(HloBuilder& emit, Hlo array) {
  const int64_t in_byte = ElementsInByte(array->shape().element_type());
  Dims bytes(array->shape().dimensions().begin(),
             array->shape().dimensions().end());
  bytes.back() /= in_byte;
  Dims split = bytes;
  split.push_back(in_byte);
  return emit.Add(HloOpcode::kBitcastConvert, emit.MakeShape(U8, bytes),
                  {emit.Reshape(array, split)});
}

Hlo UnpackBytes(HloBuilder& emit, Hlo bytes, PrimitiveType type) {
  const int64_t in_byte = ElementsInByte(type);
  Dims sizes(bytes->shape().dimensions().begin(),
             bytes->shape().dimensions().end());
  Dims split = sizes;
  split.push_back(in_byte);
  sizes.back() *= in_byte;
  return emit.Reshape(emit.Add(HloOpcode::kBitcastConvert,
                               emit.MakeShape(type, split), {bytes}),
                      sizes);
}

}  // namespace xla
