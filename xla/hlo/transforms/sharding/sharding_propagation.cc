// Propagates through ops in rounds, in each class until nothing changes.
#include "xla/hlo/transforms/sharding/sharding_propagation.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/transforms/sharding/constant_splitter.h"
#include "xla/hlo/transforms/sharding/factor_sharding.h"
#include "xla/hlo/transforms/sharding/sharding_graph.h"

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
  return op.is_edge || op.instruction->IsElementwise();
}

// How an op takes part in a class; nullopt if it does not.
std::optional<PropagationStep> StepOf(const ShardedOp& op,
                                      PropagationClass op_class) {
  PropagationStep step;
  step.is_elementwise = IsElementwiseOp(op);
  const HloOpcode opcode = op.instruction->opcode();
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
  if (opcode == HloOpcode::kBroadcast && !op.is_edge &&
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
      for (const DimensionSharding& dimension : array.sharding.dimensions) {
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
             !OperandsHaveOneUse(graph_.ops()[i]))) {
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

  bool OperandsHaveOneUse(const ShardedOp& op) {
    for (size_t i = 0; i < op.factors.operands.size(); ++i) {
      if (graph_.arrays()[op.arrays[i]].reads > 1) return false;
    }
    return true;
  }

  static const DimensionFactors::Array& DimensionsOf(const ShardedOp& op,
                                                     size_t i) {
    const size_t operands = op.factors.operands.size();
    return i < operands ? op.factors.operands[i]
                        : op.factors.results[i - operands];
  }

  // Returns the arrays that changed.
  std::vector<int32_t> Apply(size_t number, const PropagationStep& step,
                             int64_t priority) {
    const ShardedOp& op = graph_.ops()[number];
    std::vector<ArrayFactors> factors;
    for (size_t i = 0; i < op.arrays.size(); ++i) {
      const NamedSharding& sharding = graph_.arrays()[op.arrays[i]].sharding;
      // Nothing passes between devices in different orders.
      if (sharding.mesh != graph_.arrays()[op.arrays[0]].sharding.mesh) {
        return {};
      }
      factors.push_back(ProjectToFactors(sharding, op.factors,
                                         DimensionsOf(op, i), priority));
    }
    PropagateFactors(op.factors, step, sizes_[number], absl::MakeSpan(factors));
    std::vector<int32_t> changed;
    for (size_t i = 0; i < op.arrays.size(); ++i) {
      if (UpdateFromFactors(factors[i], op.factors, DimensionsOf(op, i),
                            priority, graph_.arrays()[op.arrays[i]].sharding)) {
        changed.push_back(op.arrays[i]);
      }
    }
    return changed;
  }

  ShardingGraph& graph_;
  std::vector<std::vector<int64_t>> sizes_;  // of each op's arrays
};

// Shortens the lists of open dimensions to whole axes that divide them: what
// the caller passes and receives has parts of one size.
void CutToWholeParts(ShardedArray& array) {
  const Mesh& mesh = *array.sharding.mesh;
  for (int64_t d = 0; d < array.sharding.rank(); ++d) {
    DimensionSharding& dimension = array.sharding.dimensions[d];
    if (!dimension.is_open) continue;
    int64_t rest = array.shape->dimensions(d);
    AxisList kept;
    for (const AxisRef& axis : dimension.axes) {
      if (axis != mesh.WholeAxis(axis.axis) || rest % axis.size != 0) break;
      kept.push_back(axis);
      rest /= axis.size;
    }
    dimension.axes = std::move(kept);
  }
}

}  // namespace

absl::StatusOr<bool> ShardingPropagation::Run(HloModule* module) {
  ConstantSplitter splitter;
  for (const auto& computation : module->computations()) {
    TF_RETURN_IF_ERROR(splitter.Split(computation.get()));
  }
  TF_ASSIGN_OR_RETURN(ShardingGraph graph, ShardingGraph::Build(module));
  Propagator(graph).Run();
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
  const bool changed = graph.WriteShardings(module);
  TF_RETURN_IF_ERROR(splitter.Merge());
  return changed;
}

}  // namespace xla
