// Computes a program's properties once from its module.
#include "xla/pjrt/pjrt_executable.h"

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "xla/backends/array_memory.h"
#include "xla/backends/program_cost.h"
#include "xla/backends/runs_on_caller.h"
#include "xla/base/errors.h"
#include "xla/base/stable_hash.h"
#include "xla/base/status_macros.h"
#include "xla/base/version.h"
#include "xla/client/executable_serialization.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/cost/cost_analysis.h"
#include "xla/hlo/analysis/cost/hlo_cost_analysis.h"
#include "xla/hlo/analysis/cost/hlo_cost_properties.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/transforms/simplify/erfc_raising.h"
#include "xla/pjrt/pjrt_buffer.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/proto/message_bytes.h"

namespace xla {
namespace {

// Indices in PjRtDeviceDescription::memory_spaces().
constexpr int kDeviceMemory = 0;
constexpr int kPinnedHostMemory = 2;

absl::Status FillLeaf(const Shape& shape, PjRtExecutable::Leaf& leaf) {
  TF_ASSIGN_OR_RETURN(leaf.bytes, DeviceBufferBytes(shape));
  Shape dense = MemoryShape(shape);
  if (dense.IsArray()) {
    if (dense.layout().memory_space() == Layout::kHostMemorySpace) {
      leaf.memory_kind_index = kPinnedHostMemory;
    }
    // A buffer's place is known by its memory space, not by its layout.
    dense.mutable_layout()->set_memory_space(Layout::kDefaultMemorySpace);
  }
  leaf.memory_kind =
      leaf.memory_kind_index == kDeviceMemory ? "device" : "pinned_host";
  leaf.shape = std::make_shared<const Shape>(std::move(dense));
  return absl::OkStatus();
}

absl::StatusOr<int> ParameterLeafNumber(const HloModule& module,
                                        int64_t parameter,
                                        absl::Span<const int64_t> index) {
  const ComputationLayout& layout = module.entry_computation_layout();
  if (parameter < 0 || parameter >= layout.parameter_count()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no parameter ", parameter));
  }
  int number = 0;
  for (int64_t before = 0; before < parameter; ++before) {
    number += Leaves(layout.parameter_shape(before)).size();
  }
  TF_ASSIGN_OR_RETURN(const int inside,
                      LeafNumber(layout.parameter_shape(parameter), index));
  return number + inside;
}

absl::Status InAliases(const absl::Status& status) {
  return AddStatus(status, "input_output_alias");
}

// Appends one sharding for each leaf.
void AddShardings(const OpSharding& sharding, const Shape& shape,
                  std::vector<OpSharding>& leaves) {
  if (!shape.IsTuple()) {
    leaves.push_back(sharding);
    return;
  }
  for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
    const bool each = sharding.type() == OpSharding::TUPLE &&
                      i < sharding.tuple_shardings_size();
    AddShardings(each ? sharding.tuple_shardings(i) : sharding,
                 shape.tuple_shapes(i), leaves);
  }
}

OpSharding Replicated() {
  OpSharding sharding;
  sharding.set_type(OpSharding::REPLICATED);
  return sharding;
}

template <typename Leaves>
std::vector<std::shared_ptr<const PjRtLayout>> LayoutsOf(const Leaves& leaves) {
  std::vector<std::shared_ptr<const PjRtLayout>> layouts;
  for (const auto& leaf : leaves) {
    layouts.push_back(std::make_shared<const PjRtLayout>(
        leaf.shape->has_layout() ? leaf.shape->layout() : Layout()));
  }
  return layouts;
}

template <typename Leaves>
std::vector<std::vector<absl::string_view>> MemoryKindsOf(
    const Leaves& leaves) {
  std::vector<absl::string_view> kinds;
  for (const auto& leaf : leaves) kinds.push_back(leaf.memory_kind);
  return {std::move(kinds)};
}

}  // namespace

