// A connection for each request, and a thread of the server for each
// connection.
#include "xla/distributed/rendezvous/tcp_store.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>
#include <thread>

#include "absl/memory/memory.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/distributed/rendezvous/memory_store.h"
#include "xla/distributed/rendezvous/sockets.h"
#include "xla/distributed/rendezvous/store_handshake.h"
#include "xla/runtime/wait_watch.h"

namespace xla::distributed {
namespace {

enum class Request : uint32_t { kPut = 1, kGet, kTryGet };

constexpr uint32_t kMostKeyBytes = 1 << 16;
constexpr uint32_t kMostValueBytes = 1 << 28;
// How long either side waits for bytes of a message that has begun.
constexpr absl::Duration kPatience = absl::Seconds(10);
// How often the server looks whether it has to end.
constexpr absl::Duration kLook = absl::Milliseconds(50);
constexpr absl::Duration kTryAgain = absl::Milliseconds(20);
// The server logs this many refusals.
constexpr int64_t kMostWarnings = 16;

struct RequestHead {
  uint32_t magic = kStoreMagic;
  Request request = Request::kPut;
  uint32_t key_bytes = 0;
  uint32_t value_bytes = 0;
  int64_t timeout_ms = 0;
};

absl::StatusOr<std::string> ReadText(Socket& socket, uint64_t bytes) {
  std::string text(bytes, '\0');
  TF_RETURN_IF_ERROR(socket.Read(text.data(), bytes, kPatience));
  return text;
}

}  // namespace

class TcpStore::Server {
 public:
  Server(Socket listener, std::string address,
         std::shared_ptr<const SharedSecret> secret)
      : listener_(std::move(listener)),
        address_(std::move(address)),
        secret_(std::move(secret)) {
    thread_ = std::thread([this] { Accept(); });
  }
  ~Server() {
    stopping_ = true;
    thread_.join();
    for (Worker& worker : workers_) worker.thread.join();
  }

  // Says which connections were refused; empty if none was.
  std::string Refusals() const {
    std::lock_guard<std::mutex> lock(mutex_);
    if (refused_ == 0) return "";
    return absl::StrCat("the store refused ", refused_,
                        " connections, the last one was ", refusal_);
  }

 private:
  struct Worker {
    std::thread thread;
    std::atomic<bool> ended{false};
  };

  void Accept() {
    while (!stopping_) {
      absl::StatusOr<Socket> connection = AcceptFrom(listener_, kLook);
      RemoveEnded();
      if (!connection.ok() || connection->fd() < 0) continue;
      Worker& worker = workers_.emplace_back();
      worker.thread = std::thread(
          [this, &worker, socket = *std::move(connection)]() mutable {
            NoteRefusal(Serve(socket));
            worker.ended = true;
          });
    }
  }

  void RemoveEnded() {
    workers_.remove_if([](Worker& worker) {
      const bool ended = worker.ended;
      if (ended) worker.thread.join();
      return ended;
    });
  }

  void NoteRefusal(const absl::Status& status) {
    if (!absl::IsPermissionDenied(status) &&
        !absl::IsFailedPrecondition(status)) {
      return;
    }
    std::lock_guard<std::mutex> lock(mutex_);
    refusal_ = std::string(status.message());
    if (++refused_ > kMostWarnings) return;
    LOG(WARNING) << "the store at " << address_ << " refused " << refusal_;
  }

  // Reads the magic number of a request, and the handshake before it.
  absl::Status Admit(Socket& socket, uint32_t* magic) {
    TF_RETURN_IF_ERROR(socket.Read(magic, sizeof(*magic), kPatience));
    if (*magic == kStoreHandshakeMagic) {
      TF_RETURN_IF_ERROR(ProveToClient(socket, secret_.get(), address_));
      return socket.Read(magic, sizeof(*magic), kPatience);
    }
    if (*magic != kStoreMagic || secret_ == nullptr) return absl::OkStatus();
    TF_RETURN_IF_ERROR(WriteReply(
        socket,
        absl::PermissionDeniedError(absl::StrCat(
            "the store at ", address_,
            " is for processes that know the job's secret: set secret_file")),
        ""));
    return absl::PermissionDeniedError("one of a process without secret_file");
  }

