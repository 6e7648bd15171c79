// Checks arguments, and chooses the thread that runs.
#include "xla/pjrt/pjrt_loaded_executable.h"

#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/array_memory.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/pjrt/run/host_transfers.h"
#include "xla/pjrt/run/pjrt_run.h"
#include "xla/pjrt/run/program_identity.h"
#include "xla/runtime/thread_pool.h"
#include "xla/runtime/tracing/trace_session.h"

namespace xla {
namespace {

using Arguments = absl::Span<PjRtBuffer* const>;

// True if elements are at the same positions, in whatever memory space.
bool SameLayout(const Layout& a, const Layout& b) {
  if (a.is_plain() && b.is_plain()) {
    return a.minor_to_major() == b.minor_to_major();
  }
  return Layout::Equal().IgnoreMemorySpace()(a, b);
}

bool SameShape(const Shape& a, const Shape& b) {
  return a.element_type() == b.element_type() &&
         a.dimensions() == b.dimensions() &&
         (!a.IsArray() || SameLayout(a.layout(), b.layout())) &&
         IsBitPacked(a) == IsBitPacked(b) &&
         a.has_dynamic_dimensions() == b.has_dynamic_dimensions() &&
         (!a.has_dynamic_dimensions() ||
          a.dynamic_dimensions() == b.dynamic_dimensions());
}

// JAX passes an empty array of pred for the first token.
bool StandsForToken(const Shape& argument, const Shape& parameter) {
  return parameter.IsToken() && argument.IsArray() &&
         argument.element_type() == PRED && argument.dimensions_size() == 1 &&
         argument.dimensions(0) == 0;
}

absl::Status WrongShape(const PjRtExecutable& executable, int i,
                        const PjRtBuffer& buffer) {
  const Shape& shape = buffer.on_device_shape();
  const Shape& parameter = *executable.parameters()[i].shape;
  std::string message =
      absl::StrCat("argument ", i, " of program ", executable.name(), " is ",
                   shape.ToString(/*print_layout=*/true),
                   ", but the program was compiled for ",
                   parameter.ToString(/*print_layout=*/true));
  const absl::StatusOr<int64_t> bytes = DeviceBufferBytes(shape);
  const absl::StatusOr<int64_t> expected = DeviceBufferBytes(parameter);
  if (bytes.ok() && expected.ok() && *bytes != *expected) {
    absl::StrAppend(&message, ": incompatible size, ", *bytes,
                    " bytes where it takes ", *expected);
  }
  return absl::InvalidArgumentError(std::move(message));
}

absl::Status CheckArguments(const PjRtExecutable& executable,
                            Arguments arguments, const PjRtDevice& device) {
  const auto& parameters = executable.parameters();
  if (arguments.size() != parameters.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "program ", executable.name(), " takes ", parameters.size(),
        " buffers, but got ", arguments.size()));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat(
          "argument ", i, " of program ", executable.name(), " is null"));
    }
    const PjRtBuffer& buffer = *arguments[i];
    if (buffer.device() != &device) {
      return absl::InvalidArgumentError(
          absl::StrCat("argument ", i, " of program ", executable.name(),
                       " is on ", buffer.device()->DebugString(),
                       ", but the run on ", device.DebugString()));
    }
    if (buffer.shared_shape() != parameters[i].shape &&
        !SameShape(buffer.on_device_shape(), *parameters[i].shape) &&
        !StandsForToken(buffer.on_device_shape(), *parameters[i].shape)) {
      return WrongShape(executable, i, buffer);
    }
  }
  return absl::OkStatus();
}

bool IsDonated(const PjRtExecutable& executable, const ExecuteOptions& options,
               int i) {
  return executable.parameters()[i].donated &&
         (options.non_donatable_input_indices.empty() ||
          !options.non_donatable_input_indices.contains(i));
}

// Records that this thread has handed the run over since `begin_ns`.
void RecordEnqueue(const PjRtRun& run, int64_t begin_ns, TraceSession& trace) {
  const int64_t device = run.device_ids.empty() ? 0 : run.device_ids[0];
  trace.Record({.begin_ns = begin_ns,
                .end_ns = TraceNow(),
                .context = trace.AddRun({nullptr, run.options.run_id, device}),
                .kind = TraceEvent::Kind::kEnqueue});
}

