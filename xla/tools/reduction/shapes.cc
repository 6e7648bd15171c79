// Infers the shapes of all computations again, callees before callers.
#include "xla/tools/reduction/shapes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/ops/linear/linear_algebra.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/movement/sorting.h"

namespace xla::tools {
namespace {

class Reshaper {
 public:
  Reshaper(int64_t from, int64_t to) : from_(from), to_(to) {}

  absl::Status Run(ReducibleProgram& program) const {
    for (HloComputation* computation :
         program.module->MakeComputationPostOrder()) {
      for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
        TF_RETURN_IF_ERROR(Reshape(hlo));
      }
    }
    for (Literal& argument : program.arguments) {
      argument = FirstElements(std::move(argument));
    }
    return absl::OkStatus();
  }

 private:
  int64_t Size(int64_t size) const { return size == from_ ? to_ : size; }

  Shape NewShape(const Shape& shape) const {
    Shape result = shape;
    ShapeUtil::ForEachMutableSubshape(&result, [&](Shape* part,
                                                   const ShapeIndex&) {
      if (!part->IsArray()) return;
      for (int i = 0; i < static_cast<int>(part->dimensions().size()); ++i) {
        part->set_dimensions(i, Size(part->dimensions(i)),
                             part->is_dynamic_dimension(i));
      }
    });
    return result;
  }

  Literal FirstElements(Literal literal) const {
    if (literal.shape().IsTuple()) {
      std::vector<Literal> parts = literal.DecomposeTuple();
      for (Literal& part : parts) part = FirstElements(std::move(part));
      return LiteralUtil::MakeTupleOwned(std::move(parts));
    }
    if (!literal.shape().IsArray()) return literal;
    std::vector<int64_t> limits;
    for (const int64_t size : literal.shape().dimensions()) {
      limits.push_back(Size(size));
    }
    return literal.Slice(std::vector<int64_t>(limits.size(), 0), limits);
  }

  absl::Status Reshape(HloInstruction* hlo) const {
    const Shape declared = NewShape(hlo->shape());
    if (hlo->opcode() == HloOpcode::kConstant) {
      if (declared == hlo->shape()) return absl::OkStatus();
      HloInstruction* smaller =
          hlo->parent()->AddInstruction(HloInstruction::CreateConstant(
              FirstElements(hlo->literal().Clone())));
      return hlo->ReplaceAllUsesWithDifferentShape(smaller);
    }
    FitAttributes(hlo);
    TF_ASSIGN_OR_RETURN(Shape inferred,
                        InferInstruction(hlo->def(), hlo->operands(),
                                         hlo->called_computations(), &declared,
                                         hlo->raw_attrs()));
    // The declared shape has the layout.
    if (ShapeUtil::Compatible(inferred, declared)) {
      *hlo->mutable_shape() = declared;
      return absl::OkStatus();
    }
    LayoutUtil::SetToDefaultLayout(&inferred);
    *hlo->mutable_shape() = std::move(inferred);
    return absl::OkStatus();
  }

  void FitSizes(const Shape& operand, std::vector<int64_t>& sizes) const {
    for (size_t i = 0; i < sizes.size(); ++i) {
      sizes[i] = std::min(Size(sizes[i]), operand.dimensions(i));
    }
  }

  // Makes sizes in attributes fit the operands, which have their new shapes.
  void FitAttributes(HloInstruction* hlo) const {
    switch (hlo->opcode()) {
      case HloOpcode::kSlice: {
        std::vector<SliceRange>& ranges =
            hlo->mutable_attrs<SliceAttrs>().slice;
        for (size_t i = 0; i < ranges.size(); ++i) {
          const int64_t size = hlo->operand(0)->shape().dimensions(i);
          if (ranges[i].limit <= size) continue;
          ranges[i].start = std::max<int64_t>(
              0, size - Size(ranges[i].limit - ranges[i].start));
          ranges[i].limit = size;
        }
        return;
      }
      case HloOpcode::kDynamicSlice:
        return FitSizes(
            hlo->operand(0)->shape(),
            hlo->mutable_attrs<DynamicSliceAttrs>().dynamic_slice_sizes);
      case HloOpcode::kGather:
        return FitSizes(hlo->operand(0)->shape(),
                        hlo->mutable_attrs<GatherAttrs>().slice_sizes);
      case HloOpcode::kFft:
        for (int64_t& length : hlo->mutable_attrs<FftAttrs>().fft_length) {
          length = Size(length);
        }
        return;
      case HloOpcode::kTopK: {
        int64_t& k = hlo->mutable_attrs<TopKAttrs>().k;
        k = Size(k);
        return;
      }
      case HloOpcode::kConvolution: {
        auto& attrs = hlo->mutable_attrs<ConvolutionAttrs>();
        const auto& numbers = attrs.convolution_dimension_numbers;
        for (int i = 0; i < attrs.window.dimensions_size(); ++i) {
          attrs.window.mutable_dimensions(i)->set_size(
              hlo->operand(1)->shape().dimensions(
                  numbers.kernel_spatial_dimensions(i)));
        }
        return;
      }
      default:
        return;
    }
  }

  const int64_t from_;
  const int64_t to_;
};

}  // namespace

absl::Status ReshapeProgram(ReducibleProgram& program, int64_t from,
                            int64_t to) {
  return Reshaper(from, to).Run(program);
}

}  // namespace xla::tools