PjRtExecutable::PjRtExecutable(std::unique_ptr<Executable> executable,
                               std::string source, CompileOptions options)
    : executable_(std::move(executable)),
      source_(std::move(source)),
      options_(std::move(options)),
      inline_runs_(executable_->module(), executable_->compile_report()) {}

absl::StatusOr<std::unique_ptr<PjRtExecutable>> PjRtExecutable::Create(
    std::unique_ptr<Executable> executable, std::string source,
    CompileOptions options) {
  // The constructor is private.
  std::unique_ptr<PjRtExecutable> made(new PjRtExecutable(
      std::move(executable), std::move(source), std::move(options)));
  TF_RETURN_IF_ERROR(made->AddLeaves());
  TF_RETURN_IF_ERROR(made->AddAliases());
  TF_ASSIGN_OR_RETURN(CompileOptionsProto proto, made->options_.ToProto());
  // Maps in unknown fields are in no particular order.
  proto.DiscardUnknownFields();
  made->fingerprint_ = absl::StrFormat(
      "%016x%016x", StableBlockHash(made->source_),
      StableHash(absl::StrCat(DeterministicBytes(proto), TesseraVersion())));
  made->uses_queues_ = UsesQueues(made->executable_->module());
  made->runs_on_caller_ = RunsOnCaller(made->executable_->module());
  return made;
}

absl::Status PjRtExecutable::AddLeaves() {
  const ComputationLayout& layout =
      executable_->module().entry_computation_layout();
  for (const ShapeLayout& parameter : layout.parameter_layouts()) {
    for (const Shape* leaf : Leaves(parameter.shape())) {
      TF_RETURN_IF_ERROR(FillLeaf(*leaf, parameters_.emplace_back()));
    }
  }
  for (const Shape* leaf : Leaves(layout.result_shape())) {
    TF_RETURN_IF_ERROR(FillLeaf(*leaf, outputs_.emplace_back()));
  }
  return absl::OkStatus();
}

absl::Status PjRtExecutable::AddAliases() {
  const HloModule& module = executable_->module();
  for (const auto& entry : module.input_output_alias().entries()) {
    const absl::StatusOr<int> parameter = ParameterLeafNumber(
        module, entry.parameter_number(), entry.parameter_shape_index());
    if (!parameter.ok()) return InAliases(parameter.status());
    const absl::StatusOr<int> output =
        LeafNumber(module.entry_computation_layout().result_shape(),
                   entry.output_shape_index());
    if (!output.ok()) return InAliases(output.status());
    ParameterLeaf& from = parameters_[*parameter];
    OutputLeaf& to = outputs_[*output];
    if (from.bytes != to.bytes || to.alias >= 0 || from.donated) {
      return InAliases(absl::InvalidArgumentError(
          absl::StrCat("parameter ", *parameter, ", ", from.shape->ToString(),
                       ", and result ", *output, ", ", to.shape->ToString(),
                       ", differ in size or are paired twice")));
    }
    from.donated = true;
    from.must_alias = entry.kind() == MUST_ALIAS;
    if (from.memory_kind_index == to.memory_kind_index) to.alias = *parameter;
  }
  for (const auto& entry : module.buffer_donor().entries()) {
    const absl::StatusOr<int> parameter = ParameterLeafNumber(
        module, entry.parameter_number(), entry.parameter_shape_index());
    if (!parameter.ok()) return InAliases(parameter.status());
    parameters_[*parameter].donated = true;
  }
  for (const ParameterLeaf& leaf : parameters_) donates_ |= leaf.donated;
  return absl::OkStatus();
}

int64_t PjRtExecutable::SizeOfGeneratedCodeInBytes() const {
  return executable_->memory_stats().code_bytes;
}

absl::StatusOr<std::vector<Shape>> PjRtExecutable::GetOutputShapes() const {
  return std::vector<Shape>{
      executable_->module().entry_computation_layout().result_shape()};
}

