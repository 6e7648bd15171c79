// The carry of the loop is (step, inputs..., outputs..., carries...).
#include "xla/hlo/transforms/expand/scan_expander.h"

#include <limits>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/transforms/creation/counted_loop.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;

class ScanLoop {
 public:
  explicit ScanLoop(Hlo hlo)
      : hlo_(hlo),
        module_(hlo->GetModule()),
        dim_(hlo->attrs<ScanAttrs>().dimensions[0]),
        reverse_(hlo->attrs<ScanAttrs>().is_reverse),
        steps_(hlo->operand(0)->shape().dimensions(dim_)),
        inputs_(hlo->operand_count() - hlo->attrs<ScanAttrs>().num_carries),
        results_(hlo->shape().IsTuple() ? hlo->shape().tuple_shapes_size() : 1),
        outputs_(results_ - hlo->attrs<ScanAttrs>().num_carries),
        index_type_(steps_ <= std::numeric_limits<int32_t>::max() ? S32 : S64) {
  }

  absl::Status Run() {
    HloBuilder emit(hlo_);
    if (steps_ == 0) return Finish(emit, WithoutSteps(emit));
    std::vector<Hlo> init = {emit.Integer(index_type_, 0)};
    for (int64_t i = 0; i < inputs_; ++i) {
      init.push_back(hlo_->mutable_operand(i));
    }
    for (int64_t i = 0; i < outputs_; ++i) {
      const Shape& shape = ResultShape(i);
      init.push_back(
          emit.Splat(emit.Zero(shape.element_type()), shape.dimensions()));
    }
    for (int64_t i = inputs_; i < hlo_->operand_count(); ++i) {
      init.push_back(hlo_->mutable_operand(i));
    }
    Hlo start = emit.Tuple(init);
    TF_ASSIGN_OR_RETURN(
        HloComputation * condition,
        AddCountCondition(module_, "scan_condition", start->shape(), steps_));
    TF_ASSIGN_OR_RETURN(HloComputation * body, MakeBody(start->shape()));
    Hlo loop = emit.Add(HloOpcode::kWhile, start->shape(), {start}, {},
                        {condition, body});
    std::vector<Hlo> results;
    for (size_t i = 1 + inputs_; i < init.size(); ++i) {
      results.push_back(emit.Element(loop, i));
    }
    return Finish(emit, results);
  }

 private:
  const Shape& ResultShape(int64_t i) const {
    return hlo_->shape().IsTuple() ? hlo_->shape().tuple_shapes(i)
                                   : hlo_->shape();
  }
  absl::Status Finish(HloBuilder& emit, const std::vector<Hlo>& results) {
    return emit.ReplaceSource(hlo_->shape().IsTuple() ? emit.Tuple(results)
                                                      : results[0]);
  }

  // Returns outputs without elements, and the carries unchanged.
  std::vector<Hlo> WithoutSteps(HloBuilder& emit) {
    std::vector<Hlo> results;
    for (int64_t i = 0; i < outputs_; ++i) {
      const Shape& shape = ResultShape(i);
      results.push_back(
          emit.Splat(emit.Zero(shape.element_type()), shape.dimensions()));
    }
    for (int64_t i = inputs_; i < hlo_->operand_count(); ++i) {
      results.push_back(hlo_->mutable_operand(i));
    }
    return results;
  }

  // Returns the start of slice `at` in an array of `rank` dimensions.
  std::vector<Hlo> Starts(HloBuilder& emit, int64_t rank, Hlo at) {
    std::vector<Hlo> starts(rank, emit.Integer(index_type_, 0));
    starts[dim_] = at;
    return starts;
  }

  absl::StatusOr<HloComputation*> MakeBody(const Shape& shape) {
    HloComputation* body = AddCarryComputation(module_, "scan_body", shape);
    HloBuilder emit(body);
    Hlo carry = body->parameter_instruction(0);
    Hlo step = emit.Element(carry, 0);
    Hlo at = reverse_ ? emit.Minus(emit.Integer(index_type_, steps_ - 1), step)
                      : step;
    std::vector<Hlo> next = {emit.Plus(step, emit.Integer(index_type_, 1))};
    std::vector<Hlo> arguments;
    for (int64_t i = 0; i < inputs_; ++i) {
      Hlo input = emit.Element(carry, 1 + i);
      next.push_back(input);
      Dims sizes(input->shape().dimensions().begin(),
                 input->shape().dimensions().end());
      sizes[dim_] = 1;
      Hlo slice =
          emit.DynamicSlice(input, Starts(emit, sizes.size(), at), sizes);
      sizes.erase(sizes.begin() + dim_);
      arguments.push_back(emit.Reshape(slice, sizes));
    }
    for (int i = 1 + inputs_ + outputs_; i < shape.tuple_shapes_size(); ++i) {
      arguments.push_back(emit.Element(carry, i));
    }
    const HloComputation& step_function = *hlo_->to_apply();
    Hlo call =
        emit.Add(HloOpcode::kCall, step_function.root_instruction()->shape(),
                 arguments, {}, {hlo_->to_apply()});
    const bool is_tuple = call->shape().IsTuple();
    for (int64_t i = 0; i < outputs_; ++i) {
      Hlo output = emit.Element(carry, 1 + inputs_ + i);
      Hlo value = is_tuple ? emit.Element(call, i) : call;
      Dims sizes(output->shape().dimensions().begin(),
                 output->shape().dimensions().end());
      sizes[dim_] = 1;
      next.push_back(emit.DynamicUpdateSlice(output, emit.Reshape(value, sizes),
                                             Starts(emit, sizes.size(), at)));
    }
    for (int64_t i = outputs_; i < results_; ++i) {
      next.push_back(is_tuple ? emit.Element(call, i) : call);
    }
    body->set_root_instruction(emit.Tuple(next));
    TF_RETURN_IF_ERROR(InlineCall(call, step_function, arguments));
    return body;
  }

  Hlo hlo_;
  HloModule* module_;
  const int64_t dim_;
  const bool reverse_;
  const int64_t steps_;
  const int64_t inputs_, results_, outputs_;
  const PrimitiveType index_type_;
};

bool HasDynamicShape(const HloInstruction& hlo) {
  for (const HloInstruction* operand : hlo.operands()) {
    if (operand->shape().is_dynamic()) return true;
  }
  return hlo.shape().is_dynamic();
}

}  // namespace

absl::StatusOr<bool> ScanExpander::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kScan || HasDynamicShape(*hlo)) continue;
      TF_RETURN_IF_ERROR(ScanLoop(hlo).Run());
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
