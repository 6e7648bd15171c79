// Runs programs.
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "xla/base/control/cancellation.h"
#include "xla/base/status_macros.h"
#include "xla/capi/arguments.h"
#include "xla/capi/handles.h"
#include "xla/capi/structs.h"

namespace xla::capi {
namespace {

using Handles = std::vector<std::unique_ptr<tessera_buffer>>;

absl::StatusOr<ExecuteOptions> ReadOptions(
    const tessera_execute_options& from, const tessera_executable& executable) {
  ExecuteOptions options;
  options.seed = from.seed;
  TF_ASSIGN_OR_RETURN(const absl::Span<const int32_t> keep,
                      ArrayArgument(from.keep, from.num_keep, "options.keep"));
  for (const int32_t index : keep) {
    if (index < 0 ||
        static_cast<size_t>(index) >= executable.parameters.size()) {
      return ArgumentError(absl::StrCat("options.keep: there is no parameter ",
                                        index, ": the program has ",
                                        executable.parameters.size()));
    }
    options.non_donatable_input_indices.insert(index);
  }
  return options;
}

absl::Status CheckCount(size_t given, size_t devices, size_t leaves,
                        absl::string_view name) {
  if (given == devices * leaves) return absl::OkStatus();
  return ArgumentError(absl::StrCat(
      name, " is ", given, ", but must be ", devices * leaves,
      devices == 1
          ? ""
          : absl::StrCat(", ", leaves, " for each of ", devices, " devices")));
}

// The buffers of the arguments of one device.
absl::StatusOr<std::vector<PjRtBuffer*>> ReadArguments(
    const tessera_executable& executable, tessera_buffer* const* arguments,
    size_t device) {
  std::vector<PjRtBuffer*> buffers;
  const size_t count = executable.parameters.size();
  buffers.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t index = device * count + i;
    const tessera_buffer* argument = arguments[index];
    if (argument == nullptr || !argument->tag.ok()) {
      return CheckHandle(argument, absl::StrCat("arguments[", index, "]"));
    }
    if (argument->core != executable.core) {
      return ArgumentError(
          absl::StrCat("arguments[", index, "] belongs to another client"));
    }
    buffers.push_back(argument->buffer.get());
  }
  return buffers;
}

// Runs the program; `done` ends when all devices have finished.
absl::StatusOr<Handles> Run(const tessera_executable& executable,
                            tessera_buffer* const* arguments,
                            const ExecuteOptions& options, Event* done) {
  const size_t devices = executable.devices.size();
  std::vector<std::vector<PjRtBuffer*>> lists(devices);
  for (size_t device = 0; device < devices; ++device) {
    TF_ASSIGN_OR_RETURN(lists[device],
                        ReadArguments(executable, arguments, device));
  }
  std::optional<std::vector<Future<>>> futures;
  futures.emplace();
  TF_ASSIGN_OR_RETURN(
      std::vector<std::vector<std::unique_ptr<PjRtBuffer>>> results,
      executable.executable->Execute(lists, options, futures));
  std::vector<Event> events;
  for (const Future<>& future : *futures) events.push_back(future.event());
  *done = events.size() == 1 ? events[0] : Event::AfterAll(events);
  Handles handles;
  for (std::vector<std::unique_ptr<PjRtBuffer>>& list : results) {
    for (std::unique_ptr<PjRtBuffer>& result : list) {
      handles.push_back(
          std::make_unique<tessera_buffer>(executable.core, std::move(result)));
    }
  }
  return handles;
}

absl::Status Execute(const tessera_executable* executable,
                     tessera_buffer* const* arguments, size_t num_arguments,
                     const tessera_execute_options* options,
                     tessera_buffer** results, size_t num_results, bool wait,
                     tessera_event** done) {
  TF_RETURN_IF_ERROR(CheckHandle(executable, "executable"));
  TF_RETURN_IF_ERROR(
      ArrayArgument(arguments, num_arguments, "arguments").status());
  const size_t devices = executable->devices.size();
  TF_RETURN_IF_ERROR(CheckCount(
      num_arguments, devices, executable->parameters.size(), "num_arguments"));
  TF_RETURN_IF_ERROR(CheckCount(num_results, devices,
                                executable->results.size(), "num_results"));
  TF_ASSIGN_OR_RETURN(const tessera_execute_options read,
                      ReadStruct(options, "options"));
  TF_ASSIGN_OR_RETURN(const ExecuteOptions execute_options,
                      ReadOptions(read, *executable));
  TF_RETURN_IF_ERROR(
      CheckOptionalHandle(read.cancellation, "options.cancellation"));
  // Kept until the run has ended, whatever happens to the handle.
  std::shared_ptr<const Cancellation> cancellation;
  std::optional<CancellationScope> scope;
  if (read.cancellation != nullptr) {
    cancellation = read.cancellation->cancellation;
    scope.emplace(cancellation->token);
  }
  auto event = std::make_unique<tessera_event>(Event());
  TF_ASSIGN_OR_RETURN(Handles handles, Run(*executable, arguments,
                                           execute_options, &event->event));
  if (cancellation != nullptr && !event->event.IsReady()) {
    event->event.OnReady([cancellation](const absl::Status&) {});
  }
  if (wait) TF_RETURN_IF_ERROR(event->event.Await());
  for (size_t i = 0; i < num_results; ++i) results[i] = handles[i].release();
  if (done != nullptr) *done = event.release();
  return absl::OkStatus();
}

// Errors: InvalidArgument if there is no place for the results. Otherwise the
// places are null afterwards.
absl::Status ClearResults(tessera_buffer** results, size_t num_results) {
  TF_RETURN_IF_ERROR(ArrayArgument(results, num_results, "results").status());
  std::fill_n(results, num_results, nullptr);
  return absl::OkStatus();
}

}  // namespace

extern "C" {

tessera_status* tessera_execute(tessera_executable* executable,
                                tessera_buffer* const* arguments,
                                size_t num_arguments,
                                const tessera_execute_options* options,
                                tessera_buffer** results, size_t num_results) {
  return Call("tessera_execute", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(ClearResults(results, num_results));
    return Execute(executable, arguments, num_arguments, options, results,
                   num_results, /*wait=*/true, /*done=*/nullptr);
  });
}

tessera_status* tessera_execute_async(
    tessera_executable* executable, tessera_buffer* const* arguments,
    size_t num_arguments, const tessera_execute_options* options,
    tessera_buffer** results, size_t num_results, tessera_event** done) {
  if (done != nullptr) *done = nullptr;
  return Call("tessera_execute_async", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(ClearResults(results, num_results));
    return Execute(executable, arguments, num_arguments, options, results,
                   num_results, /*wait=*/false, done);
  });
}

}  // extern "C"
}  // namespace xla::capi
