// Follows the protos of hlo_proto.cc. Whatever these get is to be written here
// too: tests/hlo/ir/module_bytes_test.cc changes each field of protos.
#include "xla/hlo/ir/module/module_bytes.h"

#include <cstdint>
#include <memory>

#include "xla/hlo/attrs/field_bytes.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/module/print_order.h"

namespace xla {
namespace {

// Modules that nobody verified may lack operands.
template <typename Item>
void WriteId(const Item* item, ByteStream& out) {
  out.Number(item == nullptr ? int64_t{-1} : item->unique_id());
}

template <typename List>
void WriteIds(const List& list, ByteStream& out) {
  out.Number(uint64_t{list.size()});
  for (const auto* item : list) WriteId(item, out);
}

void WriteAnnotations(const HloInstruction& hlo, ByteStream& out) {
  const bool has_some =
      hlo.metadata().ByteSizeLong() > 0 || hlo.has_sharding() ||
      hlo.frontend_attributes().ByteSizeLong() > 0 ||
      hlo.has_backend_config() || hlo.statistics_viz().ByteSizeLong() > 0 ||
      hlo.is_composite();
  out.Number(has_some);
  if (has_some) {
    WriteBytes(hlo.metadata(), out);
    out.Number(hlo.has_sharding());
    WriteBytes(hlo.sharding_proto(), out);
    WriteBytes(hlo.frontend_attributes(), out);
    out.Text(hlo.raw_backend_config_string());
    WriteBytes(hlo.statistics_viz(), out);
    out.Number(hlo.is_composite());
  }
  const std::shared_ptr<OriginalValue> value = hlo.original_value();
  out.Number(value != nullptr);
  if (value != nullptr) WriteBytes(value->ToProto(), out);
}

void WriteInstruction(const HloInstruction& hlo, ByteStream& out) {
  out.Number(hlo.unique_id());
  out.Text(hlo.name());
  out.Number(hlo.opcode());
  WriteBytes(hlo.shape(), out);
  WriteIds(hlo.operands(), out);
  WriteIds(hlo.control_predecessors(), out);
  WriteIds(hlo.called_computations(), out);
  WriteBytes(hlo.raw_attrs(), out);
  WriteAnnotations(hlo, out);
}

// The shape of the program follows from the parameters and the root.
void WriteComputation(const HloComputation& computation, ByteStream& out) {
  out.Number(computation.unique_id());
  out.Text(computation.name());
  WriteId(computation.root_instruction(), out);
  out.Number(computation.IsFusionComputation());
  out.Text(computation.execution_thread());
  out.Number(int64_t{computation.instruction_count()});
  if (computation.parent() != nullptr && computation.parent()->is_scheduled()) {
    for (const HloInstruction* hlo : computation.instructions()) {
      WriteInstruction(*hlo, out);
    }
  } else {
    for (const HloInstruction* hlo : computation.MakeInstructionPostOrder()) {
      WriteInstruction(*hlo, out);
    }
  }
}

}  // namespace

void WriteBytes(const HloModule& module, ByteStream& out) {
  WriteBytes(ModuleFieldsToProto(module), out);
  out.Number(module.is_scheduled());
  out.Number(int64_t{module.computation_count()});
  for (const HloComputation* computation : PrintOrder(module)) {
    WriteComputation(*computation, out);
  }
}

}  // namespace xla
