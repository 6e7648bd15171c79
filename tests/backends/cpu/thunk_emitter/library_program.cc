// Plans memory without any sharing.
#include "tests/backends/cpu/thunk_emitter/library_program.h"

#include <map>
#include <utility>

#include "gtest/gtest.h"
#include "xla/backends/array_memory.h"
#include "xla/backends/cpu/cpu_executable.h"
#include "xla/backends/cpu/thunk_emitter/library_ops.h"
#include "xla/backends/cpu/thunks/kernel_thunk.h"
#include "xla/backends/evaluator/evaluator_compiler.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla::cpu {
namespace {

using Allocation = CpuExecutable::Allocation;

class Planner : public ThunkEmitterContext {
 public:
  explicit Planner(KernelFunction kernel) : kernel_(kernel) {}

  absl::StatusOr<Slice> SliceOf(const HloInstruction& hlo,
                                int64_t leaf) const override {
    return slices_.at(&hlo)[leaf];
  }
  absl::StatusOr<KernelFunction> KernelOf(const HloInstruction& hlo,
                                          int64_t number) const override {
    if (kernel_ != nullptr) return kernel_;
    return absl::InternalError("no kernel");
  }

  absl::Status Add(const HloInstruction& hlo) {
    std::vector<Slice>& slices = slices_[&hlo];
    switch (hlo.opcode()) {
      case HloOpcode::kTuple:
        for (const HloInstruction* operand : hlo.operands()) {
          const std::vector<Slice>& parts = slices_.at(operand);
          slices.insert(slices.end(), parts.begin(), parts.end());
        }
        return absl::OkStatus();
      case HloOpcode::kGetTupleElement: {
        const Shape& shape = hlo.operand(0)->shape();
        int64_t first = 0;
        for (int64_t i = 0; i < hlo.tuple_index(); ++i) {
          first += Leaves(shape.tuple_shapes(i)).size();
        }
        const std::vector<Slice>& whole = slices_.at(hlo.operand(0));
        slices.assign(whole.begin() + first,
                      whole.begin() + first + Leaves(hlo.shape()).size());
        return absl::OkStatus();
      }
      case HloOpcode::kAsyncStart:
        for (const HloInstruction* operand : hlo.operands()) {
          slices.push_back(slices_.at(operand)[0]);
        }
        break;
      case HloOpcode::kAsyncDone: {
        const Shape& start = hlo.operand(0)->shape();
        const std::vector<Slice>& whole = slices_.at(hlo.operand(0));
        const auto begin = whole.begin() + LeafCount(start.tuple_shapes(0));
        slices.assign(begin, begin + LeafCount(hlo.shape()));
        return absl::OkStatus();
      }
      default:
        break;
    }
    int32_t leaf = 0;
    const std::vector<const Shape*> leaves = Leaves(hlo.shape());
    for (size_t i = slices.size(); i < leaves.size(); ++i) {
      const Shape* shape = leaves[i];
      Slice& slice = slices.emplace_back();
      if (!shape->IsArray()) continue;
      Allocation allocation;
      TF_ASSIGN_OR_RETURN(allocation.size_bytes, DeviceBufferBytes(*shape));
      if (hlo.opcode() == HloOpcode::kParameter) {
        allocation.kind = Allocation::Kind::kParameter;
        allocation.leaf = parameter_leaves_ + leaf;
      } else if (hlo.opcode() == HloOpcode::kConstant) {
        allocation.kind = Allocation::Kind::kConstant;
        allocation.data =
            static_cast<const char*>(hlo.literal().untyped_data());
      }
      slice = NewSlice(allocation);
      ++leaf;
    }
    if (hlo.opcode() == HloOpcode::kParameter) parameter_leaves_ += leaf;
    return absl::OkStatus();
  }

  Slice NewSlice(const Allocation& allocation) {
    allocations_.push_back(allocation);
    return {static_cast<int64_t>(allocations_.size()) - 1, 0,
            allocation.size_bytes};
  }
  // Copies the root's leaves to the outputs.
  std::unique_ptr<Thunk> CopyResults(const HloInstruction& root) {
    std::vector<CopyThunk::Move> moves;
    int32_t leaf = 0;
    for (const Slice& slice : slices_.at(&root)) {
      Allocation output{Allocation::Kind::kOutput, leaf++, slice.size, nullptr};
      moves.push_back({slice, NewSlice(output)});
    }
    return std::make_unique<CopyThunk>("results", std::move(moves));
  }
  std::vector<Allocation> TakeAllocations() { return std::move(allocations_); }