// Checks before anything is taken, so that a call that must fail takes nothing.
absl::Status CheckDonations(const PjRtExecutable& executable,
                            absl::Span<const Arguments> arguments,
                            const ExecuteOptions& options) {
  absl::flat_hash_map<const PjRtBuffer*, size_t> first;
  for (const Arguments& of_device : arguments) {
    for (size_t i = 0; i < of_device.size(); ++i) {
      const auto [it, inserted] = first.emplace(of_device[i], i);
      if (inserted) continue;
      const size_t other = it->second;
      if (!IsDonated(executable, options, i) &&
          !IsDonated(executable, options, other)) {
        continue;
      }
      return absl::InvalidArgumentError(absl::StrCat(
          "arguments ", other, " and ", i, " of program ", executable.name(),
          " are the same buffer, which is donated: a donated buffer can be "
          "used only once in a call"));
    }
  }
  return absl::OkStatus();
}

// Takes the arguments of all devices. Reads come first: they can fail without
// side effects.
absl::Status AddInputs(absl::Span<const Arguments> arguments,
                       const ExecuteOptions& options, PjRtRun& run,
                       absl::Status* failed) {
  const PjRtExecutable& executable = *run.executable;
  for (const Arguments& of_device : arguments) {
    for (size_t i = 0; i < of_device.size(); ++i) {
      if (!of_device[i]->IsDeleted()) continue;
      const absl::Status why = of_device[i]->ready_event().GetStatus();
      return absl::InvalidArgumentError(
          absl::StrCat("argument ", i, " of program ", executable.name(),
                       " cannot be used: ", why.message()));
    }
  }
  for (const Arguments& of_device : arguments) {
    for (size_t i = 0; i < of_device.size(); ++i) {
      TF_RETURN_IF_ERROR(run.AddInput(
          *of_device[i], executable.parameters()[i],
          executable.donates() && IsDonated(executable, options, i), failed));
    }
  }
  return absl::OkStatus();
}

absl::Status AddOutputs(absl::Span<PjRtDevice* const> devices, PjRtRun& run) {
  const PjRtExecutable& executable = *run.executable;
  for (size_t d = 0; d < devices.size(); ++d) {
    const int first_input = d * executable.parameters().size();
    for (const PjRtExecutable::OutputLeaf& leaf : executable.outputs()) {
      TF_RETURN_IF_ERROR(
          run.AddOutput(leaf, leaf.alias < 0 ? -1 : first_input + leaf.alias,
                        *devices[d]->memory_spaces()[leaf.memory_kind_index]));
    }
  }
  return absl::OkStatus();
}

// Makes the buffers of all devices, defined by `definition`; they have no
// memory if it has failed.
void MakeResults(absl::Span<PjRtDevice* const> devices,
                 const PjRtExecutable& executable,
                 absl::Span<const MemoryChunk> chunks, const Event& definition,
                 std::vector<std::unique_ptr<PjRtBuffer>>* results) {
  size_t next = 0;
  for (size_t d = 0; d < devices.size(); ++d) {
    results[d].reserve(executable.outputs().size());
    for (const PjRtExecutable::OutputLeaf& leaf : executable.outputs()) {
      results[d].push_back(std::make_unique<PjRtBuffer>(
          leaf.shape, devices[d]->memory_spaces()[leaf.memory_kind_index],
          TrackedMemory(chunks.empty() ? MemoryChunk() : chunks[next++],
                        definition)));
    }
  }
}

// Makes an event ready when its scope ends, however that happens.
class SetOnExit {
 public:
  explicit SetOnExit(const Event& event) : event_(&event) {}
  ~SetOnExit() {
    if (event_ != nullptr) event_->Set();
  }
  void Release() { event_ = nullptr; }

 private:
  const Event* event_;
};

}  // namespace

PjRtLoadedExecutable::PjRtLoadedExecutable(
    PjRtClient* client, std::shared_ptr<const PjRtExecutable> executable,
    DeviceAssignment assignment, std::vector<PjRtDevice*> devices)
    : client_(client),
      executable_(std::move(executable)),
      assignment_(std::move(assignment)) {
  const int partitions = executable_->num_partitions();
  for (size_t d = 0; d < devices.size(); ++d) {
    device_ids_.push_back(devices[d]->id());
    if (!devices[d]->IsAddressable()) continue;
    devices_.push_back(devices[d]);
    logical_ids_.push_back(
        {static_cast<int>(d) / partitions, static_cast<int>(d) % partitions});
  }
  if (!devices_.empty() && devices_.size() < devices.size()) {
    program_ = IdentifyProgram(*executable_, devices);
  }
}

