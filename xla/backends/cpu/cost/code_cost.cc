// Native code: what a loop over elements, rows or columns computes, reads and
// writes. From results back to what lies in memory it finds out how often each
// value is computed and in which order it is read.
#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/analysis/reduction_structure.h"
#include "xla/backends/cpu/cost/cost_model.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/indexing/operand_access.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/analysis/linear_scan.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla::cpu {
namespace {

// Large arrays repay code for several registers at a time, so that functions
// do not wait for each other (PlanLoop).
constexpr double kInterleavedElements = 1 << 18;

// The table's rate is that of elements of so many bytes.
constexpr double kTransposedBytes = 4;

struct Demand {
  double evaluations = 0;
  AccessOrder order = AccessOrder::kContiguous;
};

double ElementBytes(const HloInstruction& value) {
  return BytesOf(value.shape()) / std::max(1.0, ElementsOf(value.shape()));
}

bool IsLongFunction(const HloInstruction& value) {
  const CostClass cost_class = value.def().cost_class;
  return cost_class == CostClass::kRemainder ||
         cost_class == CostClass::kTranscendental ||
         cost_class == CostClass::kLongTranscendental;
}

class CodeCostAnalysis {
 public:
  CodeCostAnalysis(const CpuCostModel& model, const HloInstruction& instruction)
      : model_(model),
        instruction_(instruction),
        in_place_(CpuAliasInfo().MustAlias(instruction, 0).has_value()),
        by_rows_or_columns_(FindReductionStructure(instruction).has_value()) {}

  CpuCost Run() {
    if (instruction_.opcode() != HloOpcode::kFusion) {
      demands_[&instruction_] = {Written(instruction_)};
      Visit(instruction_);
      for (const HloInstruction* operand : instruction_.operands())
        Read(*operand);
    } else {
      const HloComputation* body =
          instruction_.fused_instructions_computation();
      const HloInstruction* root = body->root_instruction();
      demands_[root] = {root->opcode() == HloOpcode::kTuple ? 1
                                                            : Written(*root)};
      const std::vector<HloInstruction*> order =
          body->MakeInstructionPostOrder();
      for (auto it = order.rbegin(); it != order.rend(); ++it) {
        if ((*it)->opcode() == HloOpcode::kParameter) {
          Read(**it);
        } else {
          Visit(**it);
        }
      }
    }
    return Sum();
  }

 private:
  struct Access {
    const HloInstruction* array;
    Demand demand;
  };

  // Elements of a value that is stored.
  double Written(const HloInstruction& value) const {
    if (in_place_) {
      if (value.opcode() == HloOpcode::kDynamicUpdateSlice) {
        return ElementsOf(value.operand(1)->shape());
      }
      if (value.opcode() == HloOpcode::kScatter) {
        return ElementsOf(
            value.operand(value.operand_count() / 2 + 1)->shape());
      }
    }
    return ElementsOf(value.shape());
  }

  void Need(const HloInstruction* operand, double evaluations,
            AccessOrder order) {
    Demand& demand = demands_[operand];
    demand.evaluations = std::max(demand.evaluations, evaluations);
    demand.order = std::max(demand.order, order);
  }

  // Counts `value` and what it needs of its operands.
  void Visit(const HloInstruction& value) {
    const Demand demand = demands_[&value];
    const double times = demand.evaluations;
    const double ns = model_.ElementNanoseconds(value);
    if (IsLongFunction(value) && times > 1) {
      ++functions_;
      function_ns_ += times * ns;
    }
    switch (value.opcode()) {
      case HloOpcode::kTuple:
        for (const HloInstruction* operand : value.operands()) {
          Need(operand, Written(*operand), AccessOrder::kContiguous);
        }
        return;
      case HloOpcode::kGetTupleElement:
        Need(value.operand(0), ElementsOf(value.operand(0)->shape()),
             demand.order);
        return;
      case HloOpcode::kScatter:
        VisitScatter(value, ns);
        return;
      case HloOpcode::kDynamicUpdateSlice:
        if (!in_place_) break;
        NeedOperands(value, 1, times, demand.order);
        return;
      case HloOpcode::kReduce:
        VisitReduce(value, times, ns);
        return;
      case HloOpcode::kReduceWindow:
        VisitWindow(value, times, ns);
        return;
      case HloOpcode::kDot:
        VisitDot(value, times);
        return;
      default:
        break;
    }
    if (VisitMovement(value, demand)) return;
    compute_ns_ += times * ns;
    NeedOperands(value, 0, times, demand.order);
  }