 private:
  const KernelFunction kernel_;
  std::map<const HloInstruction*, std::vector<Slice>> slices_;
  std::vector<Allocation> allocations_;
  int32_t parameter_leaves_ = 0;
};

absl::StatusOr<std::unique_ptr<HloModule>> Parse(
    absl::string_view text, const LibraryOptions& options) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      ParseAndReturnUnverifiedModule(text));
  TF_RETURN_IF_ERROR(HloVerifier().Verify(*module));
  module->mutable_config().set_replica_count(options.replicas);
  module->mutable_config().set_num_partitions(options.partitions);
  return module;
}

absl::StatusOr<std::vector<Literal>> Run(
    const absl::StatusOr<std::unique_ptr<Executable>>& executable,
    const std::vector<std::vector<Literal>>& arguments,
    const LibraryOptions& options) {
  TF_RETURN_IF_ERROR(executable.status());
  std::vector<std::vector<const Literal*>> pointers(
      (*executable)->num_devices());
  for (size_t d = 0; d < arguments.size(); ++d) {
    for (const Literal& literal : arguments[d]) {
      pointers[d].push_back(&literal);
    }
  }
  Executable::RunOptions run;
  run.seed = 7;
  run.queues = options.queues;
  return (*executable)->Execute(pointers, run);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Executable>> CompileLibraryProgram(
    absl::string_view text, const LibraryOptions& options) {
  static auto* const inline_runner = new InlineRunner;
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, Parse(text, options));
  Planner planner(options.computation);
  CpuExecutable::Program program;
  const HloComputation& entry = *module->entry_computation();
  for (const HloInstruction* hlo : entry.MakeInstructionPostOrder()) {
    TF_RETURN_IF_ERROR(planner.Add(*hlo));
    if (!IsLibraryOp(*hlo)) continue;
    TF_ASSIGN_OR_RETURN(std::unique_ptr<Thunk> thunk,
                        EmitLibraryThunk(*hlo, planner));
    if (thunk != nullptr) program.thunks.push_back(std::move(thunk));
  }
  program.thunks.push_back(planner.CopyResults(*entry.root_instruction()));
  program.allocations = planner.TakeAllocations();
  return std::make_unique<CpuExecutable>(
      std::move(module), std::move(program),
      options.runner == nullptr ? inline_runner : options.runner);
}

std::vector<std::string> RunBoth(
    absl::string_view text, const std::vector<std::vector<Literal>>& arguments,
    const LibraryOptions& options) {
  const auto actual =
      Run(CompileLibraryProgram(text, options), arguments, options);
  absl::StatusOr<std::unique_ptr<Executable>> evaluator =
      absl::InternalError("");
  auto module = Parse(text, options);
  evaluator = module.ok() ? EvaluatorCompiler().Compile(*std::move(module))
                          : module.status();
  const auto expected = Run(evaluator, arguments, options);
  EXPECT_EQ(actual.status().code(), expected.status().code())
      << actual.status() << "\n"
      << expected.status();
  if (!actual.ok()) return {std::string(actual.status().message())};
  if (!expected.ok()) return {};
  std::vector<std::string> texts;
  for (size_t d = 0; d < actual->size(); ++d) {
    texts.push_back((*actual)[d].ToStringOneline());
    if ((*actual)[d] == (*expected)[d]) continue;
    const absl::Status near = literal_comparison::Near(
        (*expected)[d], (*actual)[d], ErrorSpec(1e-5, 1e-4));
    EXPECT_TRUE(near.ok()) << "device " << d << ": " << near;
  }
  return texts;
}

std::string RunBothAlone(absl::string_view text, std::vector<Literal> arguments,
                         KernelFunction computation) {
  LibraryOptions options;
  options.computation = computation;
  std::vector<std::vector<Literal>> devices(1);
  devices[0] = std::move(arguments);
  const std::vector<std::string> results = RunBoth(text, devices, options);
  return results.empty() ? "" : results[0];
}

}  // namespace xla::cpu
