// Follows arrays from what writes them to what reads them.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/backends/cpu/explain/missed_optimizations.h"
#include "xla/backends/cpu/fusion/cpu_fusion_backend.h"
#include "xla/backends/cpu/fusion/epilogue.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/analysis/source_line.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/values.h"
#include "xla/hlo/transforms/fuse/attention_fusion.h"
#include "xla/hlo/transforms/fuse/epilogue_fusion.h"
#include "xla/hlo/transforms/fuse/instruction_fusion.h"

namespace xla::cpu {
namespace {

using KernelNumbers = absl::flat_hash_map<const HloInstruction*, int64_t>;

// The most readers that a reason names.
constexpr size_t kNamedReaders = 3;

bool IsCustomFusion(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kFusion &&
         hlo.attrs<FusionAttrs>().kind == FusionKind::kCustom;
}

// A dot or convolution, alone or with an epilogue or prologue.
bool IsProduct(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kDot ||
         hlo.opcode() == HloOpcode::kConvolution || IsCustomFusion(hlo);
}

// Whether it writes an array that it computes, instead of naming one.
bool Computes(const HloInstruction& hlo) {
  return !IsMemoryName(hlo.opcode()) && !HasBodies(hlo) &&
         hlo.opcode() != HloOpcode::kCopy;
}

// Adds what reads the array through names of memory.
void AddReaders(const HloInstruction& array,
                std::vector<const HloInstruction*>& readers) {
  for (const HloInstruction* user : array.users()) {
    if (user->opcode() == HloOpcode::kBitcast) {
      AddReaders(*user, readers);
    } else if (Computes(*user) && std::find(readers.begin(), readers.end(),
                                            user) == readers.end()) {
      readers.push_back(user);
    }
  }
}

// The instruction in a fusion, at any depth, that computes leaf `leaf` of it.
const HloInstruction* Computing(const HloInstruction* hlo, int64_t leaf) {
  while (hlo->opcode() == HloOpcode::kFusion) {
    hlo = hlo->fused_instructions_computation()->root_instruction();
    if (hlo->opcode() == HloOpcode::kTuple) hlo = hlo->operand(leaf);
    while (hlo->opcode() == HloOpcode::kBitcast) hlo = hlo->operand(0);
    leaf = 0;
  }
  return hlo;
}

class MissedFusionFinder {
 public:
  MissedFusionFinder(const ThunkPlan& plan, const TargetInfo& target)
      : backend_(target), model_(target) {
    for (size_t i = 0; i < plan.kernels.size(); ++i) {
      for (const HloInstruction* hlo : plan.kernels[i].spec.instructions) {
        kernels_[hlo] = static_cast<int64_t>(i);
      }
    }
  }

  // Looks at what `writer` writes, in a computation that runs `runs` times.
  void Visit(const HloInstruction& writer, double runs) {
    if (!Computes(writer)) return;
    if (writer.shape().IsArray()) return VisitArray(writer, writer, 0, runs);
    for (const HloInstruction* user : writer.users()) {
      if (user->opcode() != HloOpcode::kGetTupleElement) continue;
      const int64_t index = user->attrs<GetTupleElementAttrs>().index;
      if (user->shape().IsArray()) VisitArray(writer, *user, index, runs);
    }
  }

  std::vector<MissedOptimization> Take() { return std::move(missed_); }

 private:
  // Code that runs in one kernel keeps small arrays in registers.
  bool AreOneKernel(const HloInstruction* a, const HloInstruction* b) const {
    const auto x = kernels_.find(a), y = kernels_.find(b);
    return x != kernels_.end() && y != kernels_.end() && x->second == y->second;
  }