  // Operands from number `first` on at the result's index; scalars once.
  void NeedOperands(const HloInstruction& value, int64_t first, double times,
                    AccessOrder order) {
    for (int64_t i = first; i < value.operand_count(); ++i) {
      const double elements = ElementsOf(value.operand(i)->shape());
      Need(value.operand(i), elements == 1 ? 1 : times, order);
    }
  }

  // Whether it is known where `value` has its elements from, if it only moves
  // them; what it reads is counted then.
  bool VisitMovement(const HloInstruction& value, const Demand& demand) {
    if (!value.def().moves) return false;
    const auto accesses = OperandAccessesOf(value);
    if (!accesses.has_value()) return false;
    for (const OperandAccess& access : *accesses) {
      const HloInstruction* operand = value.operand(access.operand);
      const double elements = ElementsOf(operand->shape());
      // Ranges without seams are loops of their own (loop_partition.h), so that
      // finding an element costs nothing.
      double evaluations = demand.evaluations * access.share;
      AccessOrder order = std::max(demand.order, access.order);
      if (access.is_index) {
        evaluations = std::min(evaluations / access.repeats, elements);
        order = AccessOrder::kContiguous;
      } else if (elements == 1) {
        evaluations = 1;
      } else if (access.is_repeated) {
        // What belongs to a row is computed once for it.
        if (by_rows_or_columns_) evaluations = elements;
        order = access.order;
      }
      if (access.order >= AccessOrder::kGatheredRows) {
        memory_ns_ += evaluations / access.run *
                      model_.RateAt(model_.machine().gathered_ns,
                                    BytesOf(operand->shape()));
      }
      Need(operand, evaluations, order);
    }
    return true;
  }

  void VisitReduce(const HloInstruction& reduce, double times, double ns) {
    const int64_t inputs = reduce.operand_count() / 2;
    const double elements = ElementsOf(reduce.operand(0)->shape());
    const double results =
        std::max(1.0, ElementsOf(reduce.shape()) / static_cast<double>(inputs));
    // At least once for each result that is asked for.
    const double passes =
        std::max(1.0, times / static_cast<double>(inputs) / results);
    compute_ns_ += passes * elements * ns;
    for (int64_t i = 0; i < inputs; ++i) {
      Need(reduce.operand(i), passes * elements, AccessOrder::kContiguous);
    }
  }

  void VisitDot(const HloInstruction& dot, double times) {
    double products = times;
    for (const int64_t d :
         dot.attrs<DotAttrs>()
             .dot_dimension_numbers.lhs_contracting_dimensions()) {
      products *= static_cast<double>(dot.operand(0)->shape().dimensions(d));
    }
    compute_ns_ += products * model_.machine().small_product_ns;
    for (const HloInstruction* operand : dot.operands()) {
      Need(operand, ElementsOf(operand->shape()), AccessOrder::kContiguous);
    }
  }

  void VisitScatter(const HloInstruction& scatter, double ns) {
    const int64_t operands = scatter.operand_count() / 2;
    const HloInstruction* indices = scatter.operand(operands);
    const double updates = ElementsOf(scatter.operand(operands + 1)->shape());
    const int64_t width = std::max<int64_t>(
        1, scatter.attrs<ScatterAttrs>()
               .dimension_numbers.scatter_dims_to_operand_dims_size());
    const double rows =
        ElementsOf(indices->shape()) / static_cast<double>(width);
    compute_ns_ += rows * model_.machine().scattered_ns + updates * ns;
    for (int64_t i = 0; i < scatter.operand_count(); ++i) {
      if (i < operands && in_place_) continue;
      Need(scatter.operand(i), ElementsOf(scatter.operand(i)->shape()),
           AccessOrder::kContiguous);
    }
  }

