// Binds allocations to memory, and reuses the states of runs.
#include "xla/backends/cpu/cpu_executable.h"

#include <utility>

#include "absl/base/optimization.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/array_memory.h"
#include "xla/backends/cpu/native_code.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/executor.h"
#include "xla/backends/cpu/thunks/kernel_thunk.h"
#include "xla/backends/cpu/thunks/run_group.h"
#include "xla/backends/cpu/thunks/scratch.h"
#include "xla/backends/cpu/thunks/thunk_tracer.h"
#include "xla/base/checked_math.h"
#include "xla/base/control/activity.h"
#include "xla/base/control/cancellation.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/distributed/process_run.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/proto/message_bytes.h"

namespace xla::cpu {
namespace {

using Allocation = CpuExecutable::Allocation;

// The most states of runs that an executable keeps, and the most bytes of an
// arena in them.
constexpr size_t kKeptStates = 16;
constexpr int64_t kKeptArenaBytes = int64_t{64} << 10;

}  // namespace

struct CpuExecutable::DeviceState {
  DeviceState(RunGroup* group, int64_t number) : run(group, number) {}
  DeviceRun run;
  std::vector<char*> table;           // addresses of allocations
  MemoryChunk arena;                  // kept between runs if small
  std::optional<ThunkTracer> tracer;  // during a run that is recorded
};

struct CpuExecutable::RunState {
  RunState(DeviceCounts counts, const distributed::ProcessRun* processes)
      : group(counts), spans_processes(processes != nullptr) {
    for (int64_t d = 0; d < counts.devices(); ++d) {
      runs.push_back(nullptr);
      if (spans_processes && !processes->is_local(d)) continue;
      devices.push_back(std::make_unique<DeviceState>(&group, d));
      runs.back() = &devices.back()->run;
    }
  }
  RunGroup group;
  const bool spans_processes;
  std::vector<std::unique_ptr<DeviceState>> devices;  // of this process
  std::vector<DeviceRun*> runs;  // of all; null for those of other processes
};

CpuExecutable::CpuExecutable(std::unique_ptr<HloModule> module, Program program,
                             ParallelRunner* runner, ThreadPool* pool)
    : Executable(std::move(module)),
      program_(std::move(program)),
      level_runner_(runner, program_.vector_level),
      runner_(program_.vector_level == ProcessorVectorLevel() ? runner
                                                              : &level_runner_),
      pool_(pool) {
  const ComputationLayout& layout = this->module().entry_computation_layout();
  for (const ShapeLayout& parameter : layout.parameter_layouts()) {
    num_inputs_ += Leaves(parameter.shape()).size();
  }
  num_outputs_ = Leaves(layout.result_shape()).size();
  PlanArena();
  ComputeStats();
}

CpuExecutable::~CpuExecutable() = default;

void CpuExecutable::PlanArena() {
  const VectorLevelScope scope(program_.vector_level);
  int64_t end = 0;
  for (const Allocation& allocation : program_.allocations) {
    arena_offsets_.push_back(end);
    if (allocation.kind == Allocation::Kind::kTemp) {
      end += RoundUpTo(allocation.size_bytes, MemoryChunk::kAlignment);
    }
  }
  arena_bytes_ =
      RoundUpTo(PlaceScratch(program_.thunks, runner_->num_threads(), end),
                MemoryChunk::kAlignment);
}

void CpuExecutable::ComputeStats() {
  const ComputationLayout& layout = module().entry_computation_layout();
  const auto bytes_of = [](const Shape& shape) {
    int64_t bytes = 0;
    for (const Shape* leaf : Leaves(shape)) bytes += ElementsBytes(*leaf);
    return bytes;
  };
  for (const ShapeLayout& parameter : layout.parameter_layouts()) {
    stats_.argument_bytes += bytes_of(parameter.shape());
  }
  stats_.output_bytes = bytes_of(layout.result_shape());
  for (const auto& entry : module().input_output_alias().entries()) {
    const ShapeIndex index(entry.output_shape_index().begin(),
                           entry.output_shape_index().end());
    if (!ShapeUtil::IndexIsValid(layout.result_shape(), index)) continue;
    stats_.alias_bytes +=
        bytes_of(ShapeUtil::GetSubshape(layout.result_shape(), index));
  }
  stats_.temp_bytes = arena_bytes_;
  stats_.code_bytes = program_.code_bytes;
  stats_.peak_bytes = stats_.argument_bytes + stats_.output_bytes -
                      stats_.alias_bytes + stats_.temp_bytes;
}

absl::StatusOr<std::string> CpuExecutable::SerializeCode() const {
  if (!program_.plan_hash.has_value()) return "";
  NativeCode code;
  code.build = ThisBuild();
  code.module = DeterministicBytes(module().ToProto());
  code.replica_count = num_replicas();
  code.num_partitions = num_partitions();
  code.cost_table = program_.cost_table;
  code.cache_bytes = program_.cache_bytes;
  code.plan_hash = *program_.plan_hash;
  return PackNativeCode(code, program_.objects);
}

absl::Status CpuExecutable::CheckBuffers(
    absl::Span<const DeviceBuffers> devices, const RunOptions& options) const {
  int64_t here = num_devices();
  absl::string_view whose = "";
  if (options.processes != nullptr) {
    whose = " in this process";
    here = 0;
    for (int64_t d = 0; d < num_devices(); ++d) {
      if (options.processes->is_local(d)) ++here;
    }
  }
  if (static_cast<int64_t>(devices.size()) != here || here == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("program ", module().name(), " is for ", here, " devices",
                     whose, ", but got buffers for ", devices.size()));
  }
  for (const DeviceBuffers& buffers : devices) {
    if (buffers.inputs.size() != num_inputs_) {
      return absl::InvalidArgumentError(
          absl::StrCat("program ", module().name(), " takes ", num_inputs_,
                       " arrays, but got ", buffers.inputs.size()));
    }
    if (buffers.outputs.size() != num_outputs_) {
      return absl::InvalidArgumentError(
          absl::StrCat("program ", module().name(), " gives ", num_outputs_,
                       " arrays, but got memory for ", buffers.outputs.size()));
    }
  }
  return absl::OkStatus();
}

