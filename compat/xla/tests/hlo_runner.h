// HloRunner: compiles and runs a module with one of Tessera's backends, without
// a client, and reads modules from files.
#ifndef COMPAT_XLA_TESTS_HLO_RUNNER_H_
#define COMPAT_XLA_TESTS_HLO_RUNNER_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/backends/compiler.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/client/compilers.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/literal.h"
#include "xla/service/computation_placer.h"
#include "xla/service/hlo.pb.h"
#include "xla/stream_executor/platform.h"
#include "xla/tsl/platform/env.h"
#include "xla/types.h"
#include "xla/xla.pb.h"

namespace xla {

// A program that a runner compiled.
class OpaqueExecutable {
 public:
  explicit OpaqueExecutable(std::unique_ptr<Executable> executable)
      : executable_(std::move(executable)) {}

  const Executable& executable() const { return *executable_; }
  // The module after the backend's passes.
  const HloModule& module() const { return executable_->module(); }

 private:
  std::unique_ptr<Executable> executable_;
};

// Arguments are borrowed. Errors of all functions that compile: those of
// Compiler::Compile; of those that run: those of Executable::Execute.
class HloRunnerInterface {
 public:
  struct ReplicatedExecuteOptions {
    // Replicas times partitions.
    int64_t num_devices = 1;
    // The same for all devices.
    std::vector<const Literal*> arguments;
    bool run_hlo_passes = false;
    // Has no effect: devices always have threads.
    bool use_threads = false;
    int64_t seed = 0;
  };

  virtual ~HloRunnerInterface() = default;

  virtual absl::string_view Name() const = 0;
  // Without `run_hlo_passes`, the passes that only make programs faster do not
  // run; those that bring it into the form that code is made of do.
  virtual absl::StatusOr<std::unique_ptr<OpaqueExecutable>> CreateExecutable(
      std::unique_ptr<HloModule> module, bool run_hlo_passes) = 0;
  // Runs on one device.
  virtual absl::StatusOr<Literal> ExecuteWithExecutable(
      OpaqueExecutable* executable, absl::Span<const Literal* const> arguments,
      ExecutionProfile* profile = nullptr) = 0;
  // Runs on all devices, each with its arguments; returns one result for each.
  // They are replica by replica; `device_ids` names them for handlers of custom
  // calls that ask for their device, and is empty for 0, 1, ...
  virtual absl::StatusOr<std::vector<Literal>> ExecuteOnDevices(
      OpaqueExecutable* executable,
      absl::Span<const std::vector<const Literal*>> arguments, int64_t seed,
      absl::Span<const int64_t> device_ids) = 0;

  absl::StatusOr<Literal> Execute(std::unique_ptr<HloModule> module,
                                  absl::Span<const Literal* const> arguments,
                                  bool run_hlo_passes = true,
                                  ExecutionProfile* profile = nullptr) {
    TF_ASSIGN_OR_RETURN(const std::unique_ptr<OpaqueExecutable> executable,
                        CreateExecutable(std::move(module), run_hlo_passes));
    return ExecuteWithExecutable(executable.get(), arguments, profile);
  }
  absl::StatusOr<Literal> Execute(std::unique_ptr<HloModule> module,
                                  absl::Span<const Literal> arguments,
                                  bool run_hlo_passes = true,
                                  ExecutionProfile* profile = nullptr) {
    return Execute(std::move(module), Pointers(arguments), run_hlo_passes,
                   profile);
  }
  absl::StatusOr<Literal> ExecuteWithExecutable(
      OpaqueExecutable* executable, absl::Span<const Literal> arguments,
      ExecutionProfile* profile = nullptr) {
    return ExecuteWithExecutable(executable, Pointers(arguments), profile);
  }
  // Sets the module's number of replicas. Errors: also InvalidArgument for an
  // assignment of other numbers of replicas and partitions, or that has a
  // device twice.
  absl::StatusOr<std::vector<Literal>> ExecuteReplicated(
      std::unique_ptr<HloModule> module,
      const ReplicatedExecuteOptions& options,
      const DeviceAssignment* device_assignment = nullptr) {
    SetDevices(*module, options.num_devices);
    TF_ASSIGN_OR_RETURN(
        const std::unique_ptr<OpaqueExecutable> executable,
        CreateExecutable(std::move(module), options.run_hlo_passes));
    return ExecuteReplicated(executable.get(), options, device_assignment);
  }
  absl::StatusOr<std::vector<Literal>> ExecuteReplicated(
      OpaqueExecutable* executable, const ReplicatedExecuteOptions& options,
      const DeviceAssignment* device_assignment = nullptr) {
    return ExecuteAssigned(executable,
                           std::vector<std::vector<const Literal*>>(
                               options.num_devices, options.arguments),
                           options.seed, device_assignment);
  }
  // Like ExecuteOnDevices, on the devices of the assignment, or of the one that
  // the module's config has.
  absl::StatusOr<std::vector<Literal>> ExecuteAssigned(
      OpaqueExecutable* executable,
      absl::Span<const std::vector<const Literal*>> arguments, int64_t seed,
      const DeviceAssignment* device_assignment) {
    const HloModuleConfig& config = executable->module().config();
    if (device_assignment == nullptr && config.has_static_device_assignment()) {
      device_assignment = &config.static_device_assignment();
    }
    if (device_assignment == nullptr) {
      return ExecuteOnDevices(executable, arguments, seed, {});
    }
    const Executable& program = executable->executable();
    if (device_assignment->replica_count() != program.num_replicas() ||
        device_assignment->computation_count() != program.num_partitions()) {
      return InvalidArgument(
          "The device assignment has %d replicas of %d partitions, module %s "
          "%d of %d.",
          device_assignment->replica_count(),
          device_assignment->computation_count(), executable->module().name(),
          program.num_replicas(), program.num_partitions());
    }
    const std::vector<int64_t> ids(device_assignment->begin(),
                                   device_assignment->end());
    const std::set<int64_t> different(ids.begin(), ids.end());
    if (different.size() != ids.size() || *different.begin() < 0) {
      return InvalidArgument("The device assignment is no list of devices: %s",
                             device_assignment->ToString());
    }
    return ExecuteOnDevices(executable, arguments, seed, ids);
  }
  static void SetDevices(HloModule& module, int64_t num_devices) {
    const int64_t partitions =
        std::max<int64_t>(module.config().num_partitions(), 1);
    module.mutable_config().set_replica_count(
        std::max<int64_t>(num_devices / partitions, 1));
  }

