// Parameters, constants, iota and tuples.
#include "xla/hlo/builder/ops/values.h"

#include <optional>
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/builder/ops/reshape.h"
#include "xla/hlo/builder/scoped_assignments.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/values.h"

namespace xla {

using builder_internal::Emit;
using builder_internal::EmitOp;

XlaOp Parameter(XlaBuilder* builder, int64_t parameter_number,
                const Shape& shape, const std::string& name) {
  return Parameter(builder, parameter_number, shape, name, {});
}

XlaOp Parameter(XlaBuilder* builder, int64_t parameter_number,
                const Shape& shape, const std::string& name,
                const std::vector<bool>& replicated_at_leaf_buffers) {
  return Emit(builder, [&](XlaBuilder& b) {
    return b.AddParameter(parameter_number, shape, name,
                          replicated_at_leaf_buffers);
  });
}

XlaOp ConstantLiteral(XlaBuilder* builder, const LiteralSlice& literal) {
  return Emit(builder, [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    const Shape& shape = literal.shape();
    if (shape.IsArray() && shape.is_static() && literal.element_count() > 1 &&
        literal.IsAllFirst()) {
      XlaOp scalar;
      {
        // The builder's sharding is that of the array.
        XlaScopedShardingAssignment none(&b, std::nullopt);
        TF_ASSIGN_OR_RETURN(
            scalar, b.AddOp(HloOpcode::kConstant, {},
                            ConstantAttrs{
                                LiteralUtil::GetFirstScalarLiteral(literal)}));
      }
      return Broadcast(scalar, shape.dimensions());
    }
    return b.AddOp(HloOpcode::kConstant, {}, ConstantAttrs{literal.Clone()});
  });
}

XlaOp ConstantR1(XlaBuilder* builder, const tsl::core::Bitmap& values) {
  return ConstantLiteral(builder, LiteralUtil::CreateR1(values));
}

XlaOp Iota(XlaBuilder* builder, const Shape& shape, int64_t iota_dimension) {
  return Emit(builder, [&](XlaBuilder& b) {
    return b.AddOp(HloOpcode::kIota, {}, IotaAttrs{iota_dimension}, {}, &shape);
  });
}

XlaOp Iota(XlaBuilder* builder, PrimitiveType type, int64_t size) {
  return Emit(builder, [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape,
                        ShapeUtil::MakeValidatedShape(type, {size}));
    return b.AddOp(HloOpcode::kIota, {}, IotaAttrs{0}, {}, &shape);
  });
}

XlaOp Tuple(XlaBuilder* builder, absl::Span<const XlaOp> elements) {
  return Emit(builder, [&](XlaBuilder& b) {
    return b.AddOp(HloOpcode::kTuple, elements);
  });
}

XlaOp GetTupleElement(XlaOp tuple_data, int64_t index) {
  return EmitOp(HloOpcode::kGetTupleElement, {tuple_data},
                GetTupleElementAttrs{index});
}

}  // namespace xla
