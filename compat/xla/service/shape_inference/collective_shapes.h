// CollectiveShapes: the part of ShapeInference for collectives and calls.
#ifndef COMPAT_XLA_SERVICE_SHAPE_INFERENCE_COLLECTIVE_SHAPES_H_
#define COMPAT_XLA_SERVICE_SHAPE_INFERENCE_COLLECTIVE_SHAPES_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/base/checked_math.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/device/collective_pairs.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/service/shape_inference/shape_rules.h"

namespace xla::shape_inference {

// Several operands of a collective give the tuple of their results.
class CollectiveShapes : public ShapeRules {
 public:
  static absl::StatusOr<Shape> InferAllGatherShape(Shapes operand_shapes,
                                                   int64_t all_gather_dimension,
                                                   int64_t shard_count) {
    TF_ASSIGN_OR_RETURN(
        const Shape declared,
        Resized(operand_shapes, all_gather_dimension, shard_count, Times));
    return Infer(HloOpcode::kAllGather, operand_shapes,
                 GatherOf(all_gather_dimension), {}, &declared);
  }
  // (operands, results)
  static absl::StatusOr<Shape> InferAllGatherStartShape(
      Shapes operand_shapes, int64_t all_gather_dimension,
      int64_t shard_count) {
    TF_ASSIGN_OR_RETURN(
        const Shape results,
        InferAllGatherShape(operand_shapes, all_gather_dimension, shard_count));
    const Shape declared =
        ShapeUtil::MakeTupleShape({OneOrTuple(operand_shapes), results});
    return Infer(HloOpcode::kAllGatherStart, operand_shapes,
                 GatherOf(all_gather_dimension), {}, &declared);
  }
  static absl::StatusOr<Shape> InferAllGatherDoneShape(
      const Shape& all_gather_start_shape) {
    return Infer(HloOpcode::kAllGatherDone, {&all_gather_start_shape});
  }

  static absl::StatusOr<Shape> InferAllReduceShape(Shapes operand_shapes) {
    return Reduced(HloOpcode::kAllReduce, operand_shapes, AllReduceAttrs());
  }
  static absl::StatusOr<Shape> InferAllReduceStartShape(Shapes operand_shapes) {
    return Reduced(HloOpcode::kAllReduceStart, operand_shapes,
                   AllReduceAttrs());
  }
  static absl::StatusOr<Shape> InferAllReduceDoneShape(
      const Shape& operand_shape) {
    return Infer(HloOpcode::kAllReduceDone, {&operand_shape});
  }
  static absl::StatusOr<Shape> InferReduceScatterShape(
      Shapes operand_shapes, int64_t scatter_dimension, int64_t shard_count) {
    TF_ASSIGN_OR_RETURN(
        const Shape declared,
        Resized(operand_shapes, scatter_dimension, shard_count, DividedBy));
    ReduceScatterAttrs attrs;
    attrs.dimensions = {scatter_dimension};
    return Reduced(HloOpcode::kReduceScatter, operand_shapes, std::move(attrs),
                   &declared);
  }

  // The form of the builder: one array, split and concatenated.
  static absl::StatusOr<Shape> InferAllToAllShape(const Shape& shape,
                                                  int64_t split_dimension,
                                                  int64_t concat_dimension,
                                                  int64_t split_count) {
    const Shape* operand = &shape;
    TF_ASSIGN_OR_RETURN(
        const Shape split,
        Resized({&operand, 1}, split_dimension, split_count, DividedBy));
    operand = &split;
    return Resized({&operand, 1}, concat_dimension, split_count, Times);
  }
  // The form of the instruction: one operand for each device.
  static absl::StatusOr<Shape> InferAllToAllTupleShape(Shapes operand_shapes) {
    return Infer(HloOpcode::kAllToAll, operand_shapes, AllToAllAttrs());
  }
  static absl::StatusOr<Shape> InferRaggedAllToAllShape(Shapes operand_shapes) {
    return Infer(HloOpcode::kRaggedAllToAll, operand_shapes,
                 RaggedAllToAllAttrs());
  }