std::unique_ptr<CpuExecutable::RunState> CpuExecutable::TakeState(
    const distributed::ProcessRun* processes) const {
  if (processes == nullptr) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!free_states_.empty()) {
      std::unique_ptr<RunState> state = std::move(free_states_.back());
      free_states_.pop_back();
      return state;
    }
  }
  auto state = std::make_unique<RunState>(
      DeviceCounts{num_replicas(), num_partitions()}, processes);
  for (const auto& device : state->devices) {
    for (const Allocation& allocation : program_.allocations) {
      device->table.push_back(const_cast<char*>(allocation.data));
    }
  }
  return state;
}

void CpuExecutable::PutBack(std::unique_ptr<RunState> state) const {
  if (state->spans_processes) return;
  // Late workers of a run on several devices may still hold its scheduler,
  // which the next run can use all the same.
  if (arena_bytes_ > kKeptArenaBytes) {
    for (const auto& device : state->devices) device->arena = MemoryChunk();
  }
  std::lock_guard<std::mutex> lock(mutex_);
  if (free_states_.size() < kKeptStates) {
    free_states_.push_back(std::move(state));
  }
}

absl::StatusOr<MemoryChunk> CpuExecutable::AllocateArena() const {
  return MemoryChunk::Allocate(arena_bytes_);
}

absl::Status CpuExecutable::BindDevice(const DeviceBuffers& buffers,
                                       const RunOptions& options,
                                       DeviceState& device) const {
  if (arena_bytes_ > 0 && device.arena.is_null()) {
    TF_ASSIGN_OR_RETURN(device.arena, AllocateArena());
  }
  char* arena = device.arena.data();
  for (size_t i = 0; i < program_.allocations.size(); ++i) {
    const Allocation& allocation = program_.allocations[i];
    switch (allocation.kind) {
      case Allocation::Kind::kParameter:
        device.table[i] =
            const_cast<char*>(buffers.inputs[allocation.leaf].data);
        break;
      case Allocation::Kind::kOutput:
        device.table[i] = buffers.outputs[allocation.leaf].data;
        break;
      case Allocation::Kind::kConstant:
        break;
      case Allocation::Kind::kTemp:
        device.table[i] = arena + arena_offsets_[i];
        break;
    }
  }
  device.run.Begin(device.table.data(), arena, &options, runner_,
                   program_.vector_level);
  return absl::OkStatus();
}

ThreadPool* CpuExecutable::PoolForDevices() const {
  if (num_devices() == 1) return nullptr;
  if (ThreadPool* current = ThreadPool::Current()) return current;
  if (pool_ != nullptr) return pool_;
  std::lock_guard<std::mutex> lock(mutex_);
  if (own_pool_ == nullptr) {
    own_pool_ = std::make_unique<ThreadPool>(DefaultThreadCount());
  }
  return own_pool_.get();
}

std::shared_ptr<const TracedProgram> CpuExecutable::ForTraces() const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (for_traces_ == nullptr) {
    for_traces_ = MakeTracedProgram(shared_module(), program_.origins);
  }
  return for_traces_;
}

absl::Status CpuExecutable::RunTraced(
    const std::shared_ptr<TraceSession>& session, const RunOptions& options,
    RunState& state) const {
  TraceEvent event{.context = TraceSession::kNoContext,
                   .kind = TraceEvent::Kind::kRun};
  for (const auto& device : state.devices) {
    const uint32_t context =
        session->AddRun({ForTraces(), options.run_id, device->run.device_id()});
    if (event.context == TraceSession::kNoContext) event.context = context;
    ThunkTracer& tracer = device->tracer.emplace(session, context, runner_);
    device->run.Trace(&tracer, &tracer);
  }
  event.begin_ns = TraceNow();
  const absl::Status status =
      RunDevices(program_.thunks, state.runs, PoolForDevices());
  event.end_ns = TraceNow();
  session->Record(event);
  for (const auto& device : state.devices) device->tracer.reset();
  return status;
}

absl::Status CpuExecutable::ExecuteBuffers(
    absl::Span<const DeviceBuffers> devices, const RunOptions& options) const {
  TF_RETURN_IF_ERROR(CheckBuffers(devices, options));
  std::unique_ptr<RunState> state = TakeState(options.processes);
  absl::Status status;
  const CancellationToken token = CancellationToken::Current();
  Activity* const activity = Activity::Current();
  if (activity != nullptr) activity->Begin("run", module().name());
  for (size_t d = 0; d < devices.size() && status.ok(); ++d) {
    DeviceState& device = *state->devices[d];
    status = BindDevice(devices[d], options, device);
    device.run.set_cancellation(&token);
    device.run.set_activity(activity);
  }
  if (status.ok()) {
    const std::shared_ptr<TraceSession> trace = TraceSession::Recording();
    status = trace == nullptr
                 ? RunDevices(program_.thunks, state->runs, PoolForDevices())
                 : RunTraced(trace, options, *state);
    for (const auto& device : state->devices) device->run.End();
    state->group.EndRun();
  }
  PutBack(std::move(state));
  if (ABSL_PREDICT_FALSE(!status.ok()) && absl::IsCancelled(status) &&
      token.cancelled()) {
    return WithMessage(status, absl::StrCat("run of ", module().name(), " ",
                                            status.message()));
  }
  return status;
}

}  // namespace xla::cpu
