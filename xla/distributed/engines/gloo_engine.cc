// The engine over Gloo's TCP transport: its unbound buffers alone, one message
// each. What is sent when, and the framing, is above it
// (xla/distributed/run_schedule.h).
#include <gloo/common/error.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/transport/tcp/device.h>
#include <gloo/transport/unbound_buffer.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "xla/distributed/engine_api.h"

namespace {

// Codes of absl::StatusCode.
enum Code {
  kDeadlineExceeded = 4,
  kAborted = 10,
  kInternal = 13,
  kUnavailable = 14
};

// The slots of Gloo's own collectives have a byte of 1 to 8 at the top.
constexpr uint64_t kSlotBits = (uint64_t{1} << 56) - 1;
constexpr uint64_t kSlotPrefix = uint64_t{0x54} << 56;
// Gloo tries to connect to each process for five times its timeout.
constexpr int kConnectTimeouts = 5;

void SetError(TesseraEngineError* error, int code, const char* message) {
  error->code = code;
  std::snprintf(error->message, sizeof(error->message), "%s", message);
}

// Gloo writes to sockets whose peer may have gone. While one lives, the signal
// that this raises stays away from the host program: it is blocked on this
// thread, and taken if it came.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    if (sigismember(&before_, SIGPIPE) == 1) return;
    const timespec now = {0, 0};
    if (!was_pending_) {
      while (sigtimedwait(&pipe_, nullptr, &now) == SIGPIPE) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_;
  sigset_t before_;
  bool was_pending_ = false;
};

// Carries an error of the user's store through Gloo.
struct StoreError : std::runtime_error {
  explicit StoreError(const TesseraEngineError& e)
      : std::runtime_error(e.message), error(e) {}
  TesseraEngineError error;
};

// Runs `body`, which returns the result, and turns exceptions into errors.
template <typename Result, typename Body>
Result Guarded(TesseraEngineError* error, Result failure, Body body) {
  const NoPipeSignal guard;
  try {
    return body();
  } catch (const StoreError& e) {
    *error = e.error;
  } catch (const gloo::IoException& e) {
    SetError(error, kUnavailable, e.what());
  } catch (const std::exception& e) {
    SetError(error, kInternal, e.what());
  }
  return failure;
}

class EngineStore : public gloo::rendezvous::Store {
 public:
  explicit EngineStore(const TesseraEngineOptions& options)
      : store_(*options.store), timeout_ms_(options.connect_timeout_ms) {}

  void set(const std::string& key, const std::vector<char>& data) override {
    TesseraEngineError error = {};
    if (store_.put(store_.context, Name(key).c_str(), data.data(), data.size(),
                   &error) != 0) {
      throw StoreError(error);
    }
  }
  std::vector<char> get(const std::string& key) override {
    TesseraEngineError error = {};
    void* value = nullptr;
    size_t size = 0;
    if (store_.get(store_.context, Name(key).c_str(), timeout_ms_, &value,
                   &size, &error) != 0) {
      throw StoreError(error);
    }
    const auto* bytes = static_cast<const char*>(value);
    std::vector<char> data(bytes, bytes + size);
    store_.free_value(value);
    return data;
  }
  // `get` waits.
  void wait(const std::vector<std::string>&) override {}

 private:
  static std::string Name(const std::string& key) {
    return "tessera/gloo/" + key;
  }
  const TesseraEngineStore& store_;
  const int64_t timeout_ms_;
};

}  // namespace

struct TesseraEngineConnection {
  std::shared_ptr<gloo::transport::Device> device;
  std::shared_ptr<gloo::rendezvous::Context> context;
  std::mutex mutex;  // guards the members below
  bool aborted = false;
  std::vector<TesseraEngineTransfer*> waiting;
};

struct TesseraEngineTransfer {
  TesseraEngineConnection* connection;
  std::unique_ptr<gloo::transport::UnboundBuffer> buffer;
  bool is_send;
};

