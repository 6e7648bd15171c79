// Exchanges descriptions of processes through a store.
#include "xla/distributed/topology.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/byte_fields.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/base/version.h"
#include "xla/runtime/wait_watch.h"

namespace xla::distributed {
namespace {

// The version of the messages between processes.
constexpr int kFormat = 1;
// The most devices that a process may claim to have.
constexpr int kMostDevices = 1 << 16;

std::string KeyOf(int process) {
  return absl::StrCat("tessera/process/", process);
}

std::string HostName() {
  char name[256] = {};
  return gethostname(name, sizeof(name) - 1) == 0 ? name : "";
}

std::string BootId() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id.empty() ? HostName() : id;
}

bool IsLoopback(absl::string_view address) {
  return absl::StartsWith(address, "127.") || address == "::1" ||
         address == "localhost";
}

absl::Status CheckReachable(const Topology& topology) {
  const ProcessDescription& first = topology.processes[0];
  const auto other = absl::c_find_if(
      topology.processes,
      [&](const ProcessDescription& p) { return p.boot_id != first.boot_id; });
  if (other == topology.processes.end()) return absl::OkStatus();
  for (const ProcessDescription& process : topology.processes) {
    if (!IsLoopback(process.address)) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "the job has processes on ", first.host, " and ", other->host,
        ", but one on ", process.host, " listens at ", process.address,
        ", which only its own machine reaches: set listen_address to an ",
        "address of each machine"));
  }
  return absl::OkStatus();
}

// Numbers machines by order of appearance.
void FillPartitions(std::vector<ProcessDescription>& processes) {
  std::map<std::string, int32_t> machines;
  for (ProcessDescription& process : processes) {
    const auto [it, is_new] = machines.emplace(
        process.boot_id, static_cast<int32_t>(machines.size()));
    if (process.partition_index < 0) process.partition_index = it->second;
  }
}

}  // namespace

ProcessDescription ProcessDescription::OfThis(absl::string_view engine,
                                              int num_devices) {
  std::random_device random;
  ProcessDescription process;
  process.version = absl::StrCat("tessera ", TesseraVersion(), " messages ",
                                 kFormat, " engine ", engine);
  process.host = HostName();
  process.boot_id = BootId();
  process.incarnation = uint64_t{random()} << 32 | random();
  process.num_devices = num_devices;
  return process;
}

std::string ProcessDescription::Serialize() const {
  ByteWriter writer(version.size() + host.size() + boot_id.size() +
                    address.size() + 48);
  writer.Text(version);
  writer.Text(host);
  writer.Text(boot_id);
  writer.Number(incarnation);
  writer.Number(num_devices);
  writer.Number(partition_index);
  writer.Text(address);
  return std::move(writer).Take();
}

absl::StatusOr<ProcessDescription> ProcessDescription::Parse(
    absl::string_view bytes, absl::string_view mine) {
  ByteReader reader(bytes);
  ProcessDescription process;
  process.version = std::string(reader.Text());
  if (!reader.failed() && process.version != mine) {
    return absl::FailedPreconditionError(
        absl::StrCat("it runs ", process.version, ", this one ", mine));
  }
  process.host = std::string(reader.Text());
  process.boot_id = std::string(reader.Text());
  process.incarnation = reader.Number<uint64_t>();
  process.num_devices = reader.Number<int32_t>();
  process.partition_index = reader.Number<int32_t>();
  process.address = std::string(reader.Text());
  if (!reader.at_end() || process.num_devices < 1 ||
      process.num_devices > kMostDevices) {
    return absl::InvalidArgumentError(
        "what the store has for it does not describe a process");
  }
  return process;
}

int Topology::first_device(int process) const {
  int first = 0;
  for (int p = 0; p < process; ++p) first += processes[p].num_devices;
  return first;
}

int Topology::process_of_device(int device) const {
  int process = 0;
  while (device >= processes[process].num_devices) {
    device -= processes[process++].num_devices;
  }
  return process;
}

absl::StatusOr<Topology> ExchangeTopology(KeyValueStore& store, int process,
                                          int num_processes,
                                          const ProcessDescription& mine,
                                          absl::Duration timeout) {
  absl::Status put = store.Put(KeyOf(process), mine.Serialize());
  if (absl::IsAlreadyExists(put)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "process ", process, " of ", num_processes,
        " has joined this job before; a process that ended cannot come back, ",
        "the whole job has to start again"));
  }
  TF_RETURN_IF_ERROR(put);
  const absl::Time deadline = absl::Now() + timeout;
  Topology topology;
  topology.process = process;
  std::vector<int> missing;
  const std::shared_ptr<WaitWatcher> watcher = WaitWatcher::Get();
  for (int p = 0; p < num_processes; ++p) {
    // After the deadline each process is still asked for once.
    const absl::Duration left =
        std::max(deadline - absl::Now(), absl::Milliseconds(1));
    const auto report = [&](absl::Duration waited) {
      LOG(WARNING) << "process " << process << " of " << num_processes
                   << " has waited for "
                   << absl::FormatDuration(
                          absl::Trunc(waited, absl::Seconds(1)))
                   << " for process " << p << " to join the job";
    };
    absl::StatusOr<std::string> bytes;
    {
      const WaitWatch watch(watcher.get(), report);
      bytes = store.Get(KeyOf(p), left);
    }
    if (absl::IsDeadlineExceeded(bytes.status())) {
      missing.push_back(p);
      continue;
    }
    if (!bytes.ok()) return AddStatus(bytes.status(), "the key-value store");
    absl::StatusOr<ProcessDescription> theirs =
        ProcessDescription::Parse(*bytes, mine.version);
    if (!theirs.ok()) {
      return AddStatus(theirs.status(), absl::StrCat("process ", p));
    }
    topology.processes.push_back(*std::move(theirs));
  }
  if (!missing.empty()) {
    return absl::DeadlineExceededError(absl::StrCat(
        "processes ", absl::StrJoin(missing, ","), " of ", num_processes,
        " did not come in ", absl::FormatDuration(timeout)));
  }
  TF_RETURN_IF_ERROR(CheckReachable(topology));
  FillPartitions(topology.processes);
  return topology;
}

}  // namespace xla::distributed
