// Instance: a program that was compiled ahead of time, ready to run.
#ifndef XLA_BACKENDS_CPU_AOT_RUNTIME_INSTANCE_H_
#define XLA_BACKENDS_CPU_AOT_RUNTIME_INSTANCE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/backends/compiler.h"
#include "xla/backends/cpu/aot/runtime/program_data.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/backends/cpu/thunks/thunk_archive.h"
#include "xla/runtime/memory_chunk.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu::aot {

// The caller's threads.
class CallerThreads : public ParallelRunner {
 public:
  // On the calling thread if `threads` is null.
  explicit CallerThreads(const tessera_aot_threads* threads);

  int num_threads() const override { return threads_.num_threads; }
  void ParallelFor(int64_t count,
                   absl::FunctionRef<void(int64_t)> body) override;

 private:
  tessera_aot_threads threads_ = {};
};

// What lies where in the arena of a run.
struct ArenaPlan {
  // The memory from which temporaries and scratch count.
  int64_t memory_offset = 0;
  // Of temporaries, by allocation.
  std::vector<int64_t> offsets;
  int64_t bytes = 0;
};
// Places the scratch of `thunks` for so many threads.
ArenaPlan PlanArena(const ThunkSequence& thunks,
                    absl::Span<const AllocationData> allocations,
                    int num_threads);

struct AlignedDelete {
  void operator()(char* memory) const;
};
using AlignedMemory = std::unique_ptr<char[], AlignedDelete>;

// Immutable once made; thread safe.
class Instance : private ThunkReader::Program {
 public:
  // `program` and `constants` outlive the instance. Errors: FailedPrecondition
  // if the processor or this runtime is older than the program; InvalidArgument
  // for wrong constants; Internal if it is damaged; ResourceExhausted.
  static absl::StatusOr<std::unique_ptr<Instance>> Make(
      const tessera_aot_program& program, const tessera_aot_threads* threads,
      absl::string_view constants);

  int64_t arena_bytes() const { return arena_.bytes; }
  const char* features() const { return level_.features; }
  // Runs the program. `arena` has arena_bytes() bytes. Errors: InvalidArgument
  // for memory that is missing or not aligned.
  absl::Status Run(const void* const* arguments, void* const* results,
                   void* arena) const;

 private:
  Instance(const tessera_aot_program& program, const LevelData& level,
           const tessera_aot_threads* threads, absl::string_view constants);

  absl::Status Read();
  absl::Status CheckMemory(const void* const* arguments, void* const* results,
                           const void* arena) const;

  // ThunkReader::Program.
  KernelFunction Kernel(int64_t number) override;
  absl::StatusOr<MemoryChunk> ConstantInForm(
      const Slice& constant, absl::string_view form, int64_t bytes,
      absl::FunctionRef<void(const void* elements, void* to)> write) override;

  const tessera_aot_program& program_;
  const LevelData& level_;
  const VectorLevel vector_level_;
  const absl::string_view constants_;
  const absl::Span<const AllocationData> allocations_;
  CallerThreads threads_;
  VectorLevelRunner runner_;  // threads_ at vector_level_
  const Executable::RunOptions options_;
  // Constants in the forms of kernels, by offset and form.
  std::map<std::pair<int64_t, std::string>, AlignedMemory> forms_;
  ThunkSequence thunks_;
  ArenaPlan arena_;
};

}  // namespace xla::cpu::aot

#endif  // XLA_BACKENDS_CPU_AOT_RUNTIME_INSTANCE_H_
