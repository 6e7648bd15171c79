// Takes arguments, and runs now or later.
#include "xla/pjrt/run/pjrt_run.h"

#include <new>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "xla/base/status_macros.h"
#include "xla/client/profile_timer.h"
#include "xla/pjrt/run/interrupts.h"
#include "xla/pjrt/run/out_of_memory.h"
#include "xla/runtime/memory_chunk.h"
#include "xla/runtime/thread_pool.h"

namespace xla {

absl::Status PjRtRun::AddInput(PjRtBuffer& buffer,
                               const PjRtExecutable::ParameterLeaf& leaf,
                               bool donated, absl::Status* failed) {
  PjRtBuffer::Use use;
  if (donated) {
    TF_RETURN_IF_ERROR(buffer.AcquireForDonation(&use));
    if (!use.readers_done.IsReady()) {
      readers.push_back(std::move(use.readers_done));
    }
  } else {
    TF_RETURN_IF_ERROR(buffer.AcquireForRead(done, &use));
  }
  if (!use.definition.IsReady()) {
    definitions.push_back(std::move(use.definition));
  } else if (use.definition.IsFailed() && failed->ok()) {
    *failed = use.definition.GetStatus();
  }
  inputs.push_back({leaf.shape.get(), use.chunk.data(), use.reusable});
  input_chunks.push_back(std::move(use.chunk));
  return absl::OkStatus();
}

absl::Status PjRtRun::AddOutput(const PjRtExecutable::OutputLeaf& leaf,
                                int alias, const PjRtMemorySpace& space) {
  MemoryChunk chunk;
  if (alias >= 0 && inputs[alias].donated &&
      input_chunks[alias].size_bytes() >= leaf.bytes) {
    chunk = input_chunks[alias];
  } else if (!leaf.shape->IsToken()) {
    absl::StatusOr<MemoryChunk> allocated =
        MemoryChunk::Allocate(leaf.bytes, space.account());
    if (!allocated.ok()) {
      return ExplainOutOfMemory(allocated.status(),
                                executable->executable().module());
    }
    chunk = *std::move(allocated);
  }
  outputs.push_back({leaf.shape.get(), chunk.data()});
  output_chunks.push_back(std::move(chunk));
  return absl::OkStatus();
}

bool PjRtRun::arguments_end_by_themselves() const {
  const auto ends = [](const Event& event) { return event.EndsByItself(); };
  return absl::c_all_of(definitions, ends) && absl::c_all_of(readers, ends);
}

void PjRtRun::AwaitArguments() {
  for (const Event& event : definitions) event.Await().IgnoreError();
  for (const Event& event : readers) event.Await().IgnoreError();
}

absl::Status PjRtRun::Execute() {
  absl::Status status = ExecuteHere();
  if (status.ok() && processes != nullptr) {
    const BlockingSection section;
    return processes->Finish();
  }
  // The other processes would wait for this one.
  if (!status.ok() && processes != nullptr) return processes->Fail(status);
  return status;
}

absl::Status PjRtRun::ExecuteHere() {
  const CancellationScope scope(cancellation);
  for (const Event& definition : definitions) {
    if (definition.IsFailed()) return definition.GetStatus();
  }
  if (processes == nullptr) num_devices = executable->num_devices();
  const size_t num_inputs = inputs.size() / num_devices;
  const size_t num_outputs = outputs.size() / num_devices;
  absl::InlinedVector<Executable::DeviceBuffers, 1> buffers;
  for (size_t d = 0; d < num_devices; ++d) {
    buffers.push_back(
        {absl::MakeConstSpan(inputs).subspan(d * num_inputs, num_inputs),
         absl::MakeConstSpan(outputs).subspan(d * num_outputs, num_outputs)});
  }
  options.device_ids = device_ids;
  options.ffi_context = ffi_context.get();
  options.processes = processes.get();
  if (processes != nullptr) {
    const BlockingSection section;
    TF_RETURN_IF_ERROR(processes->Begin());
  }
  InlineRuns& inline_runs = executable->inline_runs();
  const bool measure = inline_runs.wants_measures() || profile != nullptr;
  const absl::Time start = measure ? absl::Now() : absl::Time();
  absl::Status status =
      executable->executable().ExecuteBuffers(buffers, options);
  if (measure && status.ok()) {
    const absl::Duration time = absl::Now() - start;
    if (inline_runs.wants_measures()) inline_runs.Measured(time);
    RecordRunTime(absl::ToInt64Nanoseconds(time), profile);
  }
  for (const auto& transfers : host_transfers) {
    status.Update(transfers->Finish());
  }
  input_chunks.clear();
  output_chunks.clear();
  return ExplainOutOfMemory(status, executable->executable().module());
}

// Catches here what the standard library throws: nothing above a worker would.
absl::Status PjRtRun::ExecuteInMemory() {
  try {
    return Execute();
  } catch (const std::bad_alloc&) {
    return ExplainOutOfMemory(
        absl::ResourceExhaustedError(
            absl::StrCat("out of memory: the allocator has none of the ",
                         MachineMemoryBytes(), " bytes of this machine left")),
        executable->executable().module());
  }
}

void PjRtRun::Start(PjRtRun run, std::shared_ptr<PjRtClient::Gate> gate) {
  absl::InlinedVector<Event, 4> events(run.definitions.begin(),
                                       run.definitions.end());
  events.insert(events.end(), run.readers.begin(), run.readers.end());
  const Event ready = Event::AfterAll(events);
  auto shared = std::make_shared<PjRtRun>(std::move(run));
  ready.OnReady([shared = std::move(shared),
                 gate = std::move(gate)](const absl::Status&) mutable {
    std::lock_guard<std::recursive_mutex> lock(gate->mutex);
    if (gate->pool == nullptr) {
      shared->fate->End(absl::CancelledError(
          "the client was destroyed before the arguments were ready"));
      return;
    }
    gate->pool->Schedule([shared = std::move(shared)]() mutable {
      const std::shared_ptr<RunFate> fate = shared->fate;
      if (!fate->Begin()) return;
      absl::Status status = shared->ExecuteInMemory();
      const bool cancelled = shared->cancellation.cancelled();
      shared.reset();  // released before anyone learns that the run is over
      if (cancelled && !status.ok()) AwaitInterruptGrace();
      fate->End(std::move(status));
    });
  });
}

}  // namespace xla
