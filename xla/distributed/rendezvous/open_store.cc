// Reads the environment, and chooses among stores.
#include "xla/distributed/rendezvous/open_store.h"

#include <cstdlib>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "xla/base/status_macros.h"
#include "xla/distributed/rendezvous/file_store.h"
#include "xla/distributed/rendezvous/tcp_store.h"

namespace xla::distributed {
namespace {

constexpr struct {
  const char* process;
  const char* num_processes;
} kVariables[] = {
    {"TESSERA_PROCESS", "TESSERA_NUM_PROCESSES"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"SLURM_PROCID", "SLURM_NTASKS"},
};

}  // namespace

absl::StatusOr<PlaceInJob> PlaceFromEnvironment() {
  for (const auto& names : kVariables) {
    const char* process = std::getenv(names.process);
    const char* num_processes = std::getenv(names.num_processes);
    if (process == nullptr || num_processes == nullptr) continue;
    PlaceInJob place;
    if (!absl::SimpleAtoi(process, &place.process) ||
        !absl::SimpleAtoi(num_processes, &place.num_processes) ||
        place.process < 0 || place.process >= place.num_processes) {
      return absl::InvalidArgumentError(absl::StrCat(
          names.process, "=", process, " and ", names.num_processes, "=",
          num_processes, " are no place in a job"));
    }
    return place;
  }
  return PlaceInJob();
}

absl::StatusOr<std::shared_ptr<KeyValueStore>> OpenStore(
    const std::string& where, PlaceInJob place, absl::Duration timeout,
    const std::string& secret_file) {
  std::shared_ptr<const SharedSecret> secret;
  if (!secret_file.empty()) {
    TF_ASSIGN_OR_RETURN(secret, SharedSecret::Read(secret_file));
  }
  absl::string_view directory = where;
  if (absl::ConsumePrefix(&directory, "file:")) {
    TF_ASSIGN_OR_RETURN(std::unique_ptr<FileStore> store,
                        FileStore::Open(std::string(directory), place.process,
                                        place.num_processes, timeout));
    return std::shared_ptr<KeyValueStore>(std::move(store));
  }
  TF_ASSIGN_OR_RETURN(
      std::unique_ptr<TcpStore> store,
      TcpStore::Open(where, place.process, timeout, std::move(secret)));
  return std::shared_ptr<KeyValueStore>(std::move(store));
}

}  // namespace xla::distributed
