// Propagates through ops in rounds, in each class until nothing changes.
#include "xla/hlo/transforms/sharding/sharding_propagation.h"

#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/transforms/expand/async_to_sync.h"
#include "xla/hlo/transforms/sharding/constant_splitter.h"
#include "xla/hlo/transforms/sharding/factor_sharding.h"
#include "xla/hlo/transforms/sharding/manual_regions.h"
#include "xla/hlo/transforms/sharding/module_shardings.h"
#include "xla/hlo/transforms/sharding/result_inference.h"
#include "xla/hlo/transforms/sharding/sharding_constraints.h"
#include "xla/hlo/transforms/sharding/sharding_graph.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"
#include "xla/hlo/transforms/simplify/flatten_call_graph.h"

namespace xla {
namespace {

// The classes of ops, each with those before it.
enum class PropagationClass : uint8_t {
  kElementwiseOfOneUse,
  kElementwise,
  kPassedThrough,
  kAllFactors,
  kBroadcasts,
};

bool IsElementwiseOp(const ShardedOp& op) {
  return op.kind != ShardedOpKind::kInstruction ||
         op.instruction->IsElementwiseOp();
}

// How an op takes part in a class; nullopt if it does not.
std::optional<PropagationStep> StepOf(const ShardedOp& op,
                                      PropagationClass op_class) {
  PropagationStep step;
  step.is_elementwise = IsElementwiseOp(op);
  if (!op.passes_forward || !op.passes_backward) {
    step.direction = op.passes_forward    ? PropagationDirection::kForward
                     : op.passes_backward ? PropagationDirection::kBackward
                                          : PropagationDirection::kNone;
  }
  const HloOpcode opcode = op.instruction->opcode();
  if (op.kind != ShardedOpKind::kInstruction) return step;
  if (op_class <= PropagationClass::kElementwise) {
    const bool moves_nothing = step.is_elementwise ||
                               opcode == HloOpcode::kReshape ||
                               opcode == HloOpcode::kTranspose;
    const bool is_slice = opcode == HloOpcode::kDynamicSlice ||
                          opcode == HloOpcode::kDynamicUpdateSlice;
    if (!moves_nothing && !is_slice) return std::nullopt;
    if (is_slice) step.direction = PropagationDirection::kForward;
    step.max_kind = FactorKind::kPassedThrough;
    return step;
  }
  if (op_class == PropagationClass::kPassedThrough) {
    step.max_kind = FactorKind::kPassedThrough;
  }
  if (opcode == HloOpcode::kBroadcast &&
      op_class < PropagationClass::kBroadcasts) {
    step.direction = PropagationDirection::kBackward;
  }
  return step;
}

class Propagator {
 public:
  explicit Propagator(ShardingGraph& graph) : graph_(graph) {
    for (const ShardedOp& op : graph.ops()) {
      std::vector<int64_t>& sizes = sizes_.emplace_back();
      for (const int32_t array : op.arrays) {
        const Shape& shape = *graph.arrays()[array].shape;
        sizes.push_back(shape.IsArray() ? ShapeUtil::ElementsIn(shape) : 0);
      }
    }
  }

  void Run() {
    std::set<int64_t> priorities;
    for (const ShardedArray& array : graph_.arrays()) {
      for (const MeshSharding::Dimension& dimension :
           array.sharding.dimensions) {
        priorities.insert(dimension.priority);
      }
    }
    for (const int64_t priority : priorities) {
      for (const PropagationClass op_class :
           {PropagationClass::kElementwiseOfOneUse,
            PropagationClass::kElementwise, PropagationClass::kPassedThrough,
            PropagationClass::kAllFactors, PropagationClass::kBroadcasts}) {
        for (const PropagationStrategy strategy :
             {PropagationStrategy::kBasic, PropagationStrategy::kAggressive}) {
          RunToFixedPoint(priority, op_class, strategy);
        }
      }
    }
  }