  void VisitWindow(const HloInstruction& window, double times, double ns) {
    const int64_t inputs = window.operand_count() / 2;
    const std::optional<LinearScan> scan = LinearScanOf(window);
    double each = 1;
    if (scan.has_value() && &window == Root()) {
      const bool along_rows =
          !scan->in_order &&
          scan->dimension ==
              static_cast<int64_t>(window.shape().dimensions().size()) - 1;
      const NumberKind kind = NumberKindOf(window.shape().element_type());
      compute_ns_ += along_rows
                         ? times * model_.machine().scan_ns_per_register /
                               static_cast<double>(model_.Lanes(kind))
                         : times * ns;
    } else {
      for (const WindowDimension& dimension :
           window.attrs<ReduceWindowAttrs>().window.dimensions()) {
        each *= static_cast<double>(dimension.size());
      }
      compute_ns_ += times * each * ns;
    }
    for (int64_t i = 0; i < inputs; ++i) {
      Need(window.operand(i), times / static_cast<double>(inputs) * each,
           AccessOrder::kContiguous);
    }
  }

  const HloInstruction* Root() const {
    const HloInstruction* root = &instruction_;
    if (root->opcode() == HloOpcode::kFusion) {
      root = root->fused_instructions_computation()->root_instruction();
    }
    while (root->opcode() == HloOpcode::kBitcast) root = root->operand(0);
    return root;
  }

  void Read(const HloInstruction& array) {
    const auto it = demands_.find(&array);
    if (it == demands_.end() || !array.shape().IsArray()) return;
    reads_.push_back({&array, it->second});
  }

  // Bytes of an array that are read, each once.
  static double DistinctBytes(const Access& access) {
    return std::min(access.demand.evaluations,
                    ElementsOf(access.array->shape())) *
           ElementBytes(*access.array);
  }

  void AddRead(const Access& access, double total) {
    const MachineCosts& machine = model_.machine();
    const double distinct = DistinctBytes(access);
    const double loads =
        access.demand.evaluations * ElementBytes(*access.array);
    const double again =
        std::max(0.0, loads - distinct) * machine.read_ns_per_byte[0];
    switch (access.demand.order) {
      case AccessOrder::kConstant:
      case AccessOrder::kContiguous:
      case AccessOrder::kReversed:
      case AccessOrder::kGatheredRows:
        memory_ns_ += model_.ReadNanoseconds(distinct, total) + again;
        return;
      case AccessOrder::kTransposed:
        // Rows of registers are exchanged element by element, however small.
        memory_ns_ +=
            distinct *
                std::max(1.0, kTransposedBytes / ElementBytes(*access.array)) *
                model_.RateAt(machine.transposed_ns_per_byte, total) +
            again;
        return;
      case AccessOrder::kStrided:
        compute_ns_ += access.demand.evaluations * machine.strided_ns;
        memory_ns_ += model_.ReadNanoseconds(distinct, total);
        return;
      case AccessOrder::kGatheredElements:
        return;  // counted with the gather
    }
  }

  double BytesWritten() const {
    if (!in_place_) return BytesOf(instruction_.shape());
    const HloInstruction* root = Root();
    if (root->opcode() == HloOpcode::kDynamicUpdateSlice ||
        root->opcode() == HloOpcode::kScatter) {
      return Written(*root) * ElementBytes(*root);
    }
    return BytesOf(instruction_.shape());
  }

  CpuCost Sum() {
    const double written = BytesWritten();
    double bytes = written;
    for (const Access& access : reads_) bytes += DistinctBytes(access);
    for (const Access& access : reads_) AddRead(access, bytes);
    memory_ns_ += model_.WriteNanoseconds(written, bytes);
    if (functions_ > 1 &&
        ElementsOf(instruction_.shape()) < kInterleavedElements) {
      compute_ns_ += (model_.machine().dependent_factor - 1) * function_ns_;
    }
    CpuCost cost;
    cost.compute_ns = compute_ns_;
    cost.memory_ns = memory_ns_;
    cost.nanoseconds = model_.machine().instruction_ns +
                       model_.Overlapped(compute_ns_, memory_ns_);
    cost.bytes = bytes;
    return cost;
  }

  const CpuCostModel& model_;
  const HloInstruction& instruction_;
  const bool in_place_;
  const bool by_rows_or_columns_;
  absl::flat_hash_map<const HloInstruction*, Demand> demands_;
  std::vector<Access> reads_;
  int functions_ = 0;
  double function_ns_ = 0;
  double compute_ns_ = 0;
  double memory_ns_ = 0;
};

}  // namespace

CpuCost CpuCostModel::CodeCost(const HloInstruction& instruction) const {
  if (instruction.def().cost_class == CostClass::kNone) return {};
  return CodeCostAnalysis(*this, instruction).Run();
}

}  // namespace xla::cpu
