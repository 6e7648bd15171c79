// A conditional whose other branch makes zeros and tokens.
#include "xla/hlo/transforms/spmd/one_device.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {
namespace {

// Zero bytes: some types have no zero.
HloInstruction* MakeZeros(HloBuilder& emit, const Shape& shape) {
  if (shape.IsToken()) {
    return emit.Add(HloOpcode::kAfterAll, ShapeUtil::MakeTokenShape(), {});
  }
  if (shape.IsArray()) {
    HloInstruction* zero =
        emit.Constant(Literal(ShapeUtil::MakeShape(shape.element_type(), {})));
    return emit.Splat(zero, shape.dimensions());
  }
  std::vector<HloInstruction*> elements;
  for (const Shape& element : shape.tuple_shapes()) {
    elements.push_back(MakeZeros(emit, element));
  }
  return emit.Tuple(elements);
}

HloInstruction* RunCopy(HloBuilder& emit, const HloInstruction& hlo,
                        HloInstruction* operands) {
  std::vector<HloInstruction*> elements;
  for (int64_t i = 0; i < hlo.operand_count(); ++i) {
    elements.push_back(emit.Element(operands, i));
  }
  std::unique_ptr<HloInstruction> clone =
      hlo.CloneWithNewOperands(hlo.shape(), elements);
  clone->clear_sharding();
  return emit.computation()->AddInstruction(std::move(clone), hlo.name());
}

// Adds a computation of one parameter; `fill` returns its root.
template <typename Fill>
HloComputation* MakeBranch(HloModule& module, absl::string_view name,
                           const Shape& parameter_shape, Fill fill) {
  HloComputation* branch = module.AddEmbeddedComputation(
      std::make_unique<HloComputation>(module.UniqueComputationName(name)));
  HloBuilder emit(branch);
  HloInstruction* parameter = branch->AddInstruction(
      HloInstruction::CreateParameter(0, parameter_shape, "operands"));
  branch->set_root_instruction(fill(emit, parameter));
  return branch;
}

}  // namespace

bool MayRunOnOneDevice(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kCustomCall || hlo.HasSideEffect();
}

std::vector<std::vector<int64_t>> GroupsLedBy(int64_t device,
                                              const DeviceMesh& mesh,
                                              const AxisList& manual) {
  const AxisList free = Difference(mesh.AllAxes(), manual);
  const std::vector<int64_t> coordinates = mesh.CoordinatesOf(free);
  std::vector<std::vector<int64_t>> groups = mesh.GroupsAlong(free);
  for (std::vector<int64_t>& group : groups) {
    auto leader = absl::c_find_if(group, [&](int64_t member) {
      return coordinates[member] == coordinates[device];
    });
    std::rotate(group.begin(), leader, leader + 1);
  }
  return groups;
}

HloInstruction* RunOnLeaders(SpmdBuilder& emit, const HloInstruction& hlo,
                             absl::Span<HloInstruction* const> operands,
                             absl::Span<const std::vector<int64_t>> groups) {
  HloModule& module = *emit.computation()->parent();
  HloInstruction* tuple = emit.Tuple(operands);
  HloComputation* runs =
      MakeBranch(module, "on_the_device", tuple->shape(),
                 [&](HloBuilder& branch, HloInstruction* parameter) {
                   return RunCopy(branch, hlo, parameter);
                 });
  HloComputation* waits = MakeBranch(module, "elsewhere", tuple->shape(),
                                     [&](HloBuilder& branch, HloInstruction*) {
                                       return MakeZeros(branch, hlo.shape());
                                     });
  std::vector<int64_t> leads(emit.num_partitions(), 0);
  for (const std::vector<int64_t>& group : groups) leads[group[0]] = 1;
  HloInstruction* leader = emit.PerPartition(leads);
  HloInstruction* none = emit.Index(0);
  HloInstruction* is_here =
      emit.Compare(ComparisonDirection::kNe, leader, none);
  return emit.Add(HloOpcode::kConditional, hlo.shape(), {is_here, tuple, tuple},
                  {}, {runs, waits});
}

}  // namespace xla
