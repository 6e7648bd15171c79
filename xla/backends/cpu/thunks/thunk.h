// Thunk: one entry of the flat list that an executable runs for each device.
#ifndef XLA_BACKENDS_CPU_THUNKS_THUNK_H_
#define XLA_BACKENDS_CPU_THUNKS_THUNK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/runtime/buffer_allocation.h"
#include "xla/runtime/buffer_use.h"

namespace xla::cpu {

class DeviceRun;
class ThunkReader;
class ThunkWriter;

using Slice = BufferAllocation::Slice;

// The outcome of a thunk.
struct ThunkResult {
  // The number of the thunk to run next: the following one, or a jump's target.
  int64_t next = 0;
  // The device waits for another one and holds no thread meanwhile; the code
  // that lets it continue resumes it at `next` (DeviceScheduler::Resume).
  bool suspended = false;
};

// Immutable once made; several runs may execute it at once.
class Thunk {
 public:
  explicit Thunk(std::string name) : name_(std::move(name)) {}
  virtual ~Thunk() = default;
  Thunk(const Thunk&) = delete;
  Thunk& operator=(const Thunk&) = delete;

  // The name of the instruction, for messages and traces.
  const std::string& name() const { return name_; }
  // The kind in listings: "kernel", "dot", "jump-if-false".
  virtual absl::string_view kind() const = 0;
  // How it computes, in listings, where a kind has several ways: "packed,
  // epilogue". Empty if it has one.
  virtual std::string algorithm() const { return ""; }
  // The memory of the program that it may read and write on any path, besides
  // its scratch.
  virtual BufferUses buffer_uses() const = 0;
  // Whether it uses only this memory and its scratch, so that it may run at the
  // same time as other such thunks with which it does not conflict. Thunks that
  // wait, take part in collectives, call host code, keep state in the run or
  // choose the next thunk return false.
  virtual bool may_run_concurrently() const { return false; }
  // `here` is this thunk's number.
  virtual absl::StatusOr<ThunkResult> Run(DeviceRun& run,
                                          int64_t here) const = 0;
  // The bytes of DeviceRun::scratch() that it uses with a runner of
  // `num_threads` threads.
  virtual int64_t scratch_bytes(int num_threads) const { return 0; }
  // The byte of the program's temporaries from which on nothing is needed while
  // it runs, so that its scratch may lie there; -1 if that is after all of
  // them.
  int64_t scratch_from() const { return scratch_from_; }
  void set_scratch_from(int64_t offset) { scratch_from_ = offset; }
  // The offset of its scratch in the memory of a run, once that is laid out.
  int64_t scratch_offset() const { return scratch_offset_; }
  // Places the bytes that it uses with a runner of `num_threads` threads.
  virtual void set_scratch(int64_t offset, int num_threads) {
    scratch_offset_ = offset;
  }
  // The number by which traces know it; -1 if they leave it out, as they do
  // jumps and groups. The compiler sets it.
  int32_t trace_number() const { return trace_number_; }
  void set_trace_number(int32_t number) { trace_number_ = number; }
  // The bytes that it writes for later thunks of the run, with
  // DeviceRun::Kept(), in memory that nothing else uses. Only a thunk that does
  // not run concurrently has any.
  virtual int64_t kept_bytes() const { return 0; }
  int64_t kept_offset() const { return kept_offset_; }
  void set_kept_offset(int64_t offset) { kept_offset_ = offset; }
  // Adds the thunk to an archive (thunk_archive.h), from which the static
  // member Read of its class makes it again. Errors: Unimplemented, naming it,
  // if it cannot be part of a program that is compiled ahead of time: it needs
  // the compiler's process, other devices or the host while it runs.
  virtual absl::Status Write(ThunkWriter& writer) const;
  // Returns what a device suspended here waits for: "all-reduce.1 (all-reduce)
  // with devices {0,1}".
  virtual std::string WaitsFor(const DeviceRun& run) const { return name_; }

 private:
  const std::string name_;
  int64_t scratch_from_ = -1;
  int64_t scratch_offset_ = 0;
  int64_t kept_offset_ = 0;
  int32_t trace_number_ = -1;
};

using ThunkSequence = std::vector<std::unique_ptr<Thunk>>;

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_THUNK_H_
