// The engine over MPI: every message is one of MPI's, with its key in front, so
// that no limit of tags confuses two of them. Whoever waits makes progress for
// all, since MPI has no thread of its own.
// Without the C++ bindings of old.
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "xla/distributed/engine_api.h"

namespace {

// Codes of absl::StatusCode.
enum Code {
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kFailedPrecondition = 9,
  kAborted = 10,
  kInternal = 13,
  kUnavailable = 14,
};

constexpr int kDataTag = 1;
constexpr int kAbortTag = 2;
// MPI counts with int: bytes of a message, the key included, in words.
constexpr size_t kMostBytes = size_t{1} << 31;
// A wait polls this often before it sleeps between polls.
constexpr int kPollsBeforeSleep = 2000;
constexpr std::chrono::microseconds kSleep(50);

bool initialized_here = false;
bool any_aborted = false;

void SetError(TesseraEngineError* error, int code, const std::string& message) {
  error->code = code;
  std::snprintf(error->message, sizeof(error->message), "%s", message.c_str());
}

int SetMpiError(TesseraEngineError* error, const char* function, int result) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int size = 0;
  MPI_Error_string(result, text, &size);
  SetError(error, kUnavailable, std::string(function) + ": " + text);
  return kUnavailable;
}

using Bytes = std::vector<char>;

struct SendUnderWay {
  Bytes bytes;
  MPI_Request request = MPI_REQUEST_NULL;
};
struct ReceiveUnderWay {
  int peer = 0;
  Bytes bytes;
  MPI_Request request = MPI_REQUEST_NULL;
};

}  // namespace

struct TesseraEngineConnection {
  MPI_Comm communicator = MPI_COMM_NULL;
  int num_processes = 0;
  std::mutex mutex;  // guards the members below
  bool aborted = false;
  std::vector<bool> closed;  // by the peers
  std::list<SendUnderWay> sends;
  std::list<ReceiveUnderWay> receives;
  // What has come and nobody has asked for yet.
  std::map<std::pair<int, uint64_t>, Bytes> arrived;
};

struct TesseraEngineTransfer {
  TesseraEngineConnection* connection;
  int peer;
  uint64_t key;
  void* data;  // of a receive
  size_t bytes;
  SendUnderWay* send;  // null for a receive, and when it has ended
  bool is_send;
};

namespace {

using Connection = TesseraEngineConnection;
using EngineTransfer = TesseraEngineTransfer;

// Messages are whole words, the first of which is the key and the second the
// size, so that counts fit into an int.
int WordsOf(size_t bytes) { return static_cast<int>(2 + (bytes + 7) / 8); }

void FinalizeAtExit() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  // It would wait for processes that are gone.
  if (!finalized && !any_aborted) MPI_Finalize();
}

int Initialize(TesseraEngineError* error) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  int level = MPI_THREAD_SINGLE;
  if (initialized) {
    MPI_Query_thread(&level);
  } else {
    const int result =
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level);
    if (result != MPI_SUCCESS) {
      return SetMpiError(error, "MPI_Init_thread", result);
    }
    if (!initialized_here) std::atexit(FinalizeAtExit);
    initialized_here = true;
  }
  if (level == MPI_THREAD_MULTIPLE) return 0;
  SetError(error, kFailedPrecondition,
           "MPI is initialized without MPI_THREAD_MULTIPLE");
  return kFailedPrecondition;
}

Connection* Connect(const TesseraEngineOptions* options,
                    TesseraEngineError* error) {
  if (Initialize(error) != 0) return nullptr;
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank != options->process || size != options->num_processes) {
    SetError(error, kFailedPrecondition,
             "this is process " + std::to_string(options->process) + " of " +
                 std::to_string(options->num_processes) + ", but rank " +
                 std::to_string(rank) + " of " + std::to_string(size) +
                 " of MPI: start the job by mpirun, and number the processes "
                 "by rank");
    return nullptr;
  }
  auto connection = std::make_unique<Connection>();
  connection->num_processes = size;
  connection->closed.resize(size);
  const int result = MPI_Comm_dup(MPI_COMM_WORLD, &connection->communicator);
  if (result != MPI_SUCCESS) {
    SetMpiError(error, "MPI_Comm_dup", result);
    return nullptr;
  }
  MPI_Comm_set_errhandler(connection->communicator, MPI_ERRORS_RETURN);
  return connection.release();
}