 private:
  // Each step makes lists longer or leaves them, so this ends. Rounds go
  // through the ops forward and backward in turn: a chain of ops takes one or
  // two.
  void RunToFixedPoint(int64_t priority, PropagationClass op_class,
                       PropagationStrategy strategy) {
    const size_t count = graph_.ops().size();
    std::vector<bool> pending(count, true);
    bool again = count > 0;
    for (bool is_forward = true; again; is_forward = !is_forward) {
      again = false;
      for (size_t n = 0; n < count; ++n) {
        const size_t i = is_forward ? n : count - 1 - n;
        if (!pending[i]) continue;
        pending[i] = false;
        std::optional<PropagationStep> step = StepOf(graph_.ops()[i], op_class);
        if (!step.has_value() ||
            (op_class == PropagationClass::kElementwiseOfOneUse &&
             !graph_.ops()[i].operands_have_one_use)) {
          continue;
        }
        step->strategy = strategy;
        for (const int32_t array : Apply(i, *step, priority)) {
          for (const int32_t op : graph_.arrays()[array].ops) {
            if (op == static_cast<int32_t>(i)) continue;
            pending[op] = true;
            again = true;
          }
        }
      }
    }
  }

  static const DimensionFactors::Array& DimensionsOf(const ShardedOp& op,
                                                     size_t i) {
    const size_t operands = op.factors.operands.size();
    return i < operands ? op.factors.operands[i]
                        : op.factors.results[i - operands];
  }

  // Returns the mesh along whose axes an op's arrays are divided, null if none
  // is. Nothing passes between devices in different orders: then `differ`.
  std::shared_ptr<const DeviceMesh> MeshOf(const ShardedOp& op,
                                           bool& differ) const {
    std::shared_ptr<const DeviceMesh> mesh;
    differ = false;
    for (const int32_t number : op.arrays) {
      const ShardedArray& array = graph_.arrays()[number];
      if (!array.IsBound()) continue;
      if (mesh == nullptr) mesh = array.sharding.mesh;
      differ |= mesh != array.sharding.mesh;
    }
    return mesh;
  }

  // Whether lists have only become longer, and no axis is in two. Only arrays
  // that an op has twice could be given anything else.
  static bool HasGrown(const MeshSharding& before, const MeshSharding& after) {
    AxisList used = after.replicated;
    used.insert(used.end(), after.unreduced.begin(), after.unreduced.end());
    used.insert(used.end(), after.manual.begin(), after.manual.end());
    for (int64_t d = 0; d < after.rank(); ++d) {
      const AxisList& axes = after.dimensions[d].axes;
      if (!IsPrefix(before.dimensions[d].axes, axes) || Overlap(used, axes)) {
        return false;
      }
      used.insert(used.end(), axes.begin(), axes.end());
    }
    return true;
  }

  // Returns the arrays that changed.
  std::vector<int32_t> Apply(size_t number, const PropagationStep& step,
                             int64_t priority) {
    const ShardedOp& op = graph_.ops()[number];
    bool differ;
    const std::shared_ptr<const DeviceMesh> mesh = MeshOf(op, differ);
    if (mesh == nullptr || mesh->is_maximal() || differ) return {};
    std::vector<ArrayFactors> factors;
    for (size_t i = 0; i < op.arrays.size(); ++i) {
      const MeshSharding& sharding = graph_.arrays()[op.arrays[i]].sharding;
      factors.push_back(ProjectToFactors(sharding, op.factors,
                                         DimensionsOf(op, i), priority));
    }
    PropagateFactors(op.factors, step, sizes_[number], absl::MakeSpan(factors));
    std::vector<int32_t> changed;
    for (size_t i = 0; i < op.arrays.size(); ++i) {
      MeshSharding& sharding = graph_.arrays()[op.arrays[i]].sharding;
      std::optional<MeshSharding> before;
      if (op.repeats_arrays) before = sharding;
      if (!UpdateFromFactors(factors[i], op.factors, DimensionsOf(op, i),
                             priority, sharding)) {
        continue;
      }
      if (before.has_value() && !HasGrown(*before, sharding)) {
        sharding = *std::move(before);
        continue;
      }
      sharding.mesh = mesh;
      changed.push_back(op.arrays[i]);
    }
    return changed;
  }

