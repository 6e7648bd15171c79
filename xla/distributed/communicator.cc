// Connects, counts runs, and spreads the news of a failure.
#include "xla/distributed/communicator.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/stable_hash.h"
#include "xla/base/status_macros.h"
#include "xla/distributed/engine_transport.h"

namespace xla::distributed {
namespace {

constexpr int kMostProcesses = 1 << 16;

std::string FailureKey(int process) {
  return absl::StrCat("tessera/failure/", process);
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
  if (!options.secret_file.empty()) {
    return absl::UnimplementedError(absl::StrCat(
        "a shared secret is set (", options.secret_file, "), but engine ",
        options.engine, " cannot authenticate connections with it: unset it, ",
        "and let only hosts that you trust reach listen_address"));
  }
  const absl::Time begin = absl::Now();
  ProcessDescription mine =
      ProcessDescription::OfThis(options.engine, options.num_devices);
  mine.partition_index = options.partition_index;
  mine.address = options.engine == "mpi" ? "" : options.address;
  TF_ASSIGN_OR_RETURN(
      Topology topology,
      ExchangeTopology(*store, options.process, options.num_processes, mine,
                       options.connect_timeout));
  EngineOptions engine;
  engine.engine = options.engine;
  engine.process = options.process;
  engine.num_processes = options.num_processes;
  engine.address = options.address;
  engine.connect_timeout = std::max(
      absl::Seconds(1), options.connect_timeout - (absl::Now() - begin));
  absl::StatusOr<std::unique_ptr<Transport>> transport =
      ConnectEngine(engine, *store);
  if (!transport.ok()) {
    return AddStatus(transport.status(),
                     absl::StrCat("connecting process ", options.process,
                                  " of ", options.num_processes));
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
  for (int p = 0; p < topology_.num_processes(); ++p) {
    if (p == process() || store == nullptr) continue;
    const absl::StatusOr<std::string> reason = store->TryGet(FailureKey(p));
    if (reason.ok()) {
      absl::StrAppend(&text, "; process ", p, " had given up: ", *reason);
    }
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
    std::lock_guard<std::mutex> lock(mutex_);
    if (!status_.ok()) return status_;
    status_ = cause;
    store = store_;
  }
  const std::string said = WhatOthersSaid(store.get());
  const absl::Status explained = AppendStatus(
      cause, said.empty() ? "" : absl::string_view(said).substr(2));
  // Before the connections close, which is when the others look for it.
  if (store != nullptr) {
    store->Put(FailureKey(process()), cause.message()).IgnoreError();
  }
  {
    std::lock_guard<std::mutex> lock(mutex_);
    status_ = explained;
  }
  transport_->Abort(cause.message());
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
