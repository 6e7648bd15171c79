// PjRtExecutable: a compiled program, its properties, and its serialized form.
// pjrt_loaded_executable.h runs it.
#ifndef XLA_PJRT_PJRT_EXECUTABLE_H_
#define XLA_PJRT_PJRT_EXECUTABLE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/compiler.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/pjrt/compile_options.h"
#include "xla/pjrt/execute_options.h"
#include "xla/pjrt/pjrt_common.h"
#include "xla/pjrt/pjrt_layout.h"
#include "xla/pjrt/run/inline_runs.h"

namespace xla {

class HloCostAnalysis;

struct LoadOptions {
  // For serialized executables whose native code does not run here: true
  // compiles the program again; false fails with FailedPrecondition, which
  // gives the reason.
  bool may_compile = true;
};

// Parameters and outputs are leaves: the elements of tuples in order. Lists of
// lists have one inner list, for the only program. Immutable and thread safe.
class PjRtExecutable {
 public:
  // The facts about a leaf that runs need, computed once.
  struct Leaf {
    std::shared_ptr<const Shape> shape;
    int64_t bytes = 0;  // the size of its memory
    absl::string_view memory_kind;
    int memory_kind_index = 0;  // index in a device's memory spaces
  };
  struct ParameterLeaf : Leaf {
    bool donated = false;  // by alias or as a donor
    bool must_alias = false;
  };
  struct OutputLeaf : Leaf {
    int alias = -1;  // parameter whose memory it takes over
  };

  // `source`: the serialized HloModuleProto of the original program. Errors:
  // InvalidArgument for aliases that do not fit; ResourceExhausted for leaves
  // that no memory can hold.
  static absl::StatusOr<std::unique_ptr<PjRtExecutable>> Create(
      std::unique_ptr<Executable> executable, std::string source,
      CompileOptions options);
  PjRtExecutable(const PjRtExecutable&) = delete;
  PjRtExecutable& operator=(const PjRtExecutable&) = delete;

  absl::string_view name() const { return executable_->module().name(); }
  int num_replicas() const { return executable_->num_replicas(); }
  int num_partitions() const { return executable_->num_partitions(); }
  int num_devices() const { return executable_->num_devices(); }
  int num_outputs() const { return outputs_.size(); }
  int num_parameters() const { return parameters_.size(); }
  const std::vector<ParameterLeaf>& parameters() const { return parameters_; }
  const std::vector<OutputLeaf>& outputs() const { return outputs_; }
  // Decides whether a run is short enough for the calling thread.
  InlineRuns& inline_runs() const { return inline_runs_; }
  // True if the program exchanges data with the host while it runs.
  bool uses_queues() const { return uses_queues_; }
  // True if runs that do not wait for data from the host happen on the calling
  // thread, however long they take: the program calls functions of the host's
  // program (ffi::kRunsOnCaller).
  bool runs_on_caller() const { return runs_on_caller_; }
  bool donates() const { return donates_; }
  const Executable& executable() const { return *executable_; }
  // The serialized HloModuleProto of the original program.
  const std::string& source() const { return source_; }
  const CompileOptions& compile_options() const { return options_; }
  absl::StatusOr<CompileOptions> GetCompileOptions() const { return options_; }

  int64_t SizeOfGeneratedCodeInBytes() const;
  // The result of the program, a tuple if there is one.
  absl::StatusOr<std::vector<Shape>> GetOutputShapes() const;
  absl::StatusOr<std::vector<std::vector<PrimitiveType>>>
  GetOutputElementTypes() const;
  absl::StatusOr<std::vector<std::vector<DimensionVector>>>
  GetOutputDimensions() const;
  absl::StatusOr<std::vector<std::vector<absl::string_view>>>
  GetOutputMemoryKinds() const;
  absl::StatusOr<std::vector<std::vector<absl::string_view>>>
  GetParameterMemoryKinds() const;
  absl::StatusOr<std::vector<std::shared_ptr<const PjRtLayout>>>
  GetParameterLayouts() const;
  absl::StatusOr<std::vector<std::shared_ptr<const PjRtLayout>>>
  GetOutputLayouts() const;
  // nullopt if the program has no shardings.
  std::optional<std::vector<OpSharding>> GetParameterShardings() const;
  std::optional<std::vector<OpSharding>> GetOutputShardings() const;
  // The indices of parameters whose memory runs take over.
  std::vector<int> GetDonatableInputIndices() const;

  // The program after compilation, in operations that XLA has.
  absl::StatusOr<std::vector<std::shared_ptr<HloModule>>> GetHloModules() const;
  HloModuleProto GetHloModuleProto() const;
  std::string GetHloText() const;
  absl::StatusOr<CompiledMemoryStats> GetCompiledMemoryStats() const;
  // The names are XLA's ("flops", "bytes accessed", "transcendentals", ...),
  // and "optimal_seconds" of a run on one thread if the backend predicts it.
  absl::StatusOr<absl::flat_hash_map<std::string, PjRtValueType>>
  GetCostAnalysis() const;
  // Equal for equal programs and options of this version, in all processes of a
  // job.
  absl::StatusOr<std::string> FingerprintExecutable() const;

  // Serializes the program, options and native code, with a version and
  // checksums (client/executable_serialization.h).
  absl::StatusOr<std::string> SerializeExecutable() const;

 private:
  PjRtExecutable(std::unique_ptr<Executable> executable, std::string source,
                 CompileOptions options);
  // A copy of the module without operations that only this project has.
  std::unique_ptr<HloModule> ExportedModule() const;
  absl::Status AddLeaves();
  absl::Status AddAliases();

  const std::unique_ptr<Executable> executable_;
  const std::string source_;
  const CompileOptions options_;
  mutable InlineRuns inline_runs_;
  std::vector<ParameterLeaf> parameters_;
  std::vector<OutputLeaf> outputs_;
  std::string fingerprint_;
  bool uses_queues_ = false;
  bool runs_on_caller_ = false;
  bool donates_ = false;
};

class PjRtExecutableUtil {
 public:
  // Returns what the analysis finds of the only program. Errors: NotFound
  // without a program, Unimplemented for several; those of the analysis.
  static absl::StatusOr<absl::flat_hash_map<std::string, PjRtValueType>>
  RunHloCostAnalysis(const PjRtExecutable& executable,
                     HloCostAnalysis* analysis);
  static absl::StatusOr<absl::flat_hash_map<std::string, PjRtValueType>>
  RunHloCostAnalysis(const std::vector<std::shared_ptr<HloModule>>& modules,
                     HloCostAnalysis* analysis);
};

}  // namespace xla

#endif  // XLA_PJRT_PJRT_EXECUTABLE_H_