  ShardingGraph& graph_;
  std::vector<std::vector<int64_t>> sizes_;  // of each op's arrays
};

// Shortens the lists to axes that divide their dimensions, since what the
// caller passes and receives has parts of one size; those of open dimensions to
// whole axes, and to none if there is no element.
void CutToWholeParts(ShardedArray& array) {
  const DeviceMesh& mesh = *array.sharding.mesh;
  for (int64_t d = 0; d < array.sharding.rank(); ++d) {
    MeshSharding::Dimension& dimension = array.sharding.dimensions[d];
    const int64_t size = array.shape->dimensions(d);
    const AxisList kept = PrefixThatDivides(dimension.axes, size);
    if (!dimension.is_open) {
      dimension.axes = kept;
      continue;
    }
    dimension.axes.clear();
    if (size == 0) continue;
    for (const AxisPart& axis : kept) {
      if (axis != mesh.WholeAxis(axis.axis)) break;
      dimension.axes.push_back(axis);
    }
  }
}

}  // namespace

absl::StatusOr<bool> ShardingPropagation::RunImpl(HloModule* module) {
  if (module->config().num_partitions() <= 1) return false;
  bool changed = false;
  for (const auto& pass :
       std::initializer_list<std::shared_ptr<HloPassInterface>>{
           std::make_shared<AsyncToSync>(), std::make_shared<CallInliner>(),
           std::make_shared<FlattenCallGraph>()}) {
    TF_ASSIGN_OR_RETURN(const bool flattened, pass->Run(module));
    changed |= flattened;
  }
  const HloInstruction* old_root =
      module->entry_computation()->root_instruction();
  const std::string old_results =
      old_root->has_sharding() ? old_root->sharding_proto().SerializeAsString()
                               : "";
  ResultInference inference(*module);
  TF_RETURN_IF_ERROR(AddResultCalls(module));
  ConstantSplitter splitter;
  for (const auto& computation : module->computations()) {
    TF_RETURN_IF_ERROR(splitter.Split(computation));
  }
  TF_RETURN_IF_ERROR(ApplyShardingConstraints(module));
  TF_RETURN_IF_ERROR(SeparateConflictingGroups(module));
  TF_ASSIGN_OR_RETURN(ModuleShardings shardings,
                      ModuleShardings::Create(*module));
  TF_ASSIGN_OR_RETURN(const ManualRegions regions,
                      ManualRegions::Find(module, shardings));
  TF_ASSIGN_OR_RETURN(ShardingGraph graph,
                      ShardingGraph::Build(module, shardings, regions));
  Propagator propagator(graph);
  bool again = true;
  while (again) {
    propagator.Run();
    TF_ASSIGN_OR_RETURN(again, inference.Infer(regions.computations(), graph));
  }
  const HloComputation& entry = *module->entry_computation();
  auto cut = [&](const HloInstruction* hlo) {
    for (const int32_t array : graph.ArraysOf(hlo)) {
      CutToWholeParts(graph.arrays()[array]);
    }
  };
  for (const HloInstruction* parameter : entry.parameter_instructions()) {
    cut(parameter);
  }
  cut(entry.root_instruction());
  changed |= graph.WriteShardings();
  TF_ASSIGN_OR_RETURN(const bool finished, FinishShardingCalls(module));
  TF_RETURN_IF_ERROR(splitter.Merge());
  const HloInstruction* root = entry.root_instruction();
  return changed || finished || root != old_root ||
         root->sharding_proto().SerializeAsString() != old_results;
}

}  // namespace xla
