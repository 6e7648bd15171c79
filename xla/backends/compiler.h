// Compiler and Executable: what a backend is to the layers above it.
#ifndef XLA_BACKENDS_COMPILER_H_
#define XLA_BACKENDS_COMPILER_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/device/transfer_queues.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// A compiled module. Thread safe.
class Executable {
 public:
  struct RunOptions {
    uint64_t seed = 0;  // of random ops
    // Empty, or one for each device; borrowed. Null: that device has no host.
    std::vector<TransferQueues*> queues;
  };

  virtual ~Executable() = default;
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  const HloModule& module() const { return *module_; }
  int64_t num_replicas() const { return module_->config().replica_count; }
  int64_t num_partitions() const { return module_->config().num_partitions; }
  int64_t num_devices() const { return num_replicas() * num_partitions(); }

  // Runs all devices together. arguments[d] are those of device d, borrowed,
  // in any layout, where d is replica * num_partitions + partition; so are the
  // results, in the layouts of the entry computation layout. Errors:
  // InvalidArgument for arguments that do not fit; Aborted when devices wait
  // for each other in vain; those of ops at run time.
  virtual absl::StatusOr<std::vector<Literal>> Execute(
      absl::Span<const std::vector<const Literal*>> arguments,
      const RunOptions& options) const = 0;

 protected:
  explicit Executable(std::unique_ptr<HloModule> module)
      : module_(std::move(module)) {}

 private:
  std::unique_ptr<HloModule> module_;
};

// Thread safe.
class Compiler {
 public:
  virtual ~Compiler() = default;

  // For messages and for choosing a backend by name.
  virtual absl::string_view name() const = 0;

  // The module's config says how many devices it is for and which layouts
  // parameters and result have. Errors: InvalidArgument for a module that
  // breaks a rule; Unimplemented.
  virtual absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<HloModule> module) = 0;
};

}  // namespace xla

#endif  // XLA_BACKENDS_COMPILER_H_
