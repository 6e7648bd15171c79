// CpuExecutable: a compiled module: its thunks, the plan of its memory, and the
// native code that the thunks call. The compiler makes these.
#ifndef XLA_BACKENDS_CPU_CPU_EXECUTABLE_H_
#define XLA_BACKENDS_CPU_CPU_EXECUTABLE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/compiler.h"
#include "xla/backends/cpu/jit/compiled_code.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/backends/cpu/traced_program.h"
#include "xla/runtime/buffer_allocation.h"
#include "xla/runtime/memory_chunk.h"
#include "xla/runtime/parallel.h"
#include "xla/runtime/thread_pool.h"
#include "xla/runtime/tracing/trace_session.h"

namespace xla::cpu {

class CpuExecutable : public Executable {
 public:
  // Memory that a program uses on each device, by number.
  struct Allocation {
    using Kind = BufferAllocation::Kind;
    Kind kind = Kind::kTemp;
    // The number of the leaf among those of all parameters, or of the result.
    int32_t leaf = -1;
    int64_t size_bytes = 0;
    const char* data = nullptr;  // of a constant
  };
  struct Program {
    ThunkSequence thunks;
    // Of the thunks that traces show, by their trace_number.
    std::vector<ThunkOrigin> origins;
    // The level of the library kernels that thunks call; the thunks were made
    // in a scope of this level.
    VectorLevel vector_level = ProcessorVectorLevel();
    std::vector<Allocation> allocations;
    // Owns the native code and the constants.
    std::shared_ptr<void> code;
    int64_t code_bytes = 0;
    // SerializeCode returns these besides the module: the objects in `code`,
    // null if there are none, and PlanHash. If the latter is nullopt,
    // SerializeCode returns nothing.
    const CompiledObjects* objects = nullptr;
    std::optional<uint64_t> plan_hash;
    // These are as in NativeCode.
    std::string cost_table;
    std::array<int64_t, 3> cache_bytes{};
    CompileReport report;
  };

  // `runner` splits loops, and must outlive the executable. Several devices run
  // on the pool of the calling thread; if it belongs to none, on `pool`, or, if
  // `pool` is null, on the executable's own threads.
  CpuExecutable(std::unique_ptr<HloModule> module, Program program,
                ParallelRunner* runner, ThreadPool* pool = nullptr);
  ~CpuExecutable() override;

  absl::Status ExecuteBuffers(absl::Span<const DeviceBuffers> devices,
                              const RunOptions& options) const override;
  MemoryStats memory_stats() const override { return stats_; }
  absl::StatusOr<std::string> SerializeCode() const override;
  const CompileReport* compile_report() const override {
    return &program_.report;
  }

  const Program& program() const { return program_; }
  const ThunkSequence& thunks() const { return program_.thunks; }

 private:
  struct DeviceState;
  struct RunState;

  absl::Status CheckBuffers(absl::Span<const DeviceBuffers> devices,
                            const RunOptions& options) const;
  // `processes` is null unless some devices belong to other processes.
  std::unique_ptr<RunState> TakeState(
      const distributed::ProcessRun* processes) const;
  void PutBack(std::unique_ptr<RunState> state) const;
  absl::Status BindDevice(const DeviceBuffers& buffers,
                          const RunOptions& options, DeviceState& device) const;
  // Allocates the memory for temporaries and scratch of one device.
  absl::StatusOr<MemoryChunk> AllocateArena() const;
  ThreadPool* PoolForDevices() const;
  // Runs the devices of `state`, whose runs have begun, recorded by `session`.
  absl::Status RunTraced(const std::shared_ptr<TraceSession>& session,
                         const RunOptions& options, RunState& state) const;
  std::shared_ptr<const TracedProgram> ForTraces() const;
  void PlanArena();
  void ComputeStats();

  const Program program_;
  VectorLevelRunner level_runner_;  // at program_.vector_level
  ParallelRunner* const runner_;
  ThreadPool* const pool_;
  size_t num_inputs_ = 0;
  size_t num_outputs_ = 0;
  std::vector<int64_t> arena_offsets_;  // of temporaries, by allocation
  int64_t arena_bytes_ = 0;
  MemoryStats stats_;

  mutable std::mutex mutex_;  // guards the members below
  mutable std::vector<std::unique_ptr<RunState>> free_states_;
  mutable std::unique_ptr<ThreadPool> own_pool_;
  mutable std::shared_ptr<const TracedProgram> for_traces_;  // null at first
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CPU_EXECUTABLE_H_