absl::StatusOr<std::vector<std::vector<PrimitiveType>>>
PjRtExecutable::GetOutputElementTypes() const {
  std::vector<PrimitiveType> types;
  for (const OutputLeaf& leaf : outputs_) {
    types.push_back(leaf.shape->element_type());
  }
  return std::vector<std::vector<PrimitiveType>>{std::move(types)};
}

absl::StatusOr<std::vector<std::vector<DimensionVector>>>
PjRtExecutable::GetOutputDimensions() const {
  std::vector<DimensionVector> dimensions;
  for (const OutputLeaf& leaf : outputs_) {
    dimensions.emplace_back(leaf.shape->dimensions().begin(),
                            leaf.shape->dimensions().end());
  }
  return std::vector<std::vector<DimensionVector>>{std::move(dimensions)};
}

absl::StatusOr<std::vector<std::vector<absl::string_view>>>
PjRtExecutable::GetOutputMemoryKinds() const {
  return MemoryKindsOf(outputs_);
}

absl::StatusOr<std::vector<std::vector<absl::string_view>>>
PjRtExecutable::GetParameterMemoryKinds() const {
  return MemoryKindsOf(parameters_);
}

absl::StatusOr<std::vector<std::shared_ptr<const PjRtLayout>>>
PjRtExecutable::GetParameterLayouts() const {
  return LayoutsOf(parameters_);
}

absl::StatusOr<std::vector<std::shared_ptr<const PjRtLayout>>>
PjRtExecutable::GetOutputLayouts() const {
  return LayoutsOf(outputs_);
}

std::optional<std::vector<OpSharding>> PjRtExecutable::GetParameterShardings()
    const {
  const HloModule& module = executable_->module();
  const HloComputation& entry = *module.entry_computation();
  const auto& partitioned = module.extra().spmd_parameters_shardings();
  std::vector<OpSharding> shardings;
  bool any = false;
  for (int64_t i = 0; i < entry.num_parameters(); ++i) {
    const HloInstruction& parameter = *entry.parameter_instruction(i);
    const bool was_partitioned = partitioned.size() == entry.num_parameters();
    any |= was_partitioned || parameter.has_sharding();
    AddShardings(was_partitioned            ? partitioned[i]
                 : parameter.has_sharding() ? parameter.sharding_proto()
                                            : Replicated(),
                 parameter.shape(), shardings);
  }
  if (!any) return std::nullopt;
  return shardings;
}

std::optional<std::vector<OpSharding>> PjRtExecutable::GetOutputShardings()
    const {
  const HloModule& module = executable_->module();
  const HloInstruction& root = *module.entry_computation()->root_instruction();
  std::vector<OpSharding> shardings;
  if (module.extra().has_spmd_output_sharding()) {
    AddShardings(module.extra().spmd_output_sharding(), root.shape(),
                 shardings);
  } else if (root.has_sharding()) {
    AddShardings(root.sharding_proto(), root.shape(), shardings);
  } else {
    return std::nullopt;
  }
  return shardings;
}

std::vector<int> PjRtExecutable::GetDonatableInputIndices() const {
  std::vector<int> indices;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    if (parameters_[i].donated) indices.push_back(i);
  }
  return indices;
}

std::unique_ptr<HloModule> PjRtExecutable::ExportedModule() const {
  std::unique_ptr<HloModule> module = executable_->module().Clone("");
  // An expansion that failed leaves a valid module with the operation in it.
  ErfcExpander().Run(module.get()).status().IgnoreError();
  return module;
}

absl::StatusOr<std::vector<std::shared_ptr<HloModule>>>
PjRtExecutable::GetHloModules() const {
  return std::vector<std::shared_ptr<HloModule>>{
      std::shared_ptr<HloModule>(ExportedModule())};
}

HloModuleProto PjRtExecutable::GetHloModuleProto() const {
  return ExportedModule()->ToProto();
}

