// PjRtRun: one run of a program on all its devices; it holds the arguments and
// the memory of the results.
#ifndef XLA_PJRT_RUN_PJRT_RUN_H_
#define XLA_PJRT_RUN_PJRT_RUN_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/backends/compiler.h"
#include "xla/base/control/cancellation.h"
#include "xla/distributed/process_run.h"
#include "xla/pjrt/pjrt_buffer.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/pjrt/pjrt_executable.h"
#include "xla/pjrt/run/host_transfers.h"
#include "xla/pjrt/run/run_fate.h"
#include "xla/runtime/event.h"
#include "xla/runtime/ffi/execution_context.h"
#include "xla/runtime/memory_chunk.h"

namespace xla {

// Used by one thread at a time. Movable until it has started.
struct PjRtRun {
  std::shared_ptr<const PjRtExecutable> executable;
  std::shared_ptr<const ffi::ExecutionContext> ffi_context;
  Executable::RunOptions options;
  // That of the thread which starts the run.
  CancellationToken cancellation = CancellationToken::Current();
  absl::InlinedVector<int64_t, 1> device_ids;
  // Set if some devices belong to other processes, which `device_ids` includes.
  std::unique_ptr<distributed::ProcessRun> processes;
  size_t num_devices = 0;  // of this process, if that is set
  // The leaves of all devices, one device after the other.
  absl::InlinedVector<Executable::Input, 4> inputs;
  absl::InlinedVector<Executable::Output, 2> outputs;
  absl::InlinedVector<MemoryChunk, 4> input_chunks;
  absl::InlinedVector<MemoryChunk, 2> output_chunks;
  // The events that were not ready when the arguments were taken: definitions,
  // whose errors become the run's, and readers of donated memory, whose errors
  // do not.
  absl::InlinedVector<Event, 2> definitions;
  absl::InlinedVector<Event, 2> readers;
  // For devices whose host transfers have callbacks.
  std::vector<std::unique_ptr<HostTransfers>> host_transfers;
  // If set, Execute writes the time that the program takes to it.
  ExecutionProfile* profile = nullptr;
  // Ready when the run no longer uses anything.
  Event done;
  std::shared_ptr<RunFate> fate;  // sets `done`, for Start

  // Takes one more argument. Writes the error of an argument that is known to
  // have failed to `failed`. Errors: InvalidArgument for a deleted buffer.
  absl::Status AddInput(PjRtBuffer& buffer,
                        const PjRtExecutable::ParameterLeaf& leaf, bool donated,
                        absl::Status* failed);
  // Allocates one more result: in the memory of input `alias` (its number among
  // all inputs; -1: none) if that may be written. Errors: ResourceExhausted.
  absl::Status AddOutput(const PjRtExecutable::OutputLeaf& leaf, int alias,
                         const PjRtMemorySpace& space);

  bool is_ready() const { return definitions.empty() && readers.empty(); }
  // True if the events become ready without the host: none is of memory that
  // the host fills or of a run that waits for its data.
  bool arguments_end_by_themselves() const;
  // Waits for the events; Execute returns the errors of definitions.
  void AwaitArguments();
  // Runs on this thread; all events must be ready. Releases the arguments.
  absl::Status Execute();
  // The same; the caller tells other processes of errors.
  absl::Status ExecuteHere();
  // Execute on a worker; returns ResourceExhausted if allocation fails.
  absl::Status ExecuteInMemory();

  // Runs on the pool behind `gate` once all events are ready, unless it is
  // poisoned by then, and sets `done`.
  // Fails with Cancelled if the client is gone by then.
  static void Start(PjRtRun run, std::shared_ptr<PjRtClient::Gate> gate);
};

}  // namespace xla

#endif  // XLA_PJRT_RUN_PJRT_RUN_H_
