// Ops that make or bundle values: parameters, constants, iota, tuples. The
// builder keeps errors of all functions.
#ifndef XLA_HLO_BUILDER_OPS_VALUES_H_
#define XLA_HLO_BUILDER_OPS_VALUES_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "xla/core/array/array.h"
#include "xla/core/array/array2d.h"
#include "xla/core/array/array3d.h"
#include "xla/core/array/array4d.h"
#include "xla/core/array/bitmap.h"
#include "xla/core/layout.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/builder.h"
#include "xla/hlo/builder/xla_op.h"

namespace xla {

// Adds an argument of the computation. When the computation is built, the
// numbers must be 0, 1, 2, .... `replicated_at_leaf_buffers` tells for each
// leaf whether all replicas pass the same value.
XlaOp Parameter(XlaBuilder* builder, int64_t parameter_number,
                const Shape& shape, const std::string& name);
XlaOp Parameter(XlaBuilder* builder, int64_t parameter_number,
                const Shape& shape, const std::string& name,
                const std::vector<bool>& replicated_at_leaf_buffers);

// Adds the value of a literal; an array of equal elements becomes a broadcast
// scalar.
XlaOp ConstantLiteral(XlaBuilder* builder, const LiteralSlice& literal);

// Returns [size], or the dimensions of `shape`: 0, 1, 2, ... along one
// dimension.
XlaOp Iota(XlaBuilder* builder, const Shape& shape, int64_t iota_dimension);
XlaOp Iota(XlaBuilder* builder, PrimitiveType type, int64_t size);

// Make T0, T1, ... -> (T0, T1, ...), and take it apart.
XlaOp Tuple(XlaBuilder* builder, absl::Span<const XlaOp> elements);
XlaOp GetTupleElement(XlaOp tuple_data, int64_t index);

template <typename NativeT>
XlaOp ConstantR0(XlaBuilder* builder, NativeT value) {
  return ConstantLiteral(builder, LiteralUtil::CreateR0<NativeT>(value));
}
template <typename NativeT>
XlaOp ConstantR1(XlaBuilder* builder, absl::Span<const NativeT> values) {
  return ConstantLiteral(builder, LiteralUtil::CreateR1<NativeT>(values));
}
// Makes PRED[n] from n bits.
XlaOp ConstantR1(XlaBuilder* builder, const tsl::core::Bitmap& values);
// Makes [length], each element `value`.
template <typename NativeT>
XlaOp ConstantR1(XlaBuilder* builder, int64_t length, NativeT value) {
  return ConstantLiteral(
      builder,
      LiteralUtil::CreateFullWithDescendingLayout<NativeT>({length}, value));
}
template <typename NativeT>
XlaOp ConstantR2(XlaBuilder* builder,
                 std::initializer_list<std::initializer_list<NativeT>> values) {
  return ConstantLiteral(builder, LiteralUtil::CreateR2<NativeT>(values));
}
template <typename NativeT>
XlaOp ConstantFromArray(XlaBuilder* builder, const Array<NativeT>& values) {
  return ConstantLiteral(builder,
                         LiteralUtil::CreateFromArray<NativeT>(values));
}
template <typename NativeT>
XlaOp ConstantFromArrayWithLayout(XlaBuilder* builder,
                                  const Array<NativeT>& values,
                                  const Layout& layout) {
  return ConstantLiteral(
      builder, LiteralUtil::CreateFromArrayWithLayout<NativeT>(values, layout));
}
template <typename NativeT>
XlaOp ConstantR2FromArray2D(XlaBuilder* builder,
                            const Array2D<NativeT>& values) {
  return ConstantFromArray<NativeT>(builder, values);
}
template <typename NativeT>
XlaOp ConstantR2FromArray2DWithLayout(XlaBuilder* builder,
                                      const Array2D<NativeT>& values,
                                      const Layout& layout) {
  return ConstantFromArrayWithLayout<NativeT>(builder, values, layout);
}
template <typename NativeT>
XlaOp ConstantR3FromArray3D(XlaBuilder* builder,
                            const Array3D<NativeT>& values) {
  return ConstantFromArray<NativeT>(builder, values);
}
template <typename NativeT>
XlaOp ConstantR3FromArray3DWithLayout(XlaBuilder* builder,
                                      const Array3D<NativeT>& values,
                                      const Layout& layout) {
  return ConstantFromArrayWithLayout<NativeT>(builder, values, layout);
}
template <typename NativeT>
XlaOp ConstantR4FromArray4D(XlaBuilder* builder,
                            const Array4D<NativeT>& values) {
  return ConstantFromArray<NativeT>(builder, values);
}
template <typename NativeT>
XlaOp ConstantR4FromArray4DWithLayout(XlaBuilder* builder,
                                      const Array4D<NativeT>& values,
                                      const Layout& layout) {
  return ConstantFromArrayWithLayout<NativeT>(builder, values, layout);
}

}  // namespace xla

#endif  // XLA_HLO_BUILDER_OPS_VALUES_H_
