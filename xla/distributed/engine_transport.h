// Connects the processes of a job by an engine that is loaded for it.
#ifndef XLA_DISTRIBUTED_ENGINE_TRANSPORT_H_
#define XLA_DISTRIBUTED_ENGINE_TRANSPORT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "xla/distributed/rendezvous/key_value_store.h"
#include "xla/distributed/transport/transport.h"

namespace xla::distributed {

struct EngineOptions {
  std::string engine = "gloo";
  int process = 0;
  int num_processes = 1;
  std::string address = "127.0.0.1";  // where to listen
  absl::Duration connect_timeout = absl::Minutes(5);
};

// Loads libtessera_ENGINE.so from the folder of the library or program that has
// this code, or from where the system looks for libraries; TESSERA_ENGINE_PATH
// names another folder. `store` is borrowed for the call. Errors: Unimplemented
// if the engine, or a library that it needs, is not installed, with the reason;
// those of connecting.
absl::StatusOr<std::unique_ptr<Transport>> ConnectEngine(
    const EngineOptions& options, KeyValueStore& store);

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_ENGINE_TRANSPORT_H_
