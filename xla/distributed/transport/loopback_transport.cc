// Matches sends with receives under one lock.
#include "xla/distributed/transport/loopback_transport.h"

#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace xla::distributed {

struct LoopbackHub::State {
  struct Message {
    absl::Span<const char> data;
    bool taken = false;
  };
  using Key = std::tuple<int, int, uint64_t>;  // sender, receiver, key

  explicit State(int n)
      : num_processes(n), ended(n, false), reasons(n), sent(n, 0) {}

  // Returns why `process` cannot go on with `peer`. Called with `mutex` held.
  absl::Status Failure(int process, int peer) const {
    if (ended[process]) return absl::AbortedError(reasons[process]);
    if (ended[peer]) {
      return absl::UnavailableError(
          absl::StrCat("process ", peer, " closed its connection"));
    }
    return absl::OkStatus();
  }
  void End(int process, absl::string_view reason) {
    std::lock_guard<std::mutex> lock(mutex);
    if (ended[process]) return;
    ended[process] = true;
    reasons[process] = std::string(reason);
    changed.notify_all();
  }

  const int num_processes;
  std::mutex mutex;  // guards all below
  std::condition_variable changed;
  std::map<Key, Message*> sends;
  std::vector<bool> ended;
  std::vector<std::string> reasons;
  std::vector<int64_t> sent;
};

namespace {

using State = LoopbackHub::State;

class LoopbackTransfer : public Transfer {
 public:
  LoopbackTransfer(std::shared_ptr<State> state, int process, int peer,
                   uint64_t key, bool is_send, absl::Span<char> memory)
      : state_(std::move(state)),
        process_(process),
        peer_(peer),
        key_(is_send ? State::Key{process, peer, key}
                     : State::Key{peer, process, key}),
        is_send_(is_send),
        memory_(memory) {}

  ~LoopbackTransfer() override {
    if (!is_send_) return;
    std::lock_guard<std::mutex> lock(state_->mutex);
    const auto it = state_->sends.find(key_);
    if (it != state_->sends.end() && it->second == &message_) {
      state_->sends.erase(it);
    }
  }

  absl::Status Begin() {
    std::lock_guard<std::mutex> lock(state_->mutex);
    absl::Status failure = state_->Failure(process_, peer_);
    if (!failure.ok() || !is_send_) return failure;
    message_.data = memory_;
    state_->sent[process_] += static_cast<int64_t>(memory_.size());
    if (!state_->sends.emplace(key_, &message_).second) {
      return absl::InternalError(
          absl::StrCat("two messages with one key are under way from process ",
                       process_, " to process ", peer_));
    }
    state_->changed.notify_all();
    return absl::OkStatus();
  }

  absl::Status Wait(absl::Time deadline) override {
    std::unique_lock<std::mutex> lock(state_->mutex);
    while (true) {
      if (is_send_ && message_.taken) return absl::OkStatus();
      const auto it = state_->sends.find(key_);
      if (!is_send_ && it != state_->sends.end()) return Take(*it->second);
      absl::Status failure = state_->Failure(process_, peer_);
      if (!failure.ok()) return failure;
      if (absl::Now() >= deadline) {
        return absl::DeadlineExceededError(
            absl::StrCat("process ", peer_, " did not answer in time"));
      }
      state_->changed.wait_until(lock, absl::ToChronoTime(deadline));
    }
  }

 private:
  absl::Status Take(State::Message& message) {
    if (message.data.size() != memory_.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("process ", peer_, " sent ", message.data.size(),
                       " bytes, ", memory_.size(), " were expected"));
    }
    if (!memory_.empty()) {
      std::memcpy(memory_.data(), message.data.data(), memory_.size());
    }
    message.taken = true;
    state_->sends.erase(key_);
    state_->changed.notify_all();
    return absl::OkStatus();
  }

  const std::shared_ptr<State> state_;
  const int process_;
  const int peer_;
  const State::Key key_;
  const bool is_send_;
  const absl::Span<char> memory_;
  State::Message message_;
};

class LoopbackTransport : public Transport {
 public:
  LoopbackTransport(std::shared_ptr<State> state, int process)
      : state_(std::move(state)), process_(process) {}
  ~LoopbackTransport() override {
    state_->End(process_, "the transport was destroyed");
  }

  int process() const override { return process_; }
  int num_processes() const override { return state_->num_processes; }
  absl::StatusOr<std::unique_ptr<Transfer>> Send(
      int peer, uint64_t key, absl::Span<const char> data) override {
    return Start(peer, key, /*is_send=*/true,
                 {const_cast<char*>(data.data()), data.size()});
  }
  absl::StatusOr<std::unique_ptr<Transfer>> Receive(
      int peer, uint64_t key, absl::Span<char> data) override {
    return Start(peer, key, /*is_send=*/false, data);
  }
  void Abort(absl::string_view reason) override {
    state_->End(process_, reason);
  }

 private:
  absl::StatusOr<std::unique_ptr<Transfer>> Start(int peer, uint64_t key,
                                                  bool is_send,
                                                  absl::Span<char> memory) {
    auto transfer = std::make_unique<LoopbackTransfer>(state_, process_, peer,
                                                       key, is_send, memory);
    absl::Status status = transfer->Begin();
    if (!status.ok()) return status;
    return transfer;
  }

  const std::shared_ptr<State> state_;
  const int process_;
};

}  // namespace

LoopbackHub::LoopbackHub(int num_processes)
    : state_(std::make_shared<State>(num_processes)) {}

std::unique_ptr<Transport> LoopbackHub::MakeTransport(int process) {
  return std::make_unique<LoopbackTransport>(state_, process);
}

void LoopbackHub::Kill(int process) { state_->End(process, "killed"); }

int64_t LoopbackHub::sent_bytes(int process) const {
  std::lock_guard<std::mutex> lock(state_->mutex);
  return state_->sent[process];
}

}  // namespace xla::distributed
