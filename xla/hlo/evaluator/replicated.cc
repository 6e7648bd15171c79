// Runs each device on its own thread; they take turns.
#include "xla/hlo/evaluator/replicated.h"

#include <pthread.h>

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/control/cancellation.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"

namespace xla {
namespace {

// Bytes of stack of each thread: enough for Interpreter::kMaxCallDepth,
// whatever the limits of the process.
constexpr size_t kStackBytes = size_t{16} << 20;

// The work of one device's thread.
struct DeviceTask {
  const HloModule* module;
  std::vector<Value> arguments;
  DeviceGroup* group;
  const ReplicatedOptions* options;
  int64_t device;
  const CancellationToken* cancellation;
  absl::StatusOr<Value> result = absl::InternalError("did not run");
};

absl::StatusOr<Value> RunDevice(DeviceTask& task) {
  const ReplicatedOptions& options = *task.options;
  DeviceContext device(
      task.group, task.device, options.seed,
      options.queues.empty() ? nullptr : options.queues[task.device]);
  device.set_custom_call_handler(options.custom_call_handler);
  device.set_ffi_call_handler(options.ffi_call_handler);
  Interpreter interpreter(&device, options.max_loop_iterations, options.plans);
  return interpreter.Run(*task.module->entry_computation(),
                         std::move(task.arguments));
}

void RunTask(DeviceTask& task) {
  const CancellationScope scope(*task.cancellation);
  Lockstep& lockstep = task.group->lockstep();
  const absl::Status entered = lockstep.Enter(task.device);
  if (entered.ok()) {
    task.result = RunDevice(task);
  } else {
    task.result = entered;
  }
  lockstep.Leave(task.device, task.result.status());
}

void* ThreadMain(void* task) {
  RunTask(*static_cast<DeviceTask*>(task));
  return nullptr;
}

// Runs each task on its own thread and waits for all.
void RunOnThreads(std::vector<DeviceTask>& tasks) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  std::vector<pthread_t> threads;
  for (DeviceTask& task : tasks) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, ThreadMain, &task) == 0) {
      threads.push_back(thread);
      continue;
    }
    task.result = absl::ResourceExhaustedError(
        absl::StrCat("no thread could be started for device ", task.device));
    task.group->lockstep().Leave(task.device, task.result.status());
  }
  pthread_attr_destroy(&attributes);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
}

absl::Status CheckOptions(const HloModule& module, size_t argument_lists,
                          const ReplicatedOptions& options) {
  const int64_t most = ReplicatedOptions::kMaxDevices;
  if (options.num_replicas < 1 || options.num_partitions < 1 ||
      options.num_replicas > most || options.num_partitions > most ||
      options.num_replicas * options.num_partitions > most) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot run ", options.num_replicas, " replicas of ",
                     options.num_partitions, " partitions: between 1 and ",
                     most, " devices are possible"));
  }
  const size_t devices = options.num_replicas * options.num_partitions;
  if (argument_lists != devices) {
    return absl::InvalidArgumentError(absl::StrCat(
        "there are ", devices, " devices, but arguments for ", argument_lists));
  }
  if (!options.queues.empty() && options.queues.size() != devices) {
    return absl::InvalidArgumentError(absl::StrCat("there are ", devices,
                                                   " devices, but queues for ",
                                                   options.queues.size()));
  }
  if (!module.has_entry_computation()) {
    return absl::InvalidArgumentError(
        absl::StrCat("module ", module.name(), " has no entry computation"));
  }
  return absl::OkStatus();
}

}  // namespace

Literal WithLayoutOf(const Shape& shape, Literal literal) {
  if (!LayoutUtil::HasLayout(shape) ||
      LayoutUtil::LayoutsInShapesEqual(literal.shape(), shape)) {
    return literal;
  }
  return literal.Relayout(shape);
}

Value BorrowedValue(const Literal& literal) {
  // This points to the literal without owning it.
  return Value(
      std::shared_ptr<const Literal>(std::shared_ptr<void>(), &literal));
}

absl::StatusOr<std::vector<Literal>> EvaluateReplicated(
    const HloModule& module,
    absl::Span<const std::vector<const Literal*>> arguments,
    const ReplicatedOptions& options) {
  std::vector<std::vector<Value>> borrowed(arguments.size());
  for (size_t d = 0; d < arguments.size(); ++d) {
    for (const Literal* argument : arguments[d]) {
      borrowed[d].push_back(BorrowedValue(*argument));
    }
  }
  TF_ASSIGN_OR_RETURN(
      std::vector<Value> values,
      EvaluateReplicatedValues(module, std::move(borrowed), options));
  const HloInstruction& root = *module.entry_computation()->root_instruction();
  std::vector<Literal> results;
  for (Value& value : values) {
    results.push_back(WithLayoutOf(
        root.shape(),
        value.is_tuple() ? value.ToLiteral() : std::move(value).TakeArray()));
  }
  return results;
}

absl::StatusOr<std::vector<Value>> EvaluateReplicatedValues(
    const HloModule& module, std::vector<std::vector<Value>> arguments,
    const ReplicatedOptions& options) {
  TF_RETURN_IF_ERROR(CheckOptions(module, arguments.size(), options));
  const CancellationToken cancellation = CancellationToken::Current();
  DeviceGroup group(options.num_replicas, options.num_partitions);
  std::vector<DeviceTask> tasks(group.num_devices());
  for (int64_t d = 0; d < group.num_devices(); ++d) {
    tasks[d].module = &module;
    tasks[d].arguments = std::move(arguments[d]);
    tasks[d].group = &group;
    tasks[d].options = &options;
    tasks[d].device = d;
    tasks[d].cancellation = &cancellation;
  }
  if (tasks.size() == 1) {
    RunTask(tasks[0]);
  } else {
    RunOnThreads(tasks);
  }
  // A device that failed by itself explains why the others were cancelled.
  const absl::Status* error = nullptr;
  for (const DeviceTask& task : tasks) {
    if (task.result.ok()) continue;
    const bool released =
        task.result.status().code() == absl::StatusCode::kCancelled;
    if (error == nullptr ||
        (error->code() == absl::StatusCode::kCancelled && !released)) {
      error = &task.result.status();
    }
  }
  if (error != nullptr) return *error;
  std::vector<Value> results;
  for (DeviceTask& task : tasks) results.push_back(*std::move(task.result));
  return results;
}

}  // namespace xla
