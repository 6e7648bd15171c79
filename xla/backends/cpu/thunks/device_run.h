// DeviceRun: the state of one device during one run of an executable. What
// devices share is in run_group.h.
#ifndef XLA_BACKENDS_CPU_THUNKS_DEVICE_RUN_H_
#define XLA_BACKENDS_CPU_THUNKS_DEVICE_RUN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

#include "absl/numeric/int128.h"
#include "xla/backends/compiler.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/backends/cpu/thunks/run_group.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/base/control/activity.h"
#include "xla/base/control/cancellation.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

class ThunkTracer;

// Used by one thread at a time; others access its memory only while it waits
// for them. Made once and used for many runs, one after the other.
class DeviceRun {
 public:
  // The state that a thunk keeps from one execution to the next within a run.
  struct ThunkState {
    virtual ~ThunkState() = default;
  };

  // Device `number` of `group`, which outlives this.
  DeviceRun(RunGroup* group, int64_t number) : group_(group), number_(number) {}
  // Makes a view of `run` for thunks that run at the same time as others of the
  // run: it has the same memory, and scratch from `scratch` on.
  DeviceRun(const DeviceRun& run, char* scratch)
      : group_(run.group_),
        number_(run.number_),
        allocations_(run.allocations_),
        arena_(run.arena_),
        memory_(scratch),
        scratch_(scratch),
        runner_(run.runner_),
        tracer_(run.tracer_),
        level_(run.level_),
        options_(run.options_),
        cancellation_(run.cancellation_),
        activity_(run.activity_) {}
  DeviceRun(const DeviceRun&) = delete;
  DeviceRun& operator=(const DeviceRun&) = delete;

  // All arguments are borrowed until the run is over. `memory` has the scratch
  // of each thunk at its scratch_offset(), and what it keeps for others at its
  // kept_offset(); kernels run at `level`, also in
  // loops on `runner`.
  void Begin(char* const* allocations, char* memory,
             const Executable::RunOptions* options, ParallelRunner* runner,
             VectorLevel level = ProcessorVectorLevel()) {
    allocations_ = allocations;
    arena_ = memory;
    memory_ = memory;
    scratch_ = memory;
    options_ = options;
    runner_ = runner;
    tracer_ = nullptr;
    cancellation_ = &kNotCancelled;
    activity_ = nullptr;
    level_ = level;
    next_ = 0;
    rng_state_.reset();
    random_counter_.reset();
  }
  // Drops the states of thunks. Called after each run, whether or not it
  // failed.
  void End() {
    if (!states_.empty()) states_.clear();
  }

  char* const* allocations() const { return allocations_; }
  // Null for a slice without an allocation.
  char* At(const Slice& slice) const {
    return slice.allocation < 0 ? nullptr
                                : allocations_[slice.allocation] + slice.offset;
  }
  // Memory that a thunk may use while it runs; at a multiple of 64 bytes.
  char* scratch() const { return scratch_; }
  // What `thunk` keeps for later thunks of the run; at a multiple of 64 bytes.
  char* Kept(const Thunk& thunk) const { return arena_ + thunk.kept_offset(); }
  // The executor calls this before it runs `thunk`.
  void Enter(const Thunk& thunk) {
    scratch_ = memory_ + thunk.scratch_offset();
  }
  ParallelRunner& runner() const { return *runner_; }
  // Null unless the run is recorded.
  ThunkTracer* tracer() const { return tracer_; }
  // To be called after Begin, or on a view. `runner` is the tracer as the
  // runner of loops.
  void Trace(ThunkTracer* tracer, ParallelRunner* runner) {
    tracer_ = tracer;
    runner_ = runner;
  }
  // The executor ends the run when the token is cancelled; at first, and after
  // Begin, nobody does.
  // The token is borrowed until the run is over.
  const CancellationToken& cancellation() const { return *cancellation_; }
  void set_cancellation(const CancellationToken* token) {
    cancellation_ = token;
  }
  // Counts the thunks of the run; null unless somebody wants to know.
  Activity* activity() const { return activity_; }
  void set_activity(Activity* activity) { activity_ = activity; }
  VectorLevel vector_level() const { return level_; }
  const Executable::RunOptions& options() const { return *options_; }
  RunGroup& group() const { return *group_; }

  int64_t number() const { return number_; }
  int64_t replica_id() const { return number_ / group_->num_partitions(); }
  int64_t partition_id() const { return number_ % group_->num_partitions(); }
  // The number for handlers that ask for their device.
  int64_t device_id() const {
    return options_->device_ids.empty() ? number_
                                        : options_->device_ids[number_];
  }
  // Null if the device has no host.
  TransferQueues* queues() const {
    return options_->queues.empty() ? nullptr : options_->queues[number_];
  }

  // The state of rng-get-and-update-state; nullopt before the first one of a
  // run.
  std::optional<absl::uint128>& rng_state() { return rng_state_; }
  // The counter of the keys of rng; nullopt before the first one of a run.
  std::optional<uint64_t>& random_counter() { return random_counter_; }

  // Returns the state of `owner`; the first call in a run default-constructs
  // it.
  template <typename T>
  T& StateOf(const void* owner) {
    std::unique_ptr<ThunkState>& state = states_[owner];
    if (state == nullptr) state = std::make_unique<T>();
    return static_cast<T&>(*state);
  }

  // Returns the state of `owner`; null if nobody has asked for it in this run.
  template <typename T>
  const T* FindState(const void* owner) const {
    const auto it = states_.find(owner);
    return it == states_.end() ? nullptr
                               : static_cast<const T*>(it->second.get());
  }

  // The program counter, for the executor.
  int64_t next() const { return next_; }
  void set_next(int64_t next) { next_ = next; }
  // The thunk in which the device waits while it is parked.
  const Thunk* waits_in() const { return waits_in_; }
  void set_waits_in(const Thunk* thunk) { waits_in_ = thunk; }

 private:
  static constexpr CancellationToken kNotCancelled{};

  RunGroup* const group_;
  const int64_t number_;
  char* const* allocations_ = nullptr;
  char* arena_ = nullptr;
  char* memory_ = nullptr;  // from which scratch offsets count
  char* scratch_ = nullptr;
  ParallelRunner* runner_ = nullptr;
  ThunkTracer* tracer_ = nullptr;
  VectorLevel level_ = VectorLevel::kBaseline;
  const Executable::RunOptions* options_ = nullptr;
  const CancellationToken* cancellation_ = &kNotCancelled;
  Activity* activity_ = nullptr;
  int64_t next_ = 0;
  const Thunk* waits_in_ = nullptr;
  std::optional<absl::uint128> rng_state_;
  std::optional<uint64_t> random_counter_;
  std::unordered_map<const void*, std::unique_ptr<ThunkState>> states_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_DEVICE_RUN_H_
