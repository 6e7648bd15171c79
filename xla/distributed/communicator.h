// Communicator: the connection of this process with all others of its job.
#ifndef XLA_DISTRIBUTED_COMMUNICATOR_H_
#define XLA_DISTRIBUTED_COMMUNICATOR_H_

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "xla/distributed/rendezvous/key_value_store.h"
#include "xla/distributed/topology.h"
#include "xla/distributed/transport/transport.h"
#include "xla/runtime/wait_watch.h"

namespace xla::distributed {

struct CommunicatorOptions {
  int process = 0;
  int num_processes = 1;
  int num_devices = 1;  // of this process
  std::string engine = "gloo";
  // Where to listen. Only processes of this machine reach 127.0.0.1.
  std::string address = "127.0.0.1";
  absl::Duration connect_timeout = absl::Minutes(5);
  // A file with a secret that all processes have. Each proves to each that it
  // knows it (ProveToAll) before anything else; empty: nobody has to.
  std::string secret_file;
  // How long an operation waits for other processes. They may be compiling.
  absl::Duration timeout = absl::Minutes(10);
  // Of the machine, for the devices' attributes; -1: by its boot id.
  int partition_index = -1;
};

// Thread safe.
class Communicator {
 public:
  // Waits for all processes. Errors: those of ExchangeTopology, ConnectEngine,
  // SharedSecret::Read and ProveToAll; InvalidArgument for numbers out of
  // range.
  static absl::StatusOr<std::shared_ptr<Communicator>> Connect(
      const CommunicatorOptions& options, std::shared_ptr<KeyValueStore> store);

  // `store`, which may be null, is where processes leave the reason when they
  // give up.
  Communicator(Topology topology, std::unique_ptr<Transport> transport,
               std::shared_ptr<KeyValueStore> store, absl::Duration timeout);

  const Topology& topology() const { return topology_; }
  Transport& transport() { return *transport_; }
  int process() const { return topology_.process; }
  absl::Duration timeout() const { return timeout_; }
  // Logs waits for other processes that take long.
  WaitWatcher* watcher() const { return watcher_.get(); }

  // The first failure. From then on no operation with other processes works.
  absl::Status status() const;
  // Tells the others `cause`, closes all connections, and returns the failure
  // that status() has from now on: `cause`, with what is known of the processes
  // that it came from. Later calls return it when the connections are closed.
  absl::Status Fail(const absl::Status& cause);

  // The number of the next run over the devices that `devices` stands for.
  int64_t NextRun(uint64_t devices);
  // Whether the program has not run yet on those devices; true once.
  bool IsFirstRun(uint64_t devices, uint64_t program);

  // What the framework knows of a process, such as "disconnected"; empty if
  // nothing is wrong with it.
  void UpdateProcess(int process, std::string state);
  // Makes no more calls of the store.
  void ForgetStore();

 private:
  std::string WhatOthersSaid(KeyValueStore* store);

  const Topology topology_;
  const std::unique_ptr<Transport> transport_;
  const absl::Duration timeout_;
  const std::shared_ptr<WaitWatcher> watcher_ = WaitWatcher::Get();
  mutable std::mutex mutex_;  // guards all below
  std::shared_ptr<KeyValueStore> store_;
  absl::Status status_;
  bool closed_ = false;  // after a failure
  std::condition_variable closed_changed_;
  absl::flat_hash_map<uint64_t, int64_t> runs_;
  absl::flat_hash_set<uint64_t> programs_;
  absl::flat_hash_map<int, std::string> states_;
};

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_COMMUNICATOR_H_
