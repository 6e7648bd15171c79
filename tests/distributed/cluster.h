// Cluster: the processes of a job as threads of a test.
#ifndef TESTS_DISTRIBUTED_CLUSTER_H_
#define TESTS_DISTRIBUTED_CLUSTER_H_

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "xla/distributed/communicator.h"
#include "xla/distributed/rendezvous/memory_store.h"
#include "xla/distributed/transport/loopback_transport.h"

namespace xla::distributed {

// Calls `fn` for 0 to n - 1 on as many threads.
inline void OnThreads(int n, const std::function<void(int)>& fn) {
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i) threads.emplace_back([&fn, i] { fn(i); });
  for (std::thread& thread : threads) thread.join();
}

struct Cluster {
  // `engine` is "loopback" or the name of an engine.
  Cluster(const std::string& engine, int num_processes, int num_devices,
          absl::Duration timeout)
      : store(std::make_shared<MemoryStore>()),
        hub(num_processes),
        processes(num_processes),
        statuses(num_processes) {
    OnThreads(num_processes, [&](int p) {
      if (engine != "loopback") {
        CommunicatorOptions options;
        options.process = p;
        options.num_processes = num_processes;
        options.num_devices = num_devices;
        options.engine = engine;
        options.connect_timeout = absl::Seconds(20);
        options.timeout = timeout;
        auto connected = Communicator::Connect(options, store);
        statuses[p] = connected.status();
        if (connected.ok()) processes[p] = *std::move(connected);
        return;
      }
      Topology topology;
      topology.process = p;
      topology.processes.resize(
          num_processes, ProcessDescription::OfThis(engine, num_devices));
      processes[p] = std::make_shared<Communicator>(
          topology, hub.MakeTransport(p), store, timeout);
    });
  }

  std::shared_ptr<MemoryStore> store;
  LoopbackHub hub;
  std::vector<std::shared_ptr<Communicator>> processes;
  std::vector<absl::Status> statuses;  // of connecting
};

}  // namespace xla::distributed

#endif  // TESTS_DISTRIBUTED_CLUSTER_H_
