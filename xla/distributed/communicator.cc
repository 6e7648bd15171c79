// Connects, counts runs, and spreads the news of a failure.
#include "xla/distributed/communicator.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/stable_hash.h"
#include "xla/base/status_macros.h"
#include "xla/distributed/engine_transport.h"
#include "xla/distributed/handshake.h"
#include "xla/distributed/secret/shared_secret.h"

namespace xla::distributed {
namespace {

constexpr int kMostProcesses = 1 << 16;

std::string FailureKey(int process) {
  return absl::StrCat("tessera/failure/", process);
}

// What processes other than `self` have left in the store when they gave up.
std::string FailuresOfOthers(KeyValueStore& store, int self,
                             int num_processes) {
  std::string text;
  for (int p = 0; p < num_processes; ++p) {
    if (p == self) continue;
    const absl::StatusOr<std::string> reason = store.TryGet(FailureKey(p));
    if (reason.ok()) {
      absl::StrAppend(&text, "; process ", p, " had given up: ", *reason);
    }
  }
  return text;
}

ProcessDescription DescribeThis(const CommunicatorOptions& options) {
  ProcessDescription mine =
      ProcessDescription::OfThis(options.engine, options.num_devices);
  // Processes that disagree whether there is a secret notice it at once.
  if (!options.secret_file.empty()) mine.version += " with secret_file";
  mine.partition_index = options.partition_index;
  mine.address = options.engine == "mpi" ? "" : options.address;
  return mine;
}

// Connects this process with all others, which prove that they know `secret`
// unless it is null.
absl::StatusOr<std::unique_ptr<Transport>> ConnectAll(
    const CommunicatorOptions& options, KeyValueStore& store,
    const Topology& topology, const SharedSecret* secret, absl::Time deadline) {
  const auto left = [deadline] {
    return std::max(absl::Seconds(1), deadline - absl::Now());
  };
  EngineOptions engine;
  engine.engine = options.engine;
  engine.process = options.process;
  engine.num_processes = options.num_processes;
  engine.address = options.address;
  engine.connect_timeout = left();
  absl::string_view step = " to connect all processes over ";
  const auto report = [&](absl::Duration waited) {
    LOG(WARNING) << "process " << options.process << " of "
                 << options.num_processes << " has waited for "
                 << absl::FormatDuration(absl::Trunc(waited, absl::Seconds(1)))
                 << step << options.engine;
  };
  const std::shared_ptr<WaitWatcher> watcher = WaitWatcher::Get();
  std::unique_ptr<Transport> transport;
  {
    const WaitWatch watch(watcher.get(), report);
    TF_ASSIGN_OR_RETURN(transport, ConnectEngine(engine, store));
  }
  if (secret != nullptr) {
    step = " for all others to prove that they know the secret, over ";
    const WaitWatch watch(watcher.get(), report);
    const absl::Status proven =
        ProveToAll(*transport, *secret, topology, absl::Now() + left());
    if (!proven.ok()) {
      return AppendStatus(proven, "secret_file is " + options.secret_file);
    }
  }
  return transport;
}

}  // namespace

absl::StatusOr<std::shared_ptr<Communicator>> Communicator::Connect(
    const CommunicatorOptions& options, std::shared_ptr<KeyValueStore> store) {
  if (options.num_processes < 1 || options.num_processes > kMostProcesses ||
      options.process < 0 || options.process >= options.num_processes) {
    return absl::InvalidArgumentError(absl::StrCat("there is no process ",
                                                   options.process, " of ",
                                                   options.num_processes));
  }
  std::shared_ptr<const SharedSecret> secret;
  if (!options.secret_file.empty()) {
    TF_ASSIGN_OR_RETURN(secret, SharedSecret::Read(options.secret_file));
  }
  const absl::Time deadline = absl::Now() + options.connect_timeout;
  TF_ASSIGN_OR_RETURN(
      Topology topology,
      ExchangeTopology(*store, options.process, options.num_processes,
                       DescribeThis(options), options.connect_timeout));
  absl::StatusOr<std::unique_ptr<Transport>> transport =
      ConnectAll(options, *store, topology, secret.get(), deadline);
  if (!transport.ok()) {
    // For those who find the connections of this one closed.
    store->Put(FailureKey(options.process), transport.status().message())
        .IgnoreError();
    return WithMessage(
        transport.status(),
        absl::StrCat(
            "connecting process ", options.process, " of ",
            options.num_processes, ": ", transport.status().message(),
            FailuresOfOthers(*store, options.process, options.num_processes)));
  }
  return std::make_shared<Communicator>(std::move(topology),
                                        *std::move(transport), std::move(store),
                                        options.timeout);
}

Communicator::Communicator(Topology topology,
                           std::unique_ptr<Transport> transport,
                           std::shared_ptr<KeyValueStore> store,
                           absl::Duration timeout)
    : topology_(std::move(topology)),
      transport_(std::move(transport)),
      timeout_(timeout),
      store_(std::move(store)) {}

absl::Status Communicator::status() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return status_;
}

std::string Communicator::WhatOthersSaid(KeyValueStore* store) {
  std::string text;
  if (store != nullptr) {
    text = FailuresOfOthers(*store, process(), topology_.num_processes());
  }
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [p, state] : states_) {
    if (state.empty()) continue;
    absl::StrAppend(&text, "; process ", p, " is ", state);
  }
  return text;
}

absl::Status Communicator::Fail(const absl::Status& cause) {
  std::shared_ptr<KeyValueStore> store;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    if (!status_.ok()) {
      // Callers free the memory of their transfers next.
      closed_changed_.wait(lock, [this] { return closed_; });
      return status_;
    }
    status_ = cause;
    store = store_;
  }
  const std::string said = WhatOthersSaid(store.get());
  const absl::Status explained =
      said.empty() ? cause
                   : AppendStatus(cause, absl::string_view(said).substr(2));
  // Before the connections close, which is when the others look for it.
  if (store != nullptr) {
    store->Put(FailureKey(process()), cause.message()).IgnoreError();
  }
  {
    std::lock_guard<std::mutex> lock(mutex_);
    status_ = explained;
  }
  transport_->Abort(cause.message());
  {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    closed_changed_.notify_all();
  }
  return explained;
}

int64_t Communicator::NextRun(uint64_t devices) {
  std::lock_guard<std::mutex> lock(mutex_);
  return runs_[devices]++;
}

bool Communicator::IsFirstRun(uint64_t devices, uint64_t program) {
  std::lock_guard<std::mutex> lock(mutex_);
  return programs_.insert(StableMix(devices, program)).second;
}

void Communicator::UpdateProcess(int process, std::string state) {
  std::lock_guard<std::mutex> lock(mutex_);
  states_[process] = std::move(state);
}

void Communicator::ForgetStore() {
  std::lock_guard<std::mutex> lock(mutex_);
  store_ = nullptr;
}

}  // namespace xla::distributed
