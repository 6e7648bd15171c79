// ExecutableRunOptions: the options of one run of an executable.
#ifndef XLA_CLIENT_EXECUTABLE_RUN_OPTIONS_H_
#define XLA_CLIENT_EXECUTABLE_RUN_OPTIONS_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace stream_executor {
class DeviceMemoryAllocator;
class Stream;
}  // namespace stream_executor
namespace Eigen {
struct ThreadPoolDevice;
}  // namespace Eigen

namespace xla {

class DeviceAssignment;
class ExecutionProfile;
namespace ffi {
class ExecutionContext;
}  // namespace ffi

// Identifies one run of a program on several devices: calls with equal ids
// belong together.
class RunId {
 public:
  explicit RunId(int64_t value) : data_(value) {}
  static RunId CreateUniqueId() { return RunId(next().fetch_add(1)); }

  int64_t ToInt() const { return data_; }
  std::string ToString() const { return absl::StrCat("RunId: ", data_); }
  friend bool operator==(const RunId& a, const RunId& b) {
    return a.data_ == b.data_;
  }
  friend bool operator!=(const RunId& a, const RunId& b) { return !(a == b); }
  template <typename H>
  friend H AbslHashValue(H h, const RunId& id) {
    return H::combine(std::move(h), id.data_);
  }
  template <typename Sink>
  friend void AbslStringify(Sink& sink, const RunId& id) {
    sink.Append(absl::StrCat(id.data_));
  }

 private:
  static std::atomic<int64_t>& next() {
    static std::atomic<int64_t> number{1};
    return number;
  }
  int64_t data_;
};

// Runs a function once the work that a stream has so far is done.
using ThenExecuteFunction =
    std::function<void(stream_executor::Stream*, std::function<void()>)>;

// A value type; pointers are borrowed. Setters can be chained.
class ExecutableRunOptions {
 public:
  // -1 means the device of the arguments, or the default device without any.
  int device_ordinal() const { return device_ordinal_; }
  ExecutableRunOptions& set_device_ordinal(int device_ordinal) {
    device_ordinal_ = device_ordinal;
    return *this;
  }
  int physical_device_ordinal() const { return physical_device_ordinal_; }
  ExecutableRunOptions& set_physical_device_ordinal(int ordinal) {
    physical_device_ordinal_ = ordinal;
    return *this;
  }

  // Allocates the result.
  stream_executor::DeviceMemoryAllocator* allocator() const {
    return allocator_;
  }
  ExecutableRunOptions& set_allocator(
      stream_executor::DeviceMemoryAllocator* allocator) {
    allocator_ = allocator;
    return *this;
  }

  // Maps replicas to devices; by default the assignment of the build options.
  const DeviceAssignment* device_assignment() const {
    return device_assignment_;
  }
  ExecutableRunOptions& set_device_assignment(
      const DeviceAssignment* assignment) {
    device_assignment_ = assignment;
    return *this;
  }

  // The same number in all options unless it is set: a program for several
  // devices that runs more than once at a time needs one for each run.
  RunId run_id() const { return run_id_; }
  ExecutableRunOptions& set_run_id(RunId id) {
    run_id_ = id;
    return *this;
  }
  // For random ops.
  int rng_seed() const { return rng_seed_; }
  ExecutableRunOptions& set_rng_seed(int rng_seed) {
    rng_seed_ = rng_seed;
    return *this;
  }
  int32_t launch_id() const { return launch_id_; }
  ExecutableRunOptions& set_launch_id(int32_t launch_id) {
    launch_id_ = launch_id;
    return *this;
  }
  // The run fills it in.
  ExecutionProfile* execution_profile() const { return execution_profile_; }
  ExecutableRunOptions& set_execution_profile(ExecutionProfile* profile) {
    execution_profile_ = profile;
    return *this;
  }

  // User data for FFI handlers; outlives the run.
  const ffi::ExecutionContext* ffi_execution_context() const {
    return ffi_execution_context_;
  }
  ExecutableRunOptions& set_ffi_execution_context(
      const ffi::ExecutionContext* context) {
    ffi_execution_context_ = context;
    return *this;
  }

  // Stored without effect: runs use neither streams nor a pool from outside.
  stream_executor::Stream* stream() const { return stream_; }
  ExecutableRunOptions& set_stream(stream_executor::Stream* stream) {
    stream_ = stream;
    return *this;
  }
  stream_executor::Stream* host_to_device_stream() const {
    return host_to_device_stream_;
  }
  ExecutableRunOptions& set_host_to_device_stream(
      stream_executor::Stream* stream) {
    host_to_device_stream_ = stream;
    return *this;
  }
  stream_executor::Stream* device_to_host_stream() const {
    return device_to_host_stream_;
  }
  ExecutableRunOptions& set_device_to_host_stream(
      stream_executor::Stream* stream) {
    device_to_host_stream_ = stream;
    return *this;
  }
  ThenExecuteFunction* then_execute_function() const {
    return then_execute_function_;
  }
  ExecutableRunOptions& set_then_execute_function(ThenExecuteFunction* f) {
    then_execute_function_ = f;
    return *this;
  }
  const Eigen::ThreadPoolDevice* intra_op_thread_pool() const {
    return intra_op_thread_pool_;
  }
  ExecutableRunOptions& set_intra_op_thread_pool(
      const Eigen::ThreadPoolDevice* pool) {
    intra_op_thread_pool_ = pool;
    return *this;
  }
  int local_device_count() const { return local_device_count_; }
  ExecutableRunOptions& set_local_device_count(int count) {
    local_device_count_ = count;
    return *this;
  }

 private:
  int device_ordinal_ = -1;
  int physical_device_ordinal_ = -1;
  stream_executor::DeviceMemoryAllocator* allocator_ = nullptr;
  const DeviceAssignment* device_assignment_ = nullptr;
  RunId run_id_{0};
  int rng_seed_ = 0;
  int32_t launch_id_ = 0;
  ExecutionProfile* execution_profile_ = nullptr;
  const ffi::ExecutionContext* ffi_execution_context_ = nullptr;
  stream_executor::Stream* stream_ = nullptr;
  stream_executor::Stream* host_to_device_stream_ = nullptr;
  stream_executor::Stream* device_to_host_stream_ = nullptr;
  ThenExecuteFunction* then_execute_function_ = nullptr;
  const Eigen::ThreadPoolDevice* intra_op_thread_pool_ = nullptr;
  int local_device_count_ = 0;
};

}  // namespace xla

#endif  // XLA_CLIENT_EXECUTABLE_RUN_OPTIONS_H_