std::string PjRtExecutable::GetHloText() const {
  return ExportedModule()->ToString();
}

absl::StatusOr<CompiledMemoryStats> PjRtExecutable::GetCompiledMemoryStats()
    const {
  const Executable::MemoryStats memory = executable_->memory_stats();
  CompiledMemoryStats stats;
  stats.generated_code_size_in_bytes = memory.code_bytes;
  stats.argument_size_in_bytes = memory.argument_bytes;
  stats.output_size_in_bytes = memory.output_bytes;
  stats.alias_size_in_bytes = memory.alias_bytes;
  stats.temp_size_in_bytes = memory.temp_bytes;
  stats.peak_memory_in_bytes = memory.peak_bytes;
  stats.total_size_in_bytes = memory.argument_bytes + memory.output_bytes -
                              memory.alias_bytes + memory.temp_bytes;
  return stats;
}

absl::StatusOr<absl::flat_hash_map<std::string, PjRtValueType>>
PjRtExecutable::GetCostAnalysis() const {
  CostAnalysis analysis;
  TF_RETURN_IF_ERROR(analysis.Run(*executable_->module().entry_computation()));
  absl::flat_hash_map<std::string, PjRtValueType> costs;
  for (const auto& [name, value] : analysis.properties()) costs[name] = value;
  // The cost of the whole program, with loops counted as often as they run.
  TF_ASSIGN_OR_RETURN(const ProgramCost cost,
                      CostOfProgram(executable_->module()));
  costs[HloCostProperties::kFlopsKey] = static_cast<float>(cost.flops);
  costs[HloCostProperties::kTranscendentalsKey] =
      static_cast<float>(cost.transcendentals);
  costs[HloCostProperties::kBytesAccessedKey] = static_cast<float>(cost.bytes);
  const CompileReport* const report = executable_->compile_report();
  if (report != nullptr && std::isfinite(report->run_nanoseconds)) {
    costs[HloCostProperties::kOptimalSecondsKey] =
        static_cast<float>(report->run_nanoseconds * 1e-9);
  }
  return costs;
}

absl::StatusOr<std::string> PjRtExecutable::FingerprintExecutable() const {
  return fingerprint_;
}

absl::StatusOr<std::string> PjRtExecutable::SerializeExecutable() const {
  ExecutableAndOptionsProto payload;
  payload.set_serialized_executable(source_);
  TF_ASSIGN_OR_RETURN(*payload.mutable_compile_options(), options_.ToProto());
  payload.set_pjrt_client_name(std::string(kPlatformName));
  TF_ASSIGN_OR_RETURN(const std::string code, executable_->SerializeCode());
  return PackExecutable(payload, code);
}

absl::StatusOr<absl::flat_hash_map<std::string, PjRtValueType>>
PjRtExecutableUtil::RunHloCostAnalysis(const PjRtExecutable& executable,
                                       HloCostAnalysis* analysis) {
  TF_ASSIGN_OR_RETURN(const auto modules, executable.GetHloModules());
  return RunHloCostAnalysis(modules, analysis);
}

absl::StatusOr<absl::flat_hash_map<std::string, PjRtValueType>>
PjRtExecutableUtil::RunHloCostAnalysis(
    const std::vector<std::shared_ptr<HloModule>>& modules,
    HloCostAnalysis* analysis) {
  if (modules.empty()) {
    return absl::NotFoundError("there is no program to analyse");
  }
  if (modules.size() > 1) {
    return absl::UnimplementedError(absl::StrCat(
        "the costs of ", modules.size(), " programs are not added up"));
  }
  TF_RETURN_IF_ERROR(modules[0]->entry_computation()->Accept(analysis));
  absl::flat_hash_map<std::string, PjRtValueType> values;
  analysis->properties().ForEach([&](absl::string_view name, float value) {
    values[std::string(name)] = value;
  });
  return values;
}

}  // namespace xla
