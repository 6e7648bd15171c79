// Takes the costs of operations from CostAnalysis, and their origin in the
// user's program from the metadata of instructions.
#include "xla/backends/cpu/traced_program.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/program_cost.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/analysis/buffer_assignment_proto.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_print_options.h"
#include "xla/proto/hlo.pb.h"

namespace xla::cpu {
namespace {

// Larger constants are left out of the module in a trace: viewers do not show
// their elements.
constexpr size_t kLargestConstantBytes = 1024;

bool HasOrigin(const HloInstruction& instruction) {
  return !instruction.metadata().op_name().empty() ||
         !instruction.metadata().source_file().empty() ||
         instruction.metadata().stack_frame_id() != 0;
}

// Returns the last instruction that says where it comes from: the thunk's own,
// or one that it computes, also inside a fusion. Passes drop the metadata of
// some of them.
const HloInstruction& InstructionWithOrigin(const ThunkOrigin& origin) {
  if (HasOrigin(*origin.instruction)) return *origin.instruction;
  const HloInstruction* found = origin.instruction;
  for (const HloInstruction* instruction : origin.instructions) {
    if (HasOrigin(*instruction)) found = instruction;
    if (instruction->opcode() != HloOpcode::kFusion) continue;
    for (const auto& fused :
         instruction->fused_instructions_computation()->instructions()) {
      if (HasOrigin(*fused)) found = fused;
    }
  }
  return *found;
}

// "train.py:17"; empty if it is not known.
std::string SourceOf(const HloInstruction& instruction) {
  const OpMetadata& metadata = instruction.metadata();
  if (!metadata.source_file().empty()) {
    return absl::StrCat(metadata.source_file(), ":", metadata.source_line());
  }
  const std::vector<HloStackFrame> frames =
      instruction.GetStackTraceFromMetadata();
  if (frames.empty()) return "";
  return absl::StrCat(frames.back().file_name, ":", frames.back().line);
}

class CpuTracedProgram : public TracedProgram {
 public:
  CpuTracedProgram(std::shared_ptr<const HloModule> module,
                   absl::Span<const ThunkOrigin> origins)
      : module_(std::move(module)), name_(module_->name()) {
    for (const ThunkOrigin& origin : origins) {
      thunks_.push_back({origin, std::string(origin.thunk->kind()),
                         origin.thunk->algorithm()});
      thunks_.back().origin.thunk = nullptr;  // It may be gone by then.
    }
  }

  const std::string& name() const override { return name_; }
  int64_t id() const override { return module_->unique_id(); }

  std::vector<TracedOp> Ops() const override {
    absl::StatusOr<InstructionCosts> costs =
        InstructionCosts::Analyse(*module_);
    std::vector<TracedOp> ops;
    for (const TracedThunk& thunk : thunks_) {
      TracedOp& op = ops.emplace_back(Describe(thunk));
      if (!costs.ok()) continue;
      for (const HloInstruction* instruction : thunk.origin.instructions) {
        const ProgramCost cost = costs->Of(*instruction);
        op.flops += cost.flops;
        op.transcendentals += cost.transcendentals;
        op.bytes += cost.bytes;
      }
    }
    return ops;
  }

  std::string SerializedHlo() const override {
    HloProto proto;
    *proto.mutable_hlo_module() = module_->ToProto();
    // The id by which the trace names the program.
    proto.mutable_hlo_module()->set_id(id());
    for (auto& computation :
         *proto.mutable_hlo_module()->mutable_computations()) {
      for (auto& instruction : *computation.mutable_instructions()) {
        if (instruction.literal().ByteSizeLong() > kLargestConstantBytes) {
          instruction.clear_literal();
        }
      }
    }
    AddBufferAssignment(proto);
    return proto.SerializeAsString();
  }

 private:
  struct TracedThunk {
    ThunkOrigin origin;
    std::string kind;
    std::string algorithm;
  };

  // XProf's memory viewer shows nothing without it. The compiler assigned the
  // same buffers, as the module and the function are the same.
  void AddBufferAssignment(HloProto& proto) const {
    const absl::StatusOr<std::unique_ptr<BufferAssignment>> assignment =
        BufferAssignment::Run(*module_, CpuAliasInfo());
    if (!assignment.ok()) return;
    *proto.mutable_buffer_assignment() =
        BufferAssignmentToProto(*module_, **assignment);
  }

  static TracedOp Describe(const TracedThunk& thunk) {
    const HloInstruction& instruction = *thunk.origin.instruction;
    const HloInstruction& source = InstructionWithOrigin(thunk.origin);
    TracedOp op;
    op.hlo = instruction.name();
    op.computation = instruction.parent()->name();
    op.opcode = std::string(HloOpcodeString(instruction.opcode()));
    op.category = instruction.ToCategory();
    op.kind = thunk.kind;
    op.algorithm = thunk.algorithm;
    op.text = instruction.ToString(
        HloPrintOptions::ShortParsable().set_print_large_constants(false));
    op.op_name = source.metadata().op_name();
    op.source = SourceOf(source);
    return op;
  }

  const std::shared_ptr<const HloModule> module_;
  const std::string name_;
  std::vector<TracedThunk> thunks_;
};

}  // namespace

std::shared_ptr<const TracedProgram> MakeTracedProgram(
    std::shared_ptr<const HloModule> module,
    absl::Span<const ThunkOrigin> origins) {
  return std::make_shared<CpuTracedProgram>(std::move(module), origins);
}

}  // namespace xla::cpu