// Takes the number of the run among those on its devices, so that all processes
// count the same runs, and describes the devices of all processes.
absl::Status PjRtLoadedExecutable::JoinProcesses(const ExecuteOptions& options,
                                                 PjRtRun& run) const {
  TF_RETURN_IF_ERROR(client_->communicator()->status());
  run.processes = std::make_unique<distributed::ProcessRun>(
      client_->communicator(), program_);
  run.device_ids.assign(device_ids_.begin(), device_ids_.end());
  run.num_devices = devices_.size();
  // Random numbers of the run are to be the same in all processes.
  if (options.seed == 0 &&
      executable_->executable().module().config().seed() == 0) {
    run.options.seed = run.processes->number() + 1;
  }
  if (run.options.queues.empty()) return absl::OkStatus();
  std::vector<TransferQueues*> queues(device_ids_.size());
  for (size_t d = 0; d < devices_.size(); ++d) {
    const LogicalDeviceIds& id = logical_ids_[d];
    queues[id.replica * num_partitions() + id.partition] =
        run.options.queues[d];
  }
  run.options.queues = std::move(queues);
  return absl::OkStatus();
}

absl::Status PjRtLoadedExecutable::TellOthers(absl::Status status) const {
  if (!status.ok() && program_ != nullptr) {
    client_->communicator()->Fail(status).IgnoreError();
  }
  return status;
}

absl::Status PjRtLoadedExecutable::Launch(
    absl::Span<const Arguments> arguments,
    absl::Span<PjRtDevice* const> devices, const ExecuteOptions& options,
    std::vector<std::unique_ptr<PjRtBuffer>>* results, Event* done) const {
  const std::shared_ptr<TraceSession> trace = TraceSession::Recording();
  const int64_t begin_ns = trace == nullptr ? 0 : TraceNow();
  if (IsDeleted()) {
    return absl::FailedPreconditionError(
        absl::StrCat("program ", name(), " has been deleted"));
  }
  for (size_t d = 0; d < devices.size(); ++d) {
    TF_RETURN_IF_ERROR(CheckArguments(*executable_, arguments[d], *devices[d]));
  }
  if (executable_->donates()) {
    TF_RETURN_IF_ERROR(CheckDonations(*executable_, arguments, options));
  }
  PjRtRun run;
  run.executable = executable_;
  run.done = Event::Pending();
  // A copy, because the run takes its own along.
  const Event finished = run.done;
  SetOnExit set_on_exit(finished);
  absl::Status failed;
  TF_RETURN_IF_ERROR(AddInputs(arguments, options, run, &failed));
  if (!failed.ok()) {
    TellOthers(failed).IgnoreError();
    *done = Event::Failed(failed);
    MakeResults(devices, *executable_, {}, *done, results);
    return absl::OkStatus();
  }
  TF_RETURN_IF_ERROR(TellOthers(AddOutputs(devices, run)));
  run.options.seed = client_->SeedFor(
      options.seed != 0 ? options.seed
                        : executable_->executable().module().config().seed());
  run.options.launch_id = options.launch_id;
  run.profile = options.execution_profile;
  run.options.run_id = client_->NextRunId();
  for (const PjRtDevice* device : devices)
    run.device_ids.push_back(device->id());
  if (options.context != nullptr) {
    run.ffi_context = options.context->shared_ffi_context();
  }
  if (executable_->uses_queues()) {
    TF_RETURN_IF_ERROR(ConnectHost(devices, options, run));
  }
  if (program_ != nullptr) TF_RETURN_IF_ERROR(JoinProcesses(options, run));
  if (trace != nullptr) RecordEnqueue(run, begin_ns, *trace);
  const bool on_worker = ThreadPool::Current() != nullptr;
  // Runs that wait for data which the caller may be about to give go to the
  // pool.
  const bool ends_by_itself =
      !executable_->uses_queues() && run.arguments_end_by_themselves();
  if (ends_by_itself) finished.SetEndsByItself();
  const bool on_caller = executable_->runs_on_caller() && ends_by_itself;
  if (on_caller) run.AwaitArguments();
  if (on_caller ||
      (run.is_ready() &&
       (on_worker || (executable_->inline_runs().allowed() &&
                      options.execution_mode !=
                          ExecuteOptions::ExecutionMode::kAsynchronous)))) {
    const absl::InlinedVector<MemoryChunk, 2> chunks = run.output_chunks;
    const absl::Status status = run.Execute();
    if (absl::IsCancelled(status) && run.cancellation.cancelled()) {
      // Python raises KeyboardInterrupt when the call returns, but only if it
      // does not return an error.
      *done = Event::Failed(status);
      MakeResults(devices, *executable_, {}, *done, results);
      return absl::OkStatus();
    }
    TF_RETURN_IF_ERROR(status);
    MakeResults(devices, *executable_, chunks, Event(), results);
    return absl::OkStatus();
  }
  *done = finished;
  set_on_exit.Release();
  MakeResults(devices, *executable_, run.output_chunks, finished, results);
  run.fate = std::make_shared<RunFate>(
      finished, program_ != nullptr ? client_->communicator() : nullptr);
  for (PjRtDevice* device : devices) {
    device->launched_runs()->Add(options.launch_id, run.fate);
  }
  PjRtRun::Start(std::move(run), client_->gate());
  if (!client_->asynchronous() ||
      options.execution_mode == ExecuteOptions::ExecutionMode::kSynchronous) {
    return finished.Await();
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::vector<std::unique_ptr<PjRtBuffer>>>>
PjRtLoadedExecutable::Execute(
    absl::Span<const std::vector<PjRtBuffer*>> argument_handles,
    const ExecuteOptions& options,
    std::optional<std::vector<Future<>>>& returned_futures) const {
  if (is_portable()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "program ", name(),
        " is portable: a run must name its device (ExecutePortable)"));
  }
  if (argument_handles.size() != devices_.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "program ", name(), " runs on ", devices_.size(),
        " devices, but arguments are given for ", argument_handles.size()));
  }
  const absl::InlinedVector<Arguments, 1> arguments(argument_handles.begin(),
                                                    argument_handles.end());
  std::vector<std::vector<std::unique_ptr<PjRtBuffer>>> results(
      devices_.size());
  if (devices_.empty()) {
    // All devices belong to other processes.
    if (returned_futures.has_value()) returned_futures->clear();
    return results;
  }
  Event done;
  TF_RETURN_IF_ERROR(
      Launch(arguments, devices_, options, results.data(), &done));
  if (returned_futures.has_value()) {
    returned_futures->assign(devices_.size(), Future<>(done));
  }
  return results;
}