// Ends what has come to an end, and begins to receive what is there. Called
// with the mutex held. Returns 0 or sets `error`.
int Progress(Connection& connection, TesseraEngineError* error) {
  for (SendUnderWay& send : connection.sends) {
    if (send.request == MPI_REQUEST_NULL) continue;
    int done = 0;
    const int result = MPI_Test(&send.request, &done, MPI_STATUS_IGNORE);
    if (result != MPI_SUCCESS) return SetMpiError(error, "MPI_Test", result);
  }
  for (auto it = connection.receives.begin();
       it != connection.receives.end();) {
    int done = 0;
    const int result = MPI_Test(&it->request, &done, MPI_STATUS_IGNORE);
    if (result != MPI_SUCCESS) return SetMpiError(error, "MPI_Test", result);
    if (!done) {
      ++it;
      continue;
    }
    uint64_t key = 0;
    std::memcpy(&key, it->bytes.data(), sizeof(key));
    connection.arrived[{it->peer, key}] = std::move(it->bytes);
    it = connection.receives.erase(it);
  }
  while (true) {
    int there = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    int result =
        MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, connection.communicator,
                    &there, &message, &status);
    if (result != MPI_SUCCESS) return SetMpiError(error, "MPI_Improbe", result);
    if (!there) return 0;
    int words = 0;
    MPI_Get_count(&status, MPI_UINT64_T, &words);
    ReceiveUnderWay& receive = connection.receives.emplace_back();
    receive.peer = status.MPI_SOURCE;
    receive.bytes.resize(std::max(words, 2) * sizeof(uint64_t));
    result = MPI_Imrecv(receive.bytes.data(), words, MPI_UINT64_T, &message,
                        &receive.request);
    if (result != MPI_SUCCESS) return SetMpiError(error, "MPI_Imrecv", result);
    if (status.MPI_TAG == kAbortTag) {
      connection.closed[status.MPI_SOURCE] = true;
    }
  }
}

// Returns 1 when the transfer has ended well, 0 when it goes on, -1 after
// setting `error`. Called with the mutex held.
int Check(EngineTransfer& transfer, TesseraEngineError* error) {
  Connection& connection = *transfer.connection;
  if (transfer.is_send) {
    if (transfer.send->request != MPI_REQUEST_NULL) return 0;
    return 1;
  }
  const auto it = connection.arrived.find({transfer.peer, transfer.key});
  if (it == connection.arrived.end()) return 0;
  uint64_t size = 0;
  std::memcpy(&size, it->second.data() + sizeof(uint64_t), sizeof(size));
  if (size != transfer.bytes ||
      it->second.size() != WordsOf(size) * sizeof(uint64_t)) {
    SetError(error, kInvalidArgument,
             "a message of " + std::to_string(size) + " bytes came, " +
                 std::to_string(transfer.bytes) + " were expected");
    return -1;
  }
  if (size > 0) {
    std::memcpy(transfer.data, it->second.data() + 2 * sizeof(uint64_t), size);
  }
  connection.arrived.erase(it);
  return 1;
}

int CheckOpen(const Connection& connection, int peer,
              TesseraEngineError* error) {
  if (connection.aborted) {
    SetError(error, kAborted, "the connections of this process are closed");
    return kAborted;
  }
  if (connection.closed[peer]) {
    SetError(error, kUnavailable, "the process closed its connections");
    return kUnavailable;
  }
  return 0;
}

// Whether a message of `peer` has begun to come, as those may that it sent
// before it closed its connections.
bool MessageIsComing(const Connection& connection, int peer) {
  return std::any_of(
      connection.receives.begin(), connection.receives.end(),
      [peer](const ReceiveUnderWay& receive) { return receive.peer == peer; });
}

