// Native code: what a loop over elements, rows or columns computes, reads and
// writes. From results back to what lies in memory it finds out how often each
// value is computed and in which order it is read.
#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/analysis/reduction_structure.h"
#include "xla/backends/cpu/cost/cost_model.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/linear_scan.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla::cpu {
namespace {

// The order in which elements are read, each slower than those before.
enum class Order {
  kContiguous,
  kTransposed,  // across rows
  kStrided,     // at a distance
  kGathered,    // rows at indices that are data
  kScattered,   // elements at such indices
};

// Large arrays repay code for several registers at a time, so that functions
// do not wait for each other (PlanLoop).
constexpr double kInterleavedElements = 1 << 18;

// The table's rate is that of elements of so many bytes.
constexpr double kTransposedBytes = 4;

struct Demand {
  double evaluations = 0;
  Order order = Order::kContiguous;
};

double ElementBytes(const HloInstruction& value) {
  return BytesOf(value) / std::max(1.0, ElementsOf(value));
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
        return ElementsOf(*value.operand(1));
      }
      if (value.opcode() == HloOpcode::kScatter) {
        return ElementsOf(*value.operand(value.operand_count() / 2 + 1));
      }
    }
    return ElementsOf(value);
  }

  void Need(const HloInstruction* operand, double evaluations, Order order) {
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
          Need(operand, Written(*operand), Order::kContiguous);
        }
        return;
      case HloOpcode::kGetTupleElement:
        Need(value.operand(0), ElementsOf(*value.operand(0)), demand.order);
        return;
      case HloOpcode::kScatter:
        VisitScatter(value, ns);
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
    for (const HloInstruction* operand : value.operands()) {
      const double elements = ElementsOf(*operand);
      Need(operand, elements == 1 ? 1 : times, demand.order);
    }
  }

  // Whether `value` moves elements, which is counted then.
  bool VisitMovement(const HloInstruction& value, const Demand& demand) {
    const double times = demand.evaluations;
    switch (value.opcode()) {
      case HloOpcode::kBroadcast: {
        const double elements = ElementsOf(*value.operand(0));
        // What belongs to a row is computed once for it.
        Need(value.operand(0),
             elements == 1 || by_rows_or_columns_ ? elements : times,
             Order::kContiguous);
        return true;
      }
      case HloOpcode::kTranspose: {
        const auto& order = value.attrs<TransposeAttrs>().dimensions;
        const bool same =
            order.empty() ||
            order.back() == static_cast<int64_t>(order.size()) - 1;
        Need(value.operand(0), times,
             std::max(demand.order,
                      same ? Order::kContiguous : Order::kTransposed));
        return true;
      }
      case HloOpcode::kSlice: {
        const auto& ranges = value.attrs<SliceAttrs>().slice;
        const bool strided = !ranges.empty() && ranges.back().stride != 1;
        Need(value.operand(0), times,
             std::max(demand.order,
                      strided ? Order::kStrided : Order::kContiguous));
        return true;
      }
      case HloOpcode::kDynamicSlice:
      case HloOpcode::kReverse:
      case HloOpcode::kReshape:
      case HloOpcode::kBitcast:
      case HloOpcode::kCopy:
        NeedFirst(value, times, demand.order);
        return true;
      case HloOpcode::kPad:
      case HloOpcode::kConcatenate:
        // Ranges without seams are loops of their own (loop_partition.h), so
        // that finding an element costs nothing.
        for (const HloInstruction* operand : value.operands()) {
          Need(operand,
               times / std::max(1.0, ElementsOf(value)) * ElementsOf(*operand),
               demand.order);
        }
        return true;
      case HloOpcode::kGather:
        VisitGather(value, times);
        return true;
      case HloOpcode::kDynamicUpdateSlice:
        if (!in_place_) Need(value.operand(0), times, demand.order);
        Need(value.operand(1), std::min(times, ElementsOf(*value.operand(1))),
             demand.order);
        return true;
      default:
        return false;
    }
  }

  void VisitReduce(const HloInstruction& reduce, double times, double ns) {
    const int64_t inputs = reduce.operand_count() / 2;
    const double elements = ElementsOf(*reduce.operand(0));
    const double results =
        std::max(1.0, ElementsOf(reduce) / static_cast<double>(inputs));
    // At least once for each result that is asked for.
    const double passes =
        std::max(1.0, times / static_cast<double>(inputs) / results);
    compute_ns_ += passes * elements * ns;
    for (int64_t i = 0; i < inputs; ++i) {
      Need(reduce.operand(i), passes * elements, Order::kContiguous);
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
      Need(operand, ElementsOf(*operand), Order::kContiguous);
    }
  }

  void NeedFirst(const HloInstruction& value, double times, Order order) {
    Need(value.operand(0), times, order);
    for (int64_t i = 1; i < value.operand_count(); ++i) {
      Need(value.operand(i), 1, Order::kContiguous);
    }
  }

  void VisitGather(const HloInstruction& gather, double times) {
    const auto& attrs = gather.attrs<GatherAttrs>();
    const double row = attrs.slice_sizes.empty()
                           ? 1
                           : static_cast<double>(attrs.slice_sizes.back());
    const double rows = times / std::max(1.0, row);
    memory_ns_ += rows * model_.RateAt(model_.machine().gathered_ns,
                                       BytesOf(*gather.operand(0)));
    Need(gather.operand(0), times,
         row > 1 ? Order::kGathered : Order::kScattered);
    Need(gather.operand(1), std::min(rows, ElementsOf(*gather.operand(1))),
         Order::kContiguous);
  }

  void VisitScatter(const HloInstruction& scatter, double ns) {
    const int64_t operands = scatter.operand_count() / 2;
    const HloInstruction* indices = scatter.operand(operands);
    const double updates = ElementsOf(*scatter.operand(operands + 1));
    const int64_t width = std::max<int64_t>(
        1, scatter.attrs<ScatterAttrs>()
               .dimension_numbers.scatter_dims_to_operand_dims_size());
    const double rows = ElementsOf(*indices) / static_cast<double>(width);
    compute_ns_ += rows * model_.machine().scattered_ns + updates * ns;
    for (int64_t i = 0; i < scatter.operand_count(); ++i) {
      if (i < operands && in_place_) continue;
      Need(scatter.operand(i), ElementsOf(*scatter.operand(i)),
           Order::kContiguous);
    }
  }

  void VisitWindow(const HloInstruction& window, double times, double ns) {
    const int64_t inputs = window.operand_count() / 2;
    const std::optional<LinearScan> scan = LinearScanOf(window);
    double each = 1;
    if (scan.has_value() && &window == Root()) {
      const bool along_rows =
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
           Order::kContiguous);
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
    return std::min(access.demand.evaluations, ElementsOf(*access.array)) *
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
      case Order::kContiguous:
      case Order::kGathered:
        memory_ns_ += model_.ReadNanoseconds(distinct, total) + again;
        return;
      case Order::kTransposed:
        // Rows of registers are exchanged element by element, however small.
        memory_ns_ +=
            distinct *
                std::max(1.0, kTransposedBytes / ElementBytes(*access.array)) *
                model_.RateAt(machine.transposed_ns_per_byte, total) +
            again;
        return;
      case Order::kStrided:
        compute_ns_ += access.demand.evaluations * machine.strided_ns;
        memory_ns_ += model_.ReadNanoseconds(distinct, total);
        return;
      case Order::kScattered:
        return;  // counted with the gather
    }
  }

  double BytesWritten() const {
    if (!in_place_) return BytesOf(instruction_);
    const HloInstruction* root = Root();
    if (root->opcode() == HloOpcode::kDynamicUpdateSlice ||
        root->opcode() == HloOpcode::kScatter) {
      return Written(*root) * ElementBytes(*root);
    }
    return BytesOf(instruction_);
  }

  CpuCost Sum() {
    const double written = BytesWritten();
    double bytes = written;
    for (const Access& access : reads_) bytes += DistinctBytes(access);
    for (const Access& access : reads_) AddRead(access, bytes);
    memory_ns_ += model_.WriteNanoseconds(written, bytes);
    if (functions_ > 1 && ElementsOf(instruction_) < kInterleavedElements) {
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
