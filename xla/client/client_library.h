// ClientLibrary: the clients of this process.
#ifndef XLA_CLIENT_CLIENT_LIBRARY_H_
#define XLA_CLIENT_CLIENT_LIBRARY_H_

#include <optional>
#include <set>
#include <utility>

#include "absl/status/statusor.h"
#include "xla/backends/cache/compilation_cache.h"
#include "xla/client/buffers/platform.h"
#include "xla/client/local_client.h"
#include "xla/runtime/parallel.h"

namespace xla {

class LocalClientOptions {
 public:
  LocalClientOptions(  // NOLINT
      se::Platform* platform = nullptr, int number_of_replicas = 1,
      int intra_op_parallelism_threads = -1,
      const std::optional<std::set<int>>& allowed_devices = std::nullopt)
      : platform_(platform),
        number_of_replicas_(number_of_replicas),
        intra_op_parallelism_threads_(intra_op_parallelism_threads),
        allowed_devices_(allowed_devices) {}

  // Null means the default platform.
  se::Platform* platform() const { return platform_; }
  LocalClientOptions& set_platform(se::Platform* platform) {
    platform_ = platform;
    return *this;
  }
  // For programs whose options do not give a number of replicas.
  int number_of_replicas() const { return number_of_replicas_; }
  LocalClientOptions& set_number_of_replicas(int number_of_replicas) {
    number_of_replicas_ = number_of_replicas;
    return *this;
  }
  // The number of threads that run parts of loops, including the callers'; 0 or
  // less means DefaultThreadCount().
  int intra_op_parallelism_threads() const {
    return intra_op_parallelism_threads_;
  }
  LocalClientOptions& set_intra_op_parallelism_threads(int threads) {
    intra_op_parallelism_threads_ = threads;
    return *this;
  }
  // Runs loops on threads of the host instead; borrowed, must outlive the
  // client.
  ParallelRunner* parallel_runner() const { return parallel_runner_; }
  LocalClientOptions& set_parallel_runner(ParallelRunner* runner) {
    parallel_runner_ = runner;
    return *this;
  }
  // Where compiled programs are kept; by default as the environment says.
  const CompilationCacheOptions& compilation_cache() const {
    return compilation_cache_;
  }
  LocalClientOptions& set_compilation_cache(CompilationCacheOptions options) {
    compilation_cache_ = std::move(options);
    return *this;
  }
  const std::optional<std::set<int>>& allowed_devices() const {
    return allowed_devices_;
  }
  LocalClientOptions& set_allowed_devices(
      const std::optional<std::set<int>>& allowed_devices) {
    allowed_devices_ = allowed_devices;
    return *this;
  }

 private:
  se::Platform* platform_;
  int number_of_replicas_;
  int intra_op_parallelism_threads_;
  std::optional<std::set<int>> allowed_devices_;
  ParallelRunner* parallel_runner_ = nullptr;
  CompilationCacheOptions compilation_cache_;
};

// Owns the clients. Thread safe.
class ClientLibrary {
 public:
  // The client for these options; each set of options has its own. Errors:
  // InvalidArgument for invalid options or an invalid TESSERA_BACKEND or
  // TESSERA_CACHE_MAX_BYTES.
  static absl::StatusOr<LocalClient*> GetOrCreateLocalClient(
      const LocalClientOptions& options);
  // The client that was created first; with `allowed_devices`, or if there is
  // no client yet, the client for these options.
  static absl::StatusOr<LocalClient*> GetOrCreateLocalClient(
      se::Platform* platform = nullptr,
      const std::optional<std::set<int>>& allowed_devices = std::nullopt);
  static LocalClient* LocalClientOrDie();
  // The service of that client; null if there is no client.
  static LocalService* GetXlaService(se::Platform* platform);

  // Destroys all clients, none of which may be in use.
  static void DestroyLocalInstances();
};

}  // namespace xla

#endif  // XLA_CLIENT_CLIENT_LIBRARY_H_