  absl::Status Serve(Socket& socket) {
    RequestHead head;
    TF_RETURN_IF_ERROR(Admit(socket, &head.magic));
    TF_RETURN_IF_ERROR(
        socket.Read(reinterpret_cast<char*>(&head) + sizeof(head.magic),
                    sizeof(head) - sizeof(head.magic), kPatience));
    if (head.magic != kStoreMagic || head.key_bytes > kMostKeyBytes ||
        head.value_bytes > kMostValueBytes) {
      return absl::InvalidArgumentError("not a request");
    }
    TF_ASSIGN_OR_RETURN(const std::string key,
                        ReadText(socket, head.key_bytes));
    TF_ASSIGN_OR_RETURN(const std::string value,
                        ReadText(socket, head.value_bytes));
    const absl::StatusOr<std::string> answer = Answer(head, key, value);
    WriteReply(socket, answer.status(),
               answer.ok() ? absl::string_view(*answer) : "")
        .IgnoreError();
    // What the store answers is no refusal.
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> Answer(const RequestHead& head,
                                     const std::string& key,
                                     const std::string& value) {
    switch (head.request) {
      case Request::kPut:
        TF_RETURN_IF_ERROR(values_.Put(key, value));
        return "";
      case Request::kTryGet:
        return values_.TryGet(key);
      case Request::kGet:
        break;
    }
    const absl::Time deadline =
        absl::Now() + absl::Milliseconds(head.timeout_ms);
    while (true) {
      const absl::Duration left = deadline - absl::Now();
      absl::StatusOr<std::string> got = values_.Get(key, std::min(left, kLook));
      if (got.ok() || left <= kLook || stopping_) return got;
    }
  }

  Socket listener_;
  const std::string address_;
  const std::shared_ptr<const SharedSecret> secret_;
  MemoryStore values_;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;  // guards the two below
  int64_t refused_ = 0;
  std::string refusal_;
  std::list<Worker> workers_;  // of thread_
  std::thread thread_;
};

absl::StatusOr<std::string> TcpStore::Ask(uint32_t request,
                                          absl::string_view key,
                                          absl::string_view value,
                                          absl::Duration timeout) {
  if (key.size() > kMostKeyBytes || value.size() > kMostValueBytes) {
    return absl::InvalidArgumentError("the key or the value is too long");
  }
  TF_ASSIGN_OR_RETURN(Socket socket, ConnectTo(host_, port_));
  if (secret_ != nullptr) {
    TF_RETURN_IF_ERROR(ProveToStore(socket, *secret_, address(), process_));
  }
  RequestHead head;
  head.request = static_cast<Request>(request);
  head.key_bytes = static_cast<uint32_t>(key.size());
  head.value_bytes = static_cast<uint32_t>(value.size());
  head.timeout_ms = absl::ToInt64Milliseconds(timeout);
  TF_RETURN_IF_ERROR(socket.Write(&head, sizeof(head), kPatience));
  TF_RETURN_IF_ERROR(socket.Write(key.data(), key.size(), kPatience));
  TF_RETURN_IF_ERROR(socket.Write(value.data(), value.size(), kPatience));
  ReplyHead reply;
  TF_RETURN_IF_ERROR(socket.Read(&reply, sizeof(reply), timeout + kPatience));
  if (reply.magic != kStoreMagic || reply.bytes > kMostValueBytes) {
    return absl::DataLossError(
        absl::StrCat("what listens at ", address(), " is no store"));
  }
  TF_ASSIGN_OR_RETURN(std::string text, ReadText(socket, reply.bytes));
  if (reply.code == 0) return text;
  return absl::Status(static_cast<absl::StatusCode>(reply.code), text);
}

TcpStore::TcpStore(std::string host, std::string port, int process,
                   std::shared_ptr<const SharedSecret> secret)
    : host_(std::move(host)),
      port_(std::move(port)),
      process_(process),
      secret_(std::move(secret)) {}

TcpStore::~TcpStore() = default;

absl::StatusOr<std::unique_ptr<TcpStore>> TcpStore::Open(
    const std::string& address, int process, absl::Duration timeout,
    std::shared_ptr<const SharedSecret> secret) {
  const size_t colon = address.rfind(':');
  int port = 0;
  if (colon == std::string::npos || colon == 0 ||
      !absl::SimpleAtoi(address.substr(colon + 1), &port) || port < 1 ||
      port > 65535) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", address, "\" is not an address HOST:PORT"));
  }
  auto store = absl::WrapUnique(new TcpStore(
      address.substr(0, colon), absl::StrCat(port), process, secret));
  if (process == 0) {
    TF_ASSIGN_OR_RETURN(Socket listener, ListenAt(store->host_, store->port_));
    store->server_ = std::make_unique<Server>(
        std::move(listener), store->address(), std::move(secret));
    return store;
  }
  TF_RETURN_IF_ERROR(store->AwaitServer(timeout));
  return store;
}

std::string TcpStore::address() const {
  return absl::StrCat(host_, ":", port_);
}

absl::Status TcpStore::AwaitServer(absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  WaitReminder reminder;
  while (true) {
    // Any request shows whether a store answers, and whether it trusts us.
    const absl::Status status = TryGet("").status();
    if (status.ok() || absl::IsNotFound(status)) return absl::OkStatus();
    if (!absl::IsUnavailable(status) && !absl::IsDeadlineExceeded(status)) {
      return status;
    }
    if (absl::Now() >= deadline) {
      return absl::DeadlineExceededError(
          absl::StrCat("process 0 did not listen at ", address(), " in ",
                       absl::FormatDuration(timeout), ": ", status.message()));
    }
    absl::SleepFor(kTryAgain);
  }
}

absl::Status TcpStore::Put(absl::string_view key, absl::string_view value) {
  return Ask(static_cast<uint32_t>(Request::kPut), key, value,
             absl::ZeroDuration())
      .status();
}

absl::StatusOr<std::string> TcpStore::Get(absl::string_view key,
                                          absl::Duration timeout) {
  absl::StatusOr<std::string> value =
      Ask(static_cast<uint32_t>(Request::kGet), key, "", timeout);
  if (value.ok() || server_ == nullptr) return value;
  const std::string refusals = server_->Refusals();
  if (refusals.empty()) return value;
  return AppendStatus(value.status(), refusals);
}

absl::StatusOr<std::string> TcpStore::TryGet(absl::string_view key) {
  return Ask(static_cast<uint32_t>(Request::kTryGet), key, "",
             absl::ZeroDuration());
}

}  // namespace xla::distributed
