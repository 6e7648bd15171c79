// A connection for each request, and a thread of the server for each
// connection.
#include "xla/distributed/rendezvous/tcp_store.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/distributed/rendezvous/memory_store.h"
#include "xla/distributed/rendezvous/sockets.h"

namespace xla::distributed {
namespace {

enum class Request : uint32_t { kPut = 1, kGet, kTryGet };

constexpr uint32_t kMagic = 0x31535454;  // "TTS1"
constexpr uint32_t kMostKeyBytes = 1 << 16;
constexpr uint32_t kMostValueBytes = 1 << 28;
// How long either side waits for bytes of a message that has begun.
constexpr absl::Duration kPatience = absl::Seconds(10);
// How often the server looks whether it has to end.
constexpr absl::Duration kLook = absl::Milliseconds(50);
constexpr absl::Duration kTryAgain = absl::Milliseconds(20);

struct RequestHead {
  uint32_t magic = kMagic;
  Request request = Request::kPut;
  uint32_t key_bytes = 0;
  uint32_t value_bytes = 0;
  int64_t timeout_ms = 0;
};
struct ReplyHead {
  uint32_t magic = kMagic;
  uint32_t code = 0;  // of the status; the text follows
  uint64_t bytes = 0;
};

absl::StatusOr<std::string> ReadText(Socket& socket, uint64_t bytes) {
  std::string text(bytes, '\0');
  TF_RETURN_IF_ERROR(socket.Read(text.data(), bytes, kPatience));
  return text;
}

}  // namespace

class TcpStore::Server {
 public:
  explicit Server(Socket listener) : listener_(std::move(listener)) {
    thread_ = std::thread([this] { Accept(); });
  }
  ~Server() {
    stopping_ = true;
    thread_.join();
    for (Worker& worker : workers_) worker.thread.join();
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
            Serve(socket).IgnoreError();
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

  absl::Status Serve(Socket& socket) {
    RequestHead head;
    TF_RETURN_IF_ERROR(socket.Read(&head, sizeof(head), kPatience));
    if (head.magic != kMagic || head.key_bytes > kMostKeyBytes ||
        head.value_bytes > kMostValueBytes) {
      return absl::InvalidArgumentError("not a request");
    }
    TF_ASSIGN_OR_RETURN(const std::string key,
                        ReadText(socket, head.key_bytes));
    TF_ASSIGN_OR_RETURN(const std::string value,
                        ReadText(socket, head.value_bytes));
    const absl::StatusOr<std::string> answer = Answer(head, key, value);
    const absl::string_view text =
        answer.ok() ? absl::string_view(*answer) : answer.status().message();
    ReplyHead reply;
    reply.code = static_cast<uint32_t>(answer.status().code());
    reply.bytes = text.size();
    TF_RETURN_IF_ERROR(socket.Write(&reply, sizeof(reply), kPatience));
    return socket.Write(text.data(), text.size(), kPatience);
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
  MemoryStore values_;
  std::atomic<bool> stopping_{false};
  std::list<Worker> workers_;  // of thread_
  std::thread thread_;
};

namespace {

absl::StatusOr<std::string> Ask(const std::string& host,
                                const std::string& port, Request request,
                                absl::string_view key, absl::string_view value,
                                absl::Duration timeout) {
  if (key.size() > kMostKeyBytes || value.size() > kMostValueBytes) {
    return absl::InvalidArgumentError("the key or the value is too long");
  }
  TF_ASSIGN_OR_RETURN(Socket socket, ConnectTo(host, port));
  RequestHead head;
  head.request = request;
  head.key_bytes = static_cast<uint32_t>(key.size());
  head.value_bytes = static_cast<uint32_t>(value.size());
  head.timeout_ms = absl::ToInt64Milliseconds(timeout);
  TF_RETURN_IF_ERROR(socket.Write(&head, sizeof(head), kPatience));
  TF_RETURN_IF_ERROR(socket.Write(key.data(), key.size(), kPatience));
  TF_RETURN_IF_ERROR(socket.Write(value.data(), value.size(), kPatience));
  ReplyHead reply;
  TF_RETURN_IF_ERROR(socket.Read(&reply, sizeof(reply), timeout + kPatience));
  if (reply.magic != kMagic || reply.bytes > kMostValueBytes) {
    return absl::DataLossError(
        absl::StrCat("what listens at ", host, ":", port, " is no store"));
  }
  TF_ASSIGN_OR_RETURN(std::string text, ReadText(socket, reply.bytes));
  if (reply.code == 0) return text;
  return absl::Status(static_cast<absl::StatusCode>(reply.code), text);
}

}  // namespace

TcpStore::TcpStore(std::string host, std::string port,
                   std::unique_ptr<Server> server)
    : host_(std::move(host)),
      port_(std::move(port)),
      server_(std::move(server)) {}

TcpStore::~TcpStore() = default;

absl::StatusOr<std::unique_ptr<TcpStore>> TcpStore::Open(
    const std::string& address, int process, absl::Duration timeout) {
  const size_t colon = address.rfind(':');
  int port = 0;
  if (colon == std::string::npos || colon == 0 ||
      !absl::SimpleAtoi(address.substr(colon + 1), &port) || port < 1 ||
      port > 65535) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", address, "\" is not an address HOST:PORT"));
  }
  const std::string host = address.substr(0, colon);
  const std::string port_text = absl::StrCat(port);
  if (process == 0) {
    TF_ASSIGN_OR_RETURN(Socket listener, ListenAt(host, port_text));
    return std::unique_ptr<TcpStore>(new TcpStore(
        host, port_text, std::make_unique<Server>(std::move(listener))));
  }
  const absl::Time deadline = absl::Now() + timeout;
  while (true) {
    const absl::StatusOr<Socket> connection = ConnectTo(host, port_text);
    if (connection.ok()) break;
    if (absl::Now() >= deadline) {
      return absl::DeadlineExceededError(absl::StrCat(
          "process 0 did not listen at ", address, " in ",
          absl::FormatDuration(timeout), ": ", connection.status().message()));
    }
    absl::SleepFor(kTryAgain);
  }
  return std::unique_ptr<TcpStore>(new TcpStore(host, port_text, nullptr));
}

absl::Status TcpStore::Put(absl::string_view key, absl::string_view value) {
  return Ask(host_, port_, Request::kPut, key, value, absl::ZeroDuration())
      .status();
}

absl::StatusOr<std::string> TcpStore::Get(absl::string_view key,
                                          absl::Duration timeout) {
  return Ask(host_, port_, Request::kGet, key, "", timeout);
}

absl::StatusOr<std::string> TcpStore::TryGet(absl::string_view key) {
  return Ask(host_, port_, Request::kTryGet, key, "", absl::ZeroDuration());
}

}  // namespace xla::distributed
