// How a C++ program joins a job: its place in it, and the store.
#ifndef XLA_DISTRIBUTED_RENDEZVOUS_OPEN_STORE_H_
#define XLA_DISTRIBUTED_RENDEZVOUS_OPEN_STORE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "xla/distributed/rendezvous/key_value_store.h"

namespace xla::distributed {

// The number of this process among those of a job.
struct PlaceInJob {
  int process = 0;
  int num_processes = 1;
};

// Reads TESSERA_PROCESS and TESSERA_NUM_PROCESSES in the environment, or what
// Open MPI's mpirun or Slurm's srun set (OMPI_COMM_WORLD_RANK and _SIZE,
// SLURM_PROCID and SLURM_NTASKS); one process if there is none of them. Errors:
// InvalidArgument for what is no number or out of range.
absl::StatusOr<PlaceInJob> PlaceFromEnvironment();

// Opens the store at `where`: "file:DIRECTORY" (FileStore) or "HOST:PORT"
// (TcpStore). `secret_file`, unless it is empty, is that of
// CommunicatorOptions; a directory needs none, as the system says who may read
// it. Errors: those of their Open, and of SharedSecret::Read.
absl::StatusOr<std::shared_ptr<KeyValueStore>> OpenStore(
    const std::string& where, PlaceInJob place, absl::Duration timeout,
    const std::string& secret_file = "");

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_RENDEZVOUS_OPEN_STORE_H_
