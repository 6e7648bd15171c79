// Adapts the C interface of engines to Transport.
#include "xla/distributed/engine_transport.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/distributed/engine_api.h"

namespace xla::distributed {
namespace {

absl::Status ToStatus(const TesseraEngineError& error) {
  return absl::Status(
      static_cast<absl::StatusCode>(error.code),
      absl::string_view(error.message,
                        strnlen(error.message, sizeof(error.message))));
}

int SetError(const absl::Status& status, TesseraEngineError* error) {
  error->code = static_cast<int>(status.code());
  const size_t size =
      std::min(status.message().size(), sizeof(error->message) - 1);
  std::memcpy(error->message, status.message().data(), size);
  error->message[size] = 0;
  return error->code;
}

int StorePut(void* context, const char* key, const void* value, size_t size,
             TesseraEngineError* error) {
  auto* store = static_cast<KeyValueStore*>(context);
  const absl::Status status =
      store->Put(key, {static_cast<const char*>(value), size});
  return status.ok() ? 0 : SetError(status, error);
}

int StoreGet(void* context, const char* key, int64_t timeout_ms, void** value,
             size_t* size, TesseraEngineError* error) {
  auto* store = static_cast<KeyValueStore*>(context);
  const absl::StatusOr<std::string> text =
      store->Get(key, absl::Milliseconds(timeout_ms));
  if (!text.ok()) return SetError(text.status(), error);
  *size = text->size();
  *value = std::malloc(std::max<size_t>(text->size(), 1));
  std::memcpy(*value, text->data(), text->size());
  return 0;
}

// The folder of the shared object or program with this code; ends in a slash.
std::string OwnFolder() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&ConnectEngine), &info) == 0 ||
      info.dli_fname == nullptr) {
    return "";
  }
  const std::string path = info.dli_fname;
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

absl::StatusOr<const TesseraEngine*> LoadEngine(const std::string& name) {
  for (const char c : name) {
    if (c >= 'a' && c <= 'z') continue;
    return absl::InvalidArgumentError(
        absl::StrCat("there is no engine ", name, "; there are gloo and mpi"));
  }
  const std::string library = absl::StrCat("libtessera_", name, ".so");
  std::vector<std::string> paths;
  if (const char* folder = std::getenv("TESSERA_ENGINE_PATH")) {
    paths.push_back(absl::StrCat(folder, "/", library));
  } else {
    const std::string own = OwnFolder();
    paths = {own + library, absl::StrCat(own, "../lib/", library), library};
  }
  std::string reasons;
  for (const std::string& path : paths) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      absl::StrAppend(&reasons, reasons.empty() ? "" : "; ", dlerror());
      continue;
    }
    auto* get = reinterpret_cast<TesseraGetEngineFunction>(
        dlsym(handle, TESSERA_ENGINE_FUNCTION));
    const TesseraEngine* engine = get == nullptr ? nullptr : get();
    if (engine != nullptr && engine->version == TESSERA_ENGINE_VERSION) {
      return engine;
    }
    absl::StrAppend(&reasons, reasons.empty() ? "" : "; ", path,
                    " is of another version");
  }
  return absl::UnimplementedError(
      absl::StrCat("engine ", name, " cannot be loaded (", reasons,
                   "); docs/distributed.md says which packages it needs"));
}

class EngineTransfer : public Transfer {
 public:
  EngineTransfer(const TesseraEngine* engine, TesseraEngineTransfer* transfer)
      : engine_(engine), transfer_(transfer) {}
  ~EngineTransfer() override { engine_->release(transfer_); }

  absl::Status Wait(absl::Time deadline) override {
    const int64_t left =
        std::max<int64_t>(1, absl::ToInt64Milliseconds(deadline - absl::Now()));
    TesseraEngineError error = {};
    if (engine_->wait(transfer_, left, &error) == 0) return absl::OkStatus();
    return ToStatus(error);
  }

 private:
  const TesseraEngine* const engine_;
  TesseraEngineTransfer* const transfer_;
};

class EngineTransport : public Transport {
 public:
  EngineTransport(const TesseraEngine* engine,
                  TesseraEngineConnection* connection, int process,
                  int num_processes)
      : engine_(engine),
        connection_(connection),
        process_(process),
        num_processes_(num_processes) {}
  ~EngineTransport() override { engine_->disconnect(connection_); }

  int process() const override { return process_; }
  int num_processes() const override { return num_processes_; }

  absl::StatusOr<std::unique_ptr<Transfer>> Send(
      int peer, uint64_t key, absl::Span<const char> data) override {
    TF_RETURN_IF_ERROR(Check());
    TesseraEngineError error = {};
    return Made(
        engine_->send(connection_, peer, key, data.data(), data.size(), &error),
        error);
  }
  absl::StatusOr<std::unique_ptr<Transfer>> Receive(
      int peer, uint64_t key, absl::Span<char> data) override {
    TF_RETURN_IF_ERROR(Check());
    TesseraEngineError error = {};
    return Made(engine_->receive(connection_, peer, key, data.data(),
                                 data.size(), &error),
                error);
  }

  void Abort(absl::string_view reason) override {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (reason_.ok()) reason_ = absl::AbortedError(reason);
    }
    engine_->abort(connection_);
  }

 private:
  absl::Status Check() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return reason_;
  }
  absl::StatusOr<std::unique_ptr<Transfer>> Made(
      TesseraEngineTransfer* transfer, const TesseraEngineError& error) const {
    if (transfer == nullptr) return ToStatus(error);
    return std::make_unique<EngineTransfer>(engine_, transfer);
  }

  const TesseraEngine* const engine_;
  TesseraEngineConnection* const connection_;
  const int process_;
  const int num_processes_;
  mutable std::mutex mutex_;  // guards reason_
  absl::Status reason_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Transport>> ConnectEngine(
    const EngineOptions& options, KeyValueStore& store) {
  TF_ASSIGN_OR_RETURN(const TesseraEngine* engine, LoadEngine(options.engine));
  const TesseraEngineStore functions = {&store, StorePut, StoreGet, std::free};
  const TesseraEngineOptions given = {
      options.process, options.num_processes, options.address.c_str(),
      absl::ToInt64Milliseconds(options.connect_timeout), &functions};
  TesseraEngineError error = {};
  TesseraEngineConnection* connection = engine->connect(&given, &error);
  if (connection == nullptr) return ToStatus(error);
  return std::make_unique<EngineTransport>(engine, connection, options.process,
                                           options.num_processes);
}

}  // namespace xla::distributed