namespace {

using Connection = TesseraEngineConnection;
using EngineTransfer = TesseraEngineTransfer;

Connection* Connect(const TesseraEngineOptions* options,
                    TesseraEngineError* error) {
  return Guarded<Connection*>(error, nullptr, [&] {
    auto connection = std::make_unique<Connection>();
    gloo::transport::tcp::attr attributes;
    attributes.hostname = options->address;
    // The thread that the device starts inherits the blocked signal.
    connection->device = gloo::transport::tcp::CreateDevice(attributes);
    connection->context = std::make_shared<gloo::rendezvous::Context>(
        options->process, options->num_processes);
    connection->context->setTimeout(std::chrono::milliseconds(
        options->connect_timeout_ms / kConnectTimeouts + 1));
    EngineStore store(*options);
    connection->context->connectFullMesh(store, connection->device);
    return connection.release();
  });
}

void Abort(Connection* connection) {
  TesseraEngineError ignored;
  std::lock_guard<std::mutex> lock(connection->mutex);
  if (connection->aborted) return;
  connection->aborted = true;
  // First, since Gloo ends the process if a peer asks for a buffer that is
  // gone, as those of waits that end would be.
  Guarded<int>(&ignored, 1, [&] {
    connection->context->closeConnections();
    return 0;
  });
  for (EngineTransfer* transfer : connection->waiting) {
    if (transfer->is_send) {
      transfer->buffer->abortWaitSend();
    } else {
      transfer->buffer->abortWaitRecv();
    }
  }
}

void Disconnect(Connection* connection) {
  Abort(connection);
  delete connection;
}

EngineTransfer* Start(Connection* connection, int peer, uint64_t key,
                      void* data, size_t bytes, bool is_send,
                      TesseraEngineError* error) {
  return Guarded<EngineTransfer*>(error, nullptr, [&] {
    auto transfer = std::make_unique<EngineTransfer>();
    transfer->connection = connection;
    transfer->is_send = is_send;
    transfer->buffer = connection->context->createUnboundBuffer(data, bytes);
    const uint64_t slot = (key & kSlotBits) | kSlotPrefix;
    if (is_send) {
      transfer->buffer->send(peer, slot);
    } else {
      transfer->buffer->recv(peer, slot);
    }
    return transfer.release();
  });
}

EngineTransfer* Send(Connection* connection, int peer, uint64_t key,
                     const void* data, size_t bytes,
                     TesseraEngineError* error) {
  return Start(connection, peer, key, const_cast<void*>(data), bytes,
               /*is_send=*/true, error);
}

EngineTransfer* Receive(Connection* connection, int peer, uint64_t key,
                        void* data, size_t bytes, TesseraEngineError* error) {
  return Start(connection, peer, key, data, bytes, /*is_send=*/false, error);
}

// Registers the transfer for Abort. Returns false after an abort.
bool BeginWait(EngineTransfer* transfer) {
  Connection& connection = *transfer->connection;
  std::lock_guard<std::mutex> lock(connection.mutex);
  if (connection.aborted) return false;
  connection.waiting.push_back(transfer);
  return true;
}

void EndWait(EngineTransfer* transfer) {
  Connection& connection = *transfer->connection;
  std::lock_guard<std::mutex> lock(connection.mutex);
  for (EngineTransfer*& other : connection.waiting) {
    if (other != transfer) continue;
    other = connection.waiting.back();
    connection.waiting.pop_back();
    return;
  }
}

int Wait(EngineTransfer* transfer, int64_t timeout_ms,
         TesseraEngineError* error) {
  if (!BeginWait(transfer)) {
    SetError(error, kAborted, "the connections of this process are closed");
    return kAborted;
  }
  timespec begin;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  const std::chrono::milliseconds timeout(timeout_ms);
  const int code = Guarded<int>(error, kInternal, [&] {
    const bool done = transfer->is_send ? transfer->buffer->waitSend(timeout)
                                        : transfer->buffer->waitRecv(timeout);
    if (done) return 0;
    SetError(error, kAborted, "the connections of this process were closed");
    return static_cast<int>(kAborted);
  });
  EndWait(transfer);
  if (code == 0) return 0;
  timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  const int64_t waited_ms = (end.tv_sec - begin.tv_sec) * 1000 +
                            (end.tv_nsec - begin.tv_nsec) / 1000000;
  if (error->code == kUnavailable && waited_ms >= timeout_ms) {
    SetError(error, kDeadlineExceeded, "nothing came in time");
  }
  return error->code;
}

void Release(EngineTransfer* transfer) { delete transfer; }

constexpr TesseraEngine kEngine = {TESSERA_ENGINE_VERSION,
                                   "gloo",
                                   Connect,
                                   Disconnect,
                                   Send,
                                   Receive,
                                   Wait,
                                   Release,
                                   Abort};

}  // namespace

extern "C" __attribute__((visibility("default"))) const TesseraEngine*
TesseraGetEngine(void) {
  return &kEngine;
}