EngineTransfer* Send(Connection* connection, int peer, uint64_t key,
                     const void* data, size_t bytes,
                     TesseraEngineError* error) {
  std::lock_guard<std::mutex> lock(connection->mutex);
  if (CheckOpen(*connection, peer, error) != 0) return nullptr;
  if (bytes / sizeof(uint64_t) >= kMostBytes - 3) {
    SetError(error, kInternal, "the message is too long for MPI");
    return nullptr;
  }
  SendUnderWay& send = connection->sends.emplace_back();
  const int words = WordsOf(bytes);
  // A copy, because MPI may read it even after an abort.
  send.bytes.resize(words * sizeof(uint64_t));
  const uint64_t size = bytes;
  std::memcpy(send.bytes.data(), &key, sizeof(key));
  std::memcpy(send.bytes.data() + sizeof(key), &size, sizeof(size));
  if (bytes > 0) {
    std::memcpy(send.bytes.data() + 2 * sizeof(uint64_t), data, bytes);
  }
  const int result =
      MPI_Isend(send.bytes.data(), words, MPI_UINT64_T, peer, kDataTag,
                connection->communicator, &send.request);
  if (result != MPI_SUCCESS) {
    SetMpiError(error, "MPI_Isend", result);
    connection->sends.pop_back();
    return nullptr;
  }
  return new EngineTransfer{connection, peer, key, nullptr, bytes, &send, true};
}

EngineTransfer* Receive(Connection* connection, int peer, uint64_t key,
                        void* data, size_t bytes, TesseraEngineError* error) {
  std::lock_guard<std::mutex> lock(connection->mutex);
  if (CheckOpen(*connection, peer, error) != 0) return nullptr;
  return new EngineTransfer{connection, peer, key, data, bytes, nullptr, false};
}

int Wait(EngineTransfer* transfer, int64_t timeout_ms,
         TesseraEngineError* error) {
  Connection& connection = *transfer->connection;
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  for (int polls = 0;; ++polls) {
    {
      std::lock_guard<std::mutex> lock(connection.mutex);
      int checked = Check(*transfer, error);
      if (checked == 0) {
        if (Progress(connection, error) != 0) return error->code;
        checked = Check(*transfer, error);
      }
      if (checked > 0) return 0;
      if (checked < 0) return error->code;
      if (CheckOpen(connection, transfer->peer, error) != 0 &&
          (connection.aborted ||
           !MessageIsComing(connection, transfer->peer))) {
        return error->code;
      }
    }
    if (std::chrono::steady_clock::now() >= deadline) {
      SetError(error, kDeadlineExceeded, "nothing came in time");
      return kDeadlineExceeded;
    }
    if (polls < kPollsBeforeSleep) {
      sched_yield();
    } else {
      std::this_thread::sleep_for(kSleep);
    }
  }
}

void Release(EngineTransfer* transfer) {
  Connection& connection = *transfer->connection;
  {
    std::lock_guard<std::mutex> lock(connection.mutex);
    // What MPI still reads stays.
    connection.sends.remove_if([&](const SendUnderWay& send) {
      return &send == transfer->send && send.request == MPI_REQUEST_NULL;
    });
  }
  delete transfer;
}

void Abort(Connection* connection) {
  std::lock_guard<std::mutex> lock(connection->mutex);
  if (connection->aborted) return;
  connection->aborted = true;
  any_aborted = true;
  int rank = 0;
  MPI_Comm_rank(connection->communicator, &rank);
  // MPI has no connections to close: the others get a note.
  for (int peer = 0; peer < connection->num_processes; ++peer) {
    if (peer == rank) continue;
    SendUnderWay& note = connection->sends.emplace_back();
    note.bytes.resize(2 * sizeof(uint64_t));
    MPI_Isend(note.bytes.data(), 2, MPI_UINT64_T, peer, kAbortTag,
              connection->communicator, &note.request);
  }
}

// The connection of a process that ends well is not closed by a note: the
// others may still be at work. After an abort its memory stays, for MPI.
void Disconnect(Connection* connection) {
  if (connection->aborted) return;
  delete connection;
}

constexpr TesseraEngine kEngine = {TESSERA_ENGINE_VERSION,
                                   "mpi",
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
