// LocalClientTestBase: a fixture that runs programs on device memory with a
// LocalClient.
#ifndef COMPAT_XLA_TESTS_LOCAL_CLIENT_TEST_BASE_H_
#define COMPAT_XLA_TESTS_LOCAL_CLIENT_TEST_BASE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "xla/base/status_macros.h"
#include "xla/client/client_library.h"
#include "xla/client/executable_build_options.h"
#include "xla/client/executable_run_options.h"
#include "xla/client/local_client.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/hlo/ir/hlo_module_config.h"
#include "xla/literal.h"
#include "xla/service/shaped_buffer.h"
#include "xla/shape_util.h"
#include "xla/stream_executor/device_memory_allocator.h"
#include "xla/stream_executor/platform.h"
#include "xla/tests/client_library_test_base.h"  // IWYU pragma: export
#include "xla/tests/verified_hlo_module.h"

namespace xla {

// Counts what it allocates and frees. Thread safe.
class TestAllocator : public se::HostMemoryAllocator {
 public:
  explicit TestAllocator(se::Platform* platform)
      : se::HostMemoryAllocator(platform) {}

  using se::HostMemoryAllocator::Allocate;
  absl::StatusOr<se::OwningDeviceMemory> Allocate(
      int device_ordinal, uint64_t size, bool retry_on_failure,
      int64_t memory_space) override {
    absl::StatusOr<se::OwningDeviceMemory> memory =
        se::HostMemoryAllocator::Allocate(device_ordinal, size,
                                          retry_on_failure, memory_space);
    if (memory.ok() && !memory->is_null()) allocations_.Add(device_ordinal);
    return memory;
  }
  absl::Status Deallocate(int device_ordinal,
                          se::DeviceMemoryBase memory) override {
    deallocations_.Add(device_ordinal);
    return se::HostMemoryAllocator::Deallocate(device_ordinal, memory);
  }

  // Of all devices, or of one.
  int64_t allocation_count() const { return allocations_.All(); }
  int64_t allocation_count(int device_ordinal) const {
    return allocations_.Of(device_ordinal);
  }
  int64_t deallocation_count() const { return deallocations_.All(); }
  int64_t deallocation_count(int device_ordinal) const {
    return deallocations_.Of(device_ordinal);
  }

 private:
  class Counts {
   public:
    void Add(int device) {
      const std::lock_guard<std::mutex> lock(mutex_);
      ++by_device_[device];
    }
    int64_t Of(int device) const {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto found = by_device_.find(device);
      return found == by_device_.end() ? 0 : found->second;
    }
    int64_t All() const {
      const std::lock_guard<std::mutex> lock(mutex_);
      int64_t sum = 0;
      for (const auto& [device, count] : by_device_) sum += count;
      return sum;
    }

   private:
    mutable std::mutex mutex_;
    std::map<int, int64_t> by_device_;
  };

  Counts allocations_;
  Counts deallocations_;
};

// Functions that return no status fail with their error (CHECK).
class LocalClientTestBase : public ::testing::Test {
 public:
  explicit LocalClientTestBase(se::Platform* platform = nullptr)
      : local_client_(ClientLibrary::GetOrCreateLocalClient(platform).value()) {
  }

  static std::string TestName() { return ClientLibraryTestBase::TestName(); }
  // One for all tests, which lives as long as the process: results may outlive
  // the fixture.
  static TestAllocator* GetOrCreateAllocator(se::Platform* platform) {
    static TestAllocator* const allocator = new TestAllocator(
        platform != nullptr ? platform : se::Platform::Host());
    return allocator;
  }

  // A copy on the default device, and a copy of what is there.
  ScopedShapedBuffer LiteralToShapedBuffer(const Literal& literal) {
    return local_client_
        ->LiteralToShapedBuffer(literal,
                                local_client_->default_device_ordinal())
        .value();
  }
  Literal ShapedBufferToLiteral(const ShapedBuffer& shaped_buffer) {
    return local_client_->ShapedBufferToLiteral(shaped_buffer).value();
  }

  // Compile for the layouts of the arguments, and run on one device.
  absl::StatusOr<ScopedShapedBuffer> ExecuteLocally(
      const XlaComputation& computation,
      absl::Span<const ShapedBuffer* const> arguments,
      const ExecutableBuildOptions& build_options,
      const ExecutableRunOptions& run_options) {
    std::vector<const Shape*> shapes;
    for (const ShapedBuffer* argument : arguments) {
      shapes.push_back(&argument->on_device_shape());
    }
    TF_ASSIGN_OR_RETURN(
        const std::vector<std::unique_ptr<LocalExecutable>> executables,
        local_client_->Compile(computation, shapes, build_options));
    return executables.front()->Run(arguments, run_options);
  }
  absl::StatusOr<ScopedShapedBuffer> ExecuteLocally(
      const XlaComputation& computation,
      absl::Span<const ShapedBuffer* const> arguments) {
    return ExecuteLocally(computation, arguments,
                          DefaultExecutableBuildOptions(),
                          DefaultExecutableRunOptions());
  }
  ScopedShapedBuffer ExecuteLocallyOrDie(
      const XlaComputation& computation,
      absl::Span<const ShapedBuffer* const> arguments,
      const ExecutableBuildOptions& build_options,
      const ExecutableRunOptions& run_options) {
    return ExecuteLocally(computation, arguments, build_options, run_options)
        .value();
  }
  ScopedShapedBuffer ExecuteLocallyOrDie(
      const XlaComputation& computation,
      absl::Span<const ShapedBuffer* const> arguments) {
    return ExecuteLocally(computation, arguments).value();
  }
  ExecutableBuildOptions DefaultExecutableBuildOptions() const { return {}; }
  // Results are in memory of the counting allocator.
  ExecutableRunOptions DefaultExecutableRunOptions() const {
    ExecutableRunOptions options;
    options.set_allocator(GetOrCreateAllocator(local_client_->platform()));
    return options;
  }

  // Errors: those of the parser and of the verifier.
  absl::StatusOr<std::unique_ptr<VerifiedHloModule>>
  ParseAndReturnVerifiedModule(absl::string_view hlo_text,
                               const HloModuleConfig& config = {}) {
    auto module = std::make_unique<VerifiedHloModule>(
        TestName(), config, /*verifier_layout_sensitive=*/false,
        /*allow_mixed_precision_in_hlo_verifier=*/true,
        ShapeUtil::ByteSizeOfElements);
    TF_RETURN_IF_ERROR(module->ParseHloStringAndVerifyModule(hlo_text));
    return module;
  }

 protected:
  LocalClient* local_client_;
};

}  // namespace xla

#endif  // COMPAT_XLA_TESTS_LOCAL_CLIENT_TEST_BASE_H_