  static absl::StatusOr<Shape> InferCollectiveBroadcastShape(
      Shapes operand_shapes) {
    return Infer(HloOpcode::kCollectiveBroadcast, operand_shapes,
                 CollectiveBroadcastAttrs());
  }
  // In place, the operands are input, output, and start indices of each; their
  // slices are those of the attributes, which are not looked at.
  static absl::StatusOr<Shape> InferCollectivePermuteShape(
      Shapes operand_shapes, bool inplace) {
    if (!inplace) {
      return Infer(HloOpcode::kCollectivePermute, operand_shapes,
                   CollectivePermuteAttrs());
    }
    if (operand_shapes.size() != 4) {
      return InvalidArgument(
          "A collective-permute in place has 4 operands, got %d.",
          operand_shapes.size());
    }
    return *operand_shapes[1];
  }
  // (operands, results, contexts...); in place, the operands are the input.
  static absl::StatusOr<Shape> InferCollectivePermuteStartShape(
      Shapes operand_shapes, absl::Span<const Shape> context_shapes,
      bool inplace) {
    TF_ASSIGN_OR_RETURN(const Shape result,
                        InferCollectivePermuteShape(operand_shapes, inplace));
    std::vector<Shape> parts = {inplace ? *operand_shapes[0] : result, result};
    parts.insert(parts.end(), context_shapes.begin(), context_shapes.end());
    const Shape declared = ShapeUtil::MakeTupleShape(parts);
    if (inplace) return declared;
    return Infer(HloOpcode::kCollectivePermuteStart, operand_shapes,
                 CollectivePermuteAttrs(), {}, &declared);
  }
  static absl::StatusOr<Shape> InferCollectivePermuteDoneShape(
      const Shape& operand_shape) {
    return Infer(HloOpcode::kCollectivePermuteDone, {&operand_shape});
  }

  // Control flow.
  static absl::StatusOr<Shape> InferWhileShape(const ProgramShape& condition,
                                               const ProgramShape& body,
                                               const Shape& init) {
    return Infer(HloOpcode::kWhile, {&init}, {}, {&condition, &body});
  }
  static absl::StatusOr<Shape> InferConditionalShape(
      const Shape& branch_index,
      absl::Span<const ProgramShape> branch_computations,
      absl::Span<const Shape> branch_operands) {
    std::vector<const Shape*> operands = {&branch_index};
    for (const Shape& operand : branch_operands) operands.push_back(&operand);
    std::vector<const ProgramShape*> branches;
    for (const ProgramShape& branch : branch_computations) {
      branches.push_back(&branch);
    }
    return Infer(HloOpcode::kConditional, operands, {}, branches);
  }
  static absl::StatusOr<Shape> InferCallShape(Shapes arg_shapes,
                                              const ProgramShape& to_apply) {
    return Infer(HloOpcode::kCall, arg_shapes, {}, {&to_apply});
  }

 private:
  // The size of a dimension with `count` shards, or of one of them; nullopt if
  // there is none.
  static std::optional<int64_t> Times(int64_t size, int64_t count) {
    return CheckedMultiply(size, count);
  }
  static std::optional<int64_t> DividedBy(int64_t size, int64_t count) {
    if (size % count != 0) return std::nullopt;
    return size / count;
  }
  static absl::StatusOr<Shape> Resized(
      Shapes shapes, int64_t dimension, int64_t count,
      std::optional<int64_t> (*resize)(int64_t, int64_t)) {
    std::vector<Shape> results;
    for (const Shape* shape : shapes) {
      Shape& result = results.emplace_back(*shape);
      if (!shape->IsArray() || dimension < 0 || dimension >= shape->rank() ||
          count <= 0) {
        return InvalidArgument("%s has no dimension %d of %d shards.",
                               ShapeUtil::HumanString(*shape), dimension,
                               count);
      }
      if (shape->is_unbounded_dynamic_dimension(dimension)) continue;
      const std::optional<int64_t> size =
          resize(shape->dimensions(dimension), count);
      if (!size.has_value()) {
        return InvalidArgument(
            "Dimension %d of %s cannot be that of %d shards.", dimension,
            ShapeUtil::HumanString(*shape), count);
      }
      result.set_dimensions(dimension, *size,
                            shape->is_dynamic_dimension(dimension));
      TF_RETURN_IF_ERROR(ShapeUtil::ValidateShapeWithOptionalLayout(result));
    }
    if (results.empty()) {
      return InvalidArgument("A collective needs an operand.");
    }
    return results.size() == 1 ? results[0]
                               : ShapeUtil::MakeTupleShape(results);
  }
  static Shape OneOrTuple(Shapes shapes) {
    return shapes.size() == 1 ? *shapes[0]
                              : ShapeUtil::MakeTupleShapeWithPtrs(shapes);
  }
  static AllGatherAttrs GatherOf(int64_t dimension) {
    AllGatherAttrs attrs;
    attrs.dimensions = {dimension};
    return attrs;
  }
  // With a computation that fits the first operand.
  static absl::StatusOr<Shape> Reduced(HloOpcode opcode, Shapes operands,
                                       Attrs attrs,
                                       const Shape* declared = nullptr) {
    if (operands.empty()) {
      return InvalidArgument("A collective needs an operand.");
    }
    const ProgramShape reducer = ReducerOf(operands.first(1));
    return Infer(opcode, operands, std::move(attrs), {&reducer}, declared);
  }
};

}  // namespace xla::shape_inference

#endif  // COMPAT_XLA_SERVICE_SHAPE_INFERENCE_COLLECTIVE_SHAPES_H_
