// The options by which clients are made.
#ifndef XLA_PJRT_CLIENT_OPTIONS_H_
#define XLA_PJRT_CLIENT_OPTIONS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "xla/backends/cache/compilation_cache.h"
#include "xla/backends/compiler.h"
#include "xla/distributed/communicator.h"
#include "xla/pjrt/pjrt_device.h"
#include "xla/runtime/parallel.h"

namespace xla {

struct PjRtClientOptions {
  // The number of virtual devices of the host: 1 to PjRtClient::kMaxDevices; 0
  // means --xla_force_host_platform_device_count in XLA_FLAGS, by default 1.
  int num_devices = 0;
  // The number of threads that run programs and parts of their loops, including
  // host threads that take part in loops; 0 means DefaultThreadCount().
  int num_threads = 0;
  // If set, runs the loops on threads of the host; borrowed, must outlive the
  // client. Programs that nobody waits for still run on `num_threads`.
  ParallelRunner* runner = nullptr;
  // If false, calls return only after their programs have run.
  bool asynchronous = true;
  // The name that clients see: JAX looks up lowering rules by it.
  std::string platform_name = std::string(kPlatformName);
  // Null means the backend named `backend`, on these threads.
  std::unique_ptr<Compiler> compiler;
  // Where that backend's compiler keeps programs; by default as the environment
  // says.
  CompilationCacheOptions compilation_cache;
  // The memory limit of each device; 0 means the memory of the machine.
  int64_t memory_limit_bytes = 0;
  // The limit in bytes of freed memory that is kept for later outputs, shared
  // by all clients of the process; -1 leaves it unchanged. It starts as
  // BlockCache::DefaultLimit().
  int64_t keep_bytes = -1;
  // For a job of several processes: which one this is, and how they connect
  // (num_devices is the one above). With them goes the store by which they find
  // each other; it must outlive all calls of the client but its destruction.
  distributed::CommunicatorOptions processes;
  std::shared_ptr<distributed::KeyValueStore> store;
  // One of CompilerNames(); empty means DefaultCompilerName().
  std::string backend;
};

// XLA's options of a client for the CPU.
struct CpuClientOptions {
  bool asynchronous = true;
  std::optional<int> cpu_device_count;
  int max_inflight_computations_per_device = 32;  // kept
  int process_id = 0;                             // kept
  int max_transpose_threads = 8;                  // kept
};
}  // namespace xla

#endif  // XLA_PJRT_CLIENT_OPTIONS_H_
