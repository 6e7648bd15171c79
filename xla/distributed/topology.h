// Topology: what each process of a job tells the others before they connect.
#ifndef XLA_DISTRIBUTED_TOPOLOGY_H_
#define XLA_DISTRIBUTED_TOPOLOGY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "xla/distributed/rendezvous/key_value_store.h"

namespace xla::distributed {

struct ProcessDescription {
  std::string version;  // of Tessera, and the engine's name
  std::string host;     // its name
  std::string boot_id;  // of the system: equal for processes of one machine
  uint64_t incarnation = 0;  // random
  int32_t num_devices = 0;
  // Which machine of the job it is on, by order of appearance, unless the
  // process says so itself (-1: it does not).
  int32_t partition_index = -1;
  std::string address;  // where it listens; empty: the engine does not say

  // Describes this process and machine.
  static ProcessDescription OfThis(absl::string_view engine, int num_devices);
  std::string Serialize() const;
  // Errors: FailedPrecondition for another version of Tessera or another
  // engine than `mine`; InvalidArgument.
  static absl::StatusOr<ProcessDescription> Parse(absl::string_view bytes,
                                                  absl::string_view mine);
};

// Devices have ids from 0 on, process after process.
struct Topology {
  int process = 0;  // this one
  std::vector<ProcessDescription> processes;

  int num_processes() const { return static_cast<int>(processes.size()); }
  int num_devices() const { return first_device(num_processes()); }
  // The id of the first device of a process.
  int first_device(int process) const;
  // `device` is the id of a device.
  int process_of_device(int device) const;
};

// Puts `mine` into the store and gets those of all others. Errors:
// DeadlineExceeded that names all processes which are missing; AlreadyExists if
// the number of this process is taken; those of Parse and of the store;
// InvalidArgument for a process without devices. FailedPrecondition if the
// processes are on several machines and one listens where only its own machine
// reaches it.
absl::StatusOr<Topology> ExchangeTopology(KeyValueStore& store, int process,
                                          int num_processes,
                                          const ProcessDescription& mine,
                                          absl::Duration timeout);

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_TOPOLOGY_H_
