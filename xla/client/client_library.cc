// The list of all clients.
#include "xla/client/client_library.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/client/compilers.h"
#include "xla/runtime/thread_pool.h"

namespace xla {
namespace {

struct Instance {
  Instance(const LocalClientOptions& options, std::unique_ptr<ThreadPool> pool,
           std::unique_ptr<Compiler> compiler, BackendOptions backend)
      : options(options),
        pool(std::move(pool)),
        service(std::move(compiler), std::move(backend),
                options.number_of_replicas()),
        client(&service) {}

  const LocalClientOptions options;
  const std::unique_ptr<ThreadPool> pool;  // outlives its users
  Service service;
  LocalClient client;
};

struct Instances {
  std::mutex mutex;
  std::vector<std::unique_ptr<Instance>> list;
};

Instances& All() {
  static Instances* const instances = new Instances;
  return *instances;
}

// 0 means the default number of threads.
int ThreadOption(const LocalClientOptions& options) {
  return std::max(options.intra_op_parallelism_threads(), 0);
}

bool SameClient(const LocalClientOptions& a, const LocalClientOptions& b) {
  return a.number_of_replicas() == b.number_of_replicas() &&
         a.allowed_devices() == b.allowed_devices() &&
         a.parallel_runner() == b.parallel_runner() &&
         a.compilation_cache() == b.compilation_cache() &&
         ThreadOption(a) == ThreadOption(b);
}

absl::Status CheckOptions(const LocalClientOptions& options) {
  if (options.platform() != nullptr &&
      options.platform() != se::Platform::Host()) {
    return absl::InvalidArgumentError("the only platform is Host");
  }
  if (options.number_of_replicas() < 1 ||
      options.number_of_replicas() > Backend::kMaxDevices) {
    return absl::InvalidArgumentError(absl::StrCat(
        options.number_of_replicas(), " replicas are wanted: 1 to ",
        Backend::kMaxDevices, " are possible"));
  }
  if (options.allowed_devices().has_value() &&
      (options.allowed_devices()->empty() ||
       *options.allowed_devices()->begin() < 0 ||
       *options.allowed_devices()->rbegin() >= Backend::kMaxDevices)) {
    return absl::InvalidArgumentError(
        absl::StrCat("allowed_devices must name devices between 0 and ",
                     Backend::kMaxDevices - 1));
  }
  return absl::OkStatus();
}

absl::StatusOr<LocalClient*> FindOrMake(Instances& all,
                                        const LocalClientOptions& options) {
  for (const auto& instance : all.list) {
    if (SameClient(instance->options, options)) return &instance->client;
  }
  BackendOptions backend;
  backend.device_count = se::Platform::Host()->VisibleDeviceCount();
  backend.allowed_devices = options.allowed_devices();
  if (options.allowed_devices().has_value()) {
    backend.device_count = std::max(backend.device_count,
                                    *options.allowed_devices()->rbegin() + 1);
  }
  const int threads_option = ThreadOption(options);
  auto pool = std::make_unique<ThreadPool>(
      threads_option > 0 ? threads_option : DefaultThreadCount());
  ParallelRunner* const runner = options.parallel_runner();
  const CompilerThreads threads = {
      .runner = runner != nullptr ? runner : pool.get(), .pool = pool.get()};
  TF_ASSIGN_OR_RETURN(std::unique_ptr<Compiler> compiler,
                      MakeCompiler(DefaultCompilerName(), threads,
                                   options.compilation_cache()));
  all.list.push_back(std::make_unique<Instance>(
      options, std::move(pool), std::move(compiler), std::move(backend)));
  return &all.list.back()->client;
}

}  // namespace

absl::StatusOr<LocalClient*> ClientLibrary::GetOrCreateLocalClient(
    const LocalClientOptions& options) {
  const absl::Status status = CheckOptions(options);
  if (!status.ok()) return status;
  Instances& all = All();
  std::lock_guard<std::mutex> lock(all.mutex);
  return FindOrMake(all, options);
}

absl::StatusOr<LocalClient*> ClientLibrary::GetOrCreateLocalClient(
    se::Platform* platform,
    const std::optional<std::set<int>>& allowed_devices) {
  LocalClientOptions options(platform);
  options.set_allowed_devices(allowed_devices);
  const absl::Status status = CheckOptions(options);
  if (!status.ok()) return status;
  Instances& all = All();
  std::lock_guard<std::mutex> lock(all.mutex);
  if (!allowed_devices.has_value() && !all.list.empty()) {
    return &all.list.front()->client;
  }
  return FindOrMake(all, options);
}

LocalClient* ClientLibrary::LocalClientOrDie() {
  absl::StatusOr<LocalClient*> client = GetOrCreateLocalClient();
  CHECK_OK(client);
  return *client;
}

LocalService* ClientLibrary::GetXlaService(se::Platform* platform) {
  Instances& all = All();
  std::lock_guard<std::mutex> lock(all.mutex);
  const bool there = platform == nullptr || platform == se::Platform::Host();
  return there && !all.list.empty() ? &all.list.front()->service : nullptr;
}

void ClientLibrary::DestroyLocalInstances() {
  Instances& all = All();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.list.clear();
}

}  // namespace xla
