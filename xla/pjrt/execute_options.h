// ExecuteOptions: the options of one run of a loaded executable, and the
// callbacks of host transfers.
#ifndef XLA_PJRT_EXECUTE_OPTIONS_H_
#define XLA_PJRT_EXECUTE_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/pjrt/pjrt_future.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/runtime/ffi/execution_context.h"

namespace xla {

// Data for the FFI handlers of runs. Runs that have started keep it alive.
class ExecuteContext {
 public:
  ExecuteContext() : ffi_context_(std::make_shared<ffi::ExecutionContext>()) {}
  virtual ~ExecuteContext() = default;

  ffi::ExecutionContext& ffi_context() { return *ffi_context_; }
  const ffi::ExecutionContext& ffi_context() const { return *ffi_context_; }
  const std::shared_ptr<ffi::ExecutionContext>& shared_ffi_context() const {
    return ffi_context_;
  }

 private:
  std::shared_ptr<ffi::ExecutionContext> ffi_context_;
};

// Bytes in transit between a program and its host, with their deleter.
class PjRtChunk {
 public:
  PjRtChunk() = default;
  PjRtChunk(void* data, size_t size, std::function<void(void*)> deleter)
      : data_(static_cast<uint8_t*>(data)),
        size_(size),
        deleter_(std::move(deleter)) {}
  static PjRtChunk AllocateDefault(size_t size) {
    return PjRtChunk(::operator new(size), size,
                     [](void* data) { ::operator delete(data); });
  }
  PjRtChunk(PjRtChunk&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        deleter_(std::exchange(other.deleter_, nullptr)) {}
  PjRtChunk& operator=(PjRtChunk&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(deleter_, other.deleter_);
    return *this;
  }
  ~PjRtChunk() { Free(); }

  uint8_t* data() const { return data_; }
  int64_t size() const { return size_; }
  const std::function<void(void*)>& deleter() const { return deleter_; }
  // Forgets the bytes, which whoever took data() and deleter() now owns.
  void release() {
    data_ = nullptr;
    size_ = 0;
    deleter_ = nullptr;
  }

 private:
  void Free() {
    if (deleter_ != nullptr) deleter_(data_);
    deleter_ = nullptr;
  }
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  std::function<void(void*)> deleter_;
};

// A recv callback writes the value that the device waits for to this stream.
class CopyToDeviceStream {
 public:
  CopyToDeviceStream(int64_t total_bytes, int64_t granule_bytes)
      : total_bytes_(total_bytes), granule_bytes_(granule_bytes) {}
  virtual ~CopyToDeviceStream() = default;
  // Chunks arrive in order. Errors: InvalidArgument for more bytes than the
  // value has.
  virtual Future<> AddChunk(PjRtChunk chunk) = 0;
  int64_t total_bytes() const { return total_bytes_; }
  int64_t granule_size_in_bytes() const { return granule_bytes_; }
  virtual int64_t current_bytes() const = 0;
  virtual bool IsComplete() const { return current_bytes() == total_bytes_; }
  bool empty() const { return current_bytes() == 0; }

 private:
  const int64_t total_bytes_;
  const int64_t granule_bytes_;
};

struct PjRtTransferMetadata {
  Shape device_shape;
};

// Called for each send op on that channel, on a thread of the client.
struct SendCallback {
  int64_t channel_id;
  std::function<absl::Status(const PjRtTransferMetadata& metadata,
                             PjRtChunk chunk, size_t total_size_in_bytes,
                             bool done)>
      callback;
};
// Called once for each recv op on that channel, when the run begins.
struct RecvCallback {
  int64_t channel_id;
  std::function<void(const PjRtTransferMetadata& metadata,
                     std::unique_ptr<CopyToDeviceStream> stream)>
      callback;
};

// A value type; pointers and spans are borrowed for the call.
struct ExecuteOptions {
  // Stored without effect: arguments and results are always leaves.
  bool arguments_are_tupled = false;
  bool untuple_result = true;
  // The seed of random ops that get their state from the run; 0 means a new one
  // each time.
  uint64_t seed = 0;
  int32_t launch_id = 0;
  const ExecuteContext* context = nullptr;
  bool strict_shape_checking = true;
  enum class ExecutionMode { kDefault = 0, kSynchronous, kAsynchronous };
  ExecutionMode execution_mode = ExecutionMode::kDefault;
  // If set, receives the time that the run took, once it has finished.
  ExecutionProfile* execution_profile = nullptr;
  // Inputs that the program donates but this run must not.
  absl::flat_hash_set<int> non_donatable_input_indices;
  // One list for each device, or empty.
  absl::Span<const std::vector<SendCallback>> send_callbacks;
  absl::Span<const std::vector<RecvCallback>> recv_callbacks;
  bool use_major_to_minor_data_layout_for_callbacks = false;
  std::string call_location;
};

}  // namespace xla

#endif  // XLA_PJRT_EXECUTE_OPTIONS_H_