  void VisitArray(const HloInstruction& writer, const HloInstruction& array,
                  int64_t leaf, double runs) {
    std::vector<const HloInstruction*> readers;
    AddReaders(array, readers);
    readers.erase(std::remove_if(readers.begin(), readers.end(),
                                 [&](const HloInstruction* reader) {
                                   return AreOneKernel(&writer, reader);
                                 }),
                  readers.end());
    if (readers.empty()) return;
    const HloInstruction* computing = Computing(&writer, leaf);
    const double bytes = BytesOf(array.shape());
    double nanoseconds = model_.WriteNanoseconds(bytes, bytes);
    nanoseconds += static_cast<double>(readers.size()) *
                   model_.ReadNanoseconds(bytes, bytes);
    MissedOptimization& missed = missed_.emplace_back();
    missed.kind = "not fused";
    missed.instruction = array.name();
    missed.source_line = SourceLine(*computing);
    missed.op_name = SourceOpName(*computing);
    missed.bytes = runs * bytes * static_cast<double>(1 + readers.size());
    missed.nanoseconds = runs * nanoseconds;
    missed.reason = absl::StrCat("read by ", Names(readers), ": ",
                                 Reason(writer, *computing, readers));
  }

  std::string Reason(const HloInstruction& writer,
                     const HloInstruction& computing,
                     absl::Span<const HloInstruction* const> readers) const {
    const HloInstruction& reader = *readers[0];
    const auto left = [&](absl::string_view attribute) {
      const auto of_writer = writer.get_frontend_attribute(attribute);
      return of_writer.has_value()
                 ? of_writer
                 : computing.get_frontend_attribute(attribute);
    };
    // The later decision says more: instruction-fusion only knows that a
    // product reads the array.
    auto no_attention = left(AttentionFusion::kReasonAttribute);
    // Its product may have got an epilogue since.
    if (IsCustomFusion(writer)) {
      for (const HloInstruction* inner :
           writer.fused_instructions_computation()->instructions()) {
        if (no_attention.has_value()) break;
        no_attention =
            inner->get_frontend_attribute(AttentionFusion::kReasonAttribute);
      }
    }
    if (no_attention.has_value()) {
      return absl::StrCat("no attention: ", *no_attention);
    }
    if (std::any_of(readers.begin(), readers.end(),
                    [](const auto* each) { return IsProduct(*each); })) {
      if (const auto why = left(EpilogueFusion::kReasonAttribute)) {
        return absl::StrCat("no prologue: ", *why);
      }
    }
    if (const auto why = left(InstructionFusion::kReasonAttribute)) {
      return *why;
    }
    if (writer.opcode() == HloOpcode::kDot ||
        writer.opcode() == HloOpcode::kConvolution) {
      const absl::string_view why = WhyNoEpilogue(writer, reader);
      if (!why.empty()) return absl::StrCat("no epilogue: ", why);
    }
    if (IsCustomFusion(writer)) {
      return "the fusion is a product, or attention, with all that its code "
             "computes in place";
    }
    if (writer.opcode() != HloOpcode::kFusion) {
      const absl::string_view why = backend_.WhyOpaque(writer);
      if (!why.empty()) return std::string(why);
    }
    if (reader.opcode() != HloOpcode::kFusion) {
      const absl::string_view why = backend_.WhyOpaque(reader);
      if (!why.empty()) return absl::StrCat(reader.name(), ": ", why);
    }
    return IsCustomFusion(reader) ? "the reader's code takes it from memory"
                                  : "passes after instruction-fusion made it";
  }

  static std::string Names(const std::vector<const HloInstruction*>& readers) {
    std::vector<std::string> names;
    for (const HloInstruction* reader : readers) {
      if (names.size() == kNamedReaders) break;
      names.push_back(reader->name());
    }
    const std::string text = absl::StrJoin(names, ", ");
    return readers.size() <= kNamedReaders
               ? text
               : absl::StrCat(text, " and ", readers.size() - kNamedReaders,
                              " more");
  }

  const CpuFusionBackend backend_;
  const CpuCostModel model_;
  KernelNumbers kernels_;
  std::vector<MissedOptimization> missed_;
};

}  // namespace

std::vector<MissedOptimization> FindMissedFusions(const HloModule& module,
                                                  const ThunkPlan& plan,
                                                  const TargetInfo& target,
                                                  const RunCounts& runs) {
  MissedFusionFinder finder(plan, target);
  for (const HloComputation* computation : module.MakeComputationPostOrder()) {
    const auto count = runs.find(computation);
    if (count == runs.end()) continue;
    for (const HloInstruction* hlo : computation->instructions()) {
      finder.Visit(*hlo, count->second);
    }
  }
  return finder.Take();
}

}  // namespace xla::cpu
