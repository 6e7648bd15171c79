// ShapeRules: how ShapeInference asks for the rules of ops.
#ifndef COMPAT_XLA_SERVICE_SHAPE_INFERENCE_SHAPE_RULES_H_
#define COMPAT_XLA_SERVICE_SHAPE_INFERENCE_SHAPE_RULES_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/result_type.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::shape_inference {

class ShapeRules {
 public:
  using Shapes = absl::Span<const Shape* const>;
  using Dims = absl::Span<const int64_t>;

 protected:
  static std::vector<int64_t> ToVector(Dims dims) {
    return {dims.begin(), dims.end()};
  }
  static absl::StatusOr<Shape> Infer(
      HloOpcode opcode, Shapes operands, Attrs attrs = {},
      absl::Span<const ProgramShape* const> computations = {},
      const Shape* declared = nullptr) {
    const OpDef& def = GetOpDef(opcode);
    if (attrs.get() == nullptr) attrs = Attrs(def.attrs);
    InferArgs args;
    args.operands = operands;
    args.computations = computations;
    args.declared = declared;
    if (def.declares_shape && declared == nullptr) {
      return InvalidArgument("the operands of %s do not determine its shape",
                             HloOpcodeString(opcode));
    }
    return InferShape(def, args, attrs.get());
  }
  // The result has the preferred type, or that of the operands.
  static absl::StatusOr<Shape> InferProduct(
      HloOpcode opcode, Shapes operands, Attrs attrs,
      std::optional<PrimitiveType> preferred_element_type) {
    TF_ASSIGN_OR_RETURN(
        const PrimitiveType type,
        builder_internal::ProductType(*operands[0], *operands[1],
                                      preferred_element_type));
    const Shape declared = ShapeUtil::MakeShape(type, {});
    return Infer(opcode, operands, std::move(attrs), {}, &declared);
  }
  // (T0[], T1[], ..., T0[], T1[], ...) -> T0[] or the tuple, for operands of
  // these types.
  static ProgramShape ReducerOf(Shapes operands) {
    ProgramShape program;
    for (int side = 0; side < 2; ++side) {
      for (const Shape* operand : operands) {
        program.AddParameter(
            ShapeUtil::MakeScalarShape(operand->element_type()), "");
      }
    }
    std::vector<Shape> results(program.parameters().begin(),
                               program.parameters().begin() + operands.size());
    *program.mutable_result() =
        results.size() == 1 ? results[0] : ShapeUtil::MakeTupleShape(results);
    return program;
  }
};

}  // namespace xla::shape_inference

#endif  // COMPAT_XLA_SERVICE_SHAPE_INFERENCE_SHAPE_RULES_H_