  // Errors: those of the parser, of Env, and of HloModule::CreateFromProto.
  static absl::StatusOr<std::unique_ptr<HloModule>> CreateModuleFromString(
      absl::string_view hlo_string, const DebugOptions& debug_options = {}) {
    HloModuleConfig config;
    config.set_debug_options(debug_options);
    return ParseAndReturnUnverifiedModule(hlo_string, config);
  }
  static absl::StatusOr<std::unique_ptr<HloModule>> ReadModuleFromHloTextFile(
      const std::string& filename, const DebugOptions& debug_options = {}) {
    std::string text;
    TF_RETURN_IF_ERROR(
        tsl::ReadFileToString(tsl::Env::Default(), filename, &text));
    return CreateModuleFromString(text, debug_options);
  }
  static absl::StatusOr<std::unique_ptr<HloModule>>
  ReadModuleFromBinaryProtoFile(const std::string& filename,
                                const DebugOptions& debug_options = {}) {
    HloProto proto;
    TF_RETURN_IF_ERROR(
        tsl::ReadBinaryProto(tsl::Env::Default(), filename, &proto));
    return FromProto(proto.hlo_module(), debug_options);
  }
  static absl::StatusOr<std::unique_ptr<HloModule>> ReadModuleFromTextProtoFile(
      const std::string& filename, const DebugOptions& debug_options = {}) {
    HloProto proto;
    TF_RETURN_IF_ERROR(
        tsl::ReadTextProto(tsl::Env::Default(), filename, &proto));
    return FromProto(proto.hlo_module(), debug_options);
  }

 private:
  static std::vector<const Literal*> Pointers(
      absl::Span<const Literal> literals) {
    std::vector<const Literal*> pointers;
    for (const Literal& literal : literals) pointers.push_back(&literal);
    return pointers;
  }
  static absl::StatusOr<std::unique_ptr<HloModule>> FromProto(
      const HloModuleProto& proto, const DebugOptions& debug_options) {
    TF_ASSIGN_OR_RETURN(
        const HloModuleConfig config,
        HloModule::CreateModuleConfigFromProto(proto, debug_options));
    return HloModule::CreateFromProto(proto, config);
  }
};

// Thread safe.
class HloRunner : public HloRunnerInterface {
 public:
  // Compiles to native code; there is one platform.
  explicit HloRunner(se::Platform* platform = nullptr,
                     int intra_op_parallelism_threads = -1)
      : HloRunner(absl::string_view("cpu")) {}
  // The backend of that name, "cpu" or "evaluator" (CHECK).
  explicit HloRunner(absl::string_view backend) {
    absl::StatusOr<std::unique_ptr<Compiler>> compiler = MakeCompiler(backend);
    CHECK_OK(compiler.status());
    compiler_ = *std::move(compiler);
  }

  absl::string_view Name() const override { return compiler_->name(); }
  absl::StatusOr<std::unique_ptr<OpaqueExecutable>> CreateExecutable(
      std::unique_ptr<HloModule> module, bool run_hlo_passes) override {
    if (!run_hlo_passes) {
      module->mutable_config()
          .mutable_debug_options()
          .set_xla_disable_all_hlo_passes(true);
    }
    TF_ASSIGN_OR_RETURN(std::unique_ptr<Executable> executable,
                        compiler_->Compile(std::move(module)));
    return std::make_unique<OpaqueExecutable>(std::move(executable));
  }
  using HloRunnerInterface::ExecuteWithExecutable;
  absl::StatusOr<Literal> ExecuteWithExecutable(
      OpaqueExecutable* executable, absl::Span<const Literal* const> arguments,
      ExecutionProfile* profile = nullptr) override {
    if (executable->executable().num_devices() != 1) {
      return InvalidArgument("module %s runs on %d devices, not on one",
                             executable->module().name(),
                             executable->executable().num_devices());
    }
    const uint64_t start = tsl::EnvTime::NowNanos();
    TF_ASSIGN_OR_RETURN(
        std::vector<Literal> results,
        ExecuteOnDevices(
            executable,
            {std::vector<const Literal*>(arguments.begin(), arguments.end())},
            executable->module().config().seed(), /*device_ids=*/{}));
    if (profile != nullptr) {
      profile->set_compute_time_ns(tsl::EnvTime::NowNanos() - start);
    }
    return std::move(results.front());
  }
  absl::StatusOr<std::vector<Literal>> ExecuteOnDevices(
      OpaqueExecutable* executable,
      absl::Span<const std::vector<const Literal*>> arguments, int64_t seed,
      absl::Span<const int64_t> device_ids) override {
    Executable::RunOptions options;
    options.seed = static_cast<uint64_t>(seed);
    options.device_ids = device_ids;
    return executable->executable().Execute(arguments, options);
  }

 private:
  std::unique_ptr<Compiler> compiler_;
};

}  // namespace xla

#endif  // COMPAT_XLA_TESTS_HLO_RUNNER_H_