absl::StatusOr<std::vector<std::vector<std::unique_ptr<PjRtBuffer>>>>
PjRtLoadedExecutable::Execute(
    absl::Span<const std::vector<PjRtBuffer*>> argument_handles,
    const ExecuteOptions& options) const {
  std::optional<std::vector<Future<>>> no_futures;
  return Execute(argument_handles, options, no_futures);
}

absl::StatusOr<std::vector<std::unique_ptr<PjRtBuffer>>>
PjRtLoadedExecutable::ExecuteSharded(Arguments argument_handles,
                                     PjRtDevice* device,
                                     const ExecuteOptions& options,
                                     std::optional<Future<>>& returned_future,
                                     bool fill_future) const {
  if (devices_.size() != 1 || devices_[0] != device) {
    return absl::InvalidArgumentError(absl::StrCat(
        "program ", name(), " is for ", device_ids_.size(),
        " devices; it can be run on one alone only if it was compiled for ",
        "that one"));
  }
  std::vector<std::unique_ptr<PjRtBuffer>> results;
  Event done;
  TF_RETURN_IF_ERROR(Launch(absl::MakeConstSpan(&argument_handles, 1), devices_,
                            options, &results, &done));
  if (fill_future) returned_future = Future<>(done);
  return results;
}

absl::StatusOr<std::vector<std::unique_ptr<PjRtBuffer>>>
PjRtLoadedExecutable::ExecutePortable(Arguments argument_handles,
                                      PjRtDevice* device,
                                      const ExecuteOptions& options,
                                      std::optional<Future<>>& returned_future,
                                      bool fill_future) const {
  if (executable_->num_devices() != 1 || device == nullptr ||
      device->client() != client_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "program ", name(), " cannot be run on a device of choice: it is for ",
        executable_->num_devices(), " devices, or the device is of another ",
        "client"));
  }
  std::vector<std::unique_ptr<PjRtBuffer>> results;
  Event done;
  TF_RETURN_IF_ERROR(Launch(absl::MakeConstSpan(&argument_handles, 1),
                            absl::MakeConstSpan(&device, 1), options, &results,
                            &done));
  if (fill_future) returned_future = Future<>(done);
  return results;
}

}  // namespace xla
