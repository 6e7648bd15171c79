// The structs behind the opaque handles of tessera.h. Each begins with a tag,
// by which a wrong or freed handle is recognized as far as possible.
#ifndef XLA_CAPI_HANDLES_H_
#define XLA_CAPI_HANDLES_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "xla/base/control/cancellation.h"
#include "xla/capi/array_description.h"
#include "xla/capi/host_runner.h"
#include "xla/capi/include/tessera/tessera.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/runtime/event.h"
#include "xla/runtime/handle_tag.h"

namespace xla::capi {

template <char kKind>
using Tag = HandleTag<0x7465737365726100 + kKind>;

// What the handles of a client, its executables and its buffers share.
struct ClientCore {
  std::unique_ptr<HostRunner> runner;  // null: loops run on the client's pool
  std::unique_ptr<PjRtClient> client;
};

// What the handle of a cancellation shares with the runs that have it. The
// token is as old as the source, so work that begins after it was cancelled
// ends, too.
struct Cancellation {
  CancellationSource source;
  const CancellationToken token{source};
};

// Destroys the core on another thread if this one is a worker of the client,
// which would wait for itself.
struct ClientCoreDeleter {
  void operator()(ClientCore* core) const;
};

}  // namespace xla::capi

struct tessera_status {
  xla::capi::Tag<'s'> tag;
  absl::Status status;
  std::string message;  // with the zero byte that absl's may lack
  int64_t line = 0;     // 0: the error has no place
  int64_t column = 0;
};

struct tessera_bytes {
  xla::capi::Tag<'y'> tag;
  std::string bytes;
};

struct tessera_client {
  xla::capi::Tag<'c'> tag;
  std::shared_ptr<xla::capi::ClientCore> core;
  std::string description;
};

struct tessera_executable {
  xla::capi::Tag<'x'> tag;
  std::shared_ptr<xla::capi::ClientCore> core;  // outlives the executable
  std::unique_ptr<xla::PjRtLoadedExecutable> executable;
  std::string name;
  std::string fingerprint;
  std::vector<int32_t> devices;
  std::vector<xla::capi::ArrayDescription> parameters;
  std::vector<xla::capi::ArrayDescription> results;
};

struct tessera_buffer {
  tessera_buffer(std::shared_ptr<xla::capi::ClientCore> c,
                 std::unique_ptr<xla::PjRtBuffer> b)
      : core(std::move(c)), buffer(std::move(b)) {}

  xla::capi::Tag<'b'> tag;
  std::shared_ptr<xla::capi::ClientCore> core;  // outlives the buffer
  std::unique_ptr<xla::PjRtBuffer> buffer;
  mutable std::mutex mutex;  // guards description
  mutable std::unique_ptr<const xla::capi::ArrayDescription> description;
};

struct tessera_cancellation {
  xla::capi::Tag<'k'> tag;
  std::shared_ptr<xla::capi::Cancellation> cancellation;
};

struct tessera_event {
  explicit tessera_event(xla::Event e) : event(std::move(e)) {}

  xla::capi::Tag<'e'> tag;
  xla::Event event;
};

#endif  // XLA_CAPI_HANDLES_H_
