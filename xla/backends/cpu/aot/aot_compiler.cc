// Compiles for one processor after the other, and puts the results together.
#include "xla/backends/cpu/aot/aot_compiler.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/array_memory.h"
#include "xla/backends/compiler.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/aot/aot_target.h"
#include "xla/backends/cpu/aot/c_names.h"
#include "xla/backends/cpu/aot/load_bytes.h"
#include "xla/backends/cpu/aot/object_writer.h"
#include "xla/backends/cpu/aot/runtime/instance.h"
#include "xla/backends/cpu/aot/runtime/program_data.h"
#include "xla/backends/cpu/pipeline.h"
#include "xla/backends/cpu/planning/run_cost.h"
#include "xla/backends/cpu/planning/thunk_planner.h"
#include "xla/backends/cpu/program_compiler.h"
#include "xla/backends/cpu/thunks/thunk_archive.h"
#include "xla/base/checked_math.h"
#include "xla/base/errors.h"
#include "xla/base/stable_hash.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ops/control_flow.h"

namespace xla::cpu::aot {
namespace {

constexpr int64_t kAlignment = TESSERA_AOT_ALIGNMENT;

absl::Status CheckOptions(const HloModule& module, const AotOptions& options) {
  TF_RETURN_IF_ERROR(CheckProgramName(options.name));
  if (options.targets.empty()) {
    return InvalidArgument("there is no processor to compile %s for",
                           module.name());
  }
  for (const TargetInfo& target : options.targets) {
    if (target.triple != options.targets[0].triple) {
      return InvalidArgument(
          "an object file is for one architecture, not for %s and %s",
          options.targets[0].triple, target.triple);
    }
  }
  if (options.max_threads < 1) {
    return InvalidArgument("a program runs on 1 thread or more, not on %d",
                           options.max_threads);
  }
  if (module.config().replica_count() * module.config().num_partitions() > 1) {
    return Unimplemented(
        "%s is for %d replicas and %d partitions; a program that is compiled "
        "ahead of time runs on one device",
        module.name(), module.config().replica_count(),
        module.config().num_partitions());
  }
  return absl::OkStatus();
}

absl::Status AddArrays(const std::string& name, const Shape& shape,
                       std::vector<AotArray>& arrays) {
  const std::vector<const Shape*> leaves = Leaves(shape);
  for (size_t i = 0; i < leaves.size(); ++i) {
    const Shape& leaf = *leaves[i];
    if (!leaf.IsArray() || !leaf.is_static()) {
      return Unimplemented(
          "%s: a program that is compiled ahead of time has no arguments or "
          "results of shape %s",
          name, ShapeUtil::HumanString(leaf));
    }
    arrays.push_back(
        {.name = leaves.size() == 1 ? name : absl::StrCat(name, "_", i),
         .shape = leaf,
         .bytes = ElementsBytes(leaf)});
  }
  return absl::OkStatus();
}

// Refuses arguments and results of dynamic sizes, for which the passes would
// make instructions that nobody wrote.
absl::Status CheckSizes(const HloModule& module) {
  const auto check = [](const HloInstruction& hlo) {
    std::vector<AotArray> arrays;
    return hlo.shape().is_static() ? absl::OkStatus()
                                   : AddArrays(hlo.name(), hlo.shape(), arrays);
  };
  const HloComputation& entry = *module.entry_computation();
  for (const HloInstruction* parameter : entry.parameter_instructions()) {
    TF_RETURN_IF_ERROR(check(*parameter));
  }
  return check(*entry.root_instruction());
}

// Refuses calls that the passes have left and for which the compiler would look
// for handlers of its process.
absl::Status CheckCalls(const HloModule& module) {
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction* hlo : computation->instructions()) {
      if (hlo->opcode() != HloOpcode::kCustomCall) continue;
      const CustomCallAttrs& attrs = hlo->attrs<CustomCallAttrs>();
      if (attrs.api_version == API_VERSION_TYPED_FFI) {
        return Unimplemented(
            "%s: a program that is compiled ahead of time has no custom-call, "
            "such as this one of \"%s\"",
            hlo->name(), attrs.custom_call_target);
      }
    }
  }
  return absl::OkStatus();
}

// Makes an error about an instruction of `module`, after the passes, speak of
// the program as it was written.
absl::Status NamingTheCause(const absl::Status& error,
                            const HloModule& original,
                            const HloModule& module) {
  if (!absl::IsUnimplemented(error)) return error;
  const absl::string_view message = error.message();
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction* hlo : computation->instructions()) {
      if (hlo->opcode() == HloOpcode::kCustomCall &&
          absl::StrContains(message, "has no custom-call") &&
          absl::StartsWith(message, absl::StrCat(hlo->name(), ": "))) {
        return Unimplemented("%s, such as this one of \"%s\"", message,
                             hlo->attrs<CustomCallAttrs>().custom_call_target);
      }
    }
  }
  if (!absl::StrContains(message, "has no random-key")) return error;
  for (const HloComputation* computation : original.computations()) {
    for (const HloInstruction* hlo : computation->instructions()) {
      if (hlo->opcode() == HloOpcode::kRng) {
        return Unimplemented(
            "%s: a program that is compiled ahead of time has no rng, whose "
            "state it would keep; rng-bit-generator has its state as an "
            "argument",
            hlo->name());
      }
    }
  }
  return error;
}

// Fills in the arguments and results, in the layouts of `layout`, which may be
// those that passes chose.
absl::Status DescribeArrays(const HloModule& module,
                            const ComputationLayout& layout,
                            AotProgram& program) {
  std::vector<int64_t> first;  // of the leaves of each parameter
  for (int i = 0; i < layout.parameter_count(); ++i) {
    first.push_back(static_cast<int64_t>(program.arguments.size()));
    TF_RETURN_IF_ERROR(
        AddArrays(module.entry_computation()->parameter_instruction(i)->name(),
                  layout.parameter_shape(i), program.arguments));
  }
  TF_RETURN_IF_ERROR(
      AddArrays("result", layout.result_shape(), program.results));
  for (const auto& entry : module.input_output_alias().entries()) {
    const std::vector<int64_t> output(entry.output_shape_index().begin(),
                                      entry.output_shape_index().end());
    const std::vector<int64_t> parameter(entry.parameter_shape_index().begin(),
                                         entry.parameter_shape_index().end());
    const int64_t number = entry.parameter_number();
    TF_ASSIGN_OR_RETURN(const int result,
                        LeafNumber(layout.result_shape(), output));
    TF_ASSIGN_OR_RETURN(const int leaf,
                        LeafNumber(layout.parameter_shape(number), parameter));
    program.results[result].alias = static_cast<int32_t>(first[number] + leaf);
  }
  return absl::OkStatus();
}

// The constants of all levels, equal ones once.
class ConstantPool {
 public:
  // Returns the offset of the constant.
  int64_t Add(absl::string_view bytes) {
    std::vector<int64_t>& same = by_hash_[StableBlockHash(bytes)];
    for (const int64_t offset : same) {
      if (absl::StartsWith(absl::string_view(bytes_).substr(offset), bytes)) {
        return offset;
      }
    }
    bytes_.resize(RoundUpTo<int64_t>(bytes_.size(), kAlignment));
    same.push_back(static_cast<int64_t>(bytes_.size()));
    bytes_.append(bytes.data(), bytes.size());
    return same.back();
  }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
  absl::flat_hash_map<uint64_t, std::vector<int64_t>> by_hash_;
};

// What is compiled for one processor.
struct Level {
  std::string features;
  CpuIsa isa = CpuIsa::kSse2;
  VectorLevel vector_level = VectorLevel::kBaseline;
  CompiledObjects objects;
  std::vector<std::string> kernels;  // the names of their functions
  std::vector<AllocationData> allocations;
  std::string thunks;
  int64_t arena_bytes = 0;
  int64_t load_bytes = 0;
  ComputationLayout layout{ProgramShape()};
};

absl::StatusOr<Level> CompileLevel(const HloModule& original,
                                   const TargetInfo& target,
                                   const AotOptions& options,
                                   ConstantPool& constants) {
  Level level;
  TF_ASSIGN_OR_RETURN(level.features, NeededFeatures(target));
  level.isa = IsaOf(target);
  level.vector_level = VectorLevelFor(target);
  // Plans of library kernels are made for the target, not for this processor.
  const PlanningScope plans;
  const VectorLevelScope scope(level.vector_level);

  InlineRunner inline_runner;
  CpuCompilerOptions compiler_options;
  compiler_options.target = target;
  compiler_options.runner =
      options.runner == nullptr ? &inline_runner : options.runner;
  const std::unique_ptr<HloModule> module = original.Clone("");
  TF_RETURN_IF_ERROR(RunPasses(module.get(), nullptr, target));
  TF_RETURN_IF_ERROR(CheckCalls(*module));
  module->RenumberIds();
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<BufferAssignment> assignment,
                      BufferAssignment::Run(*module, CpuAliasInfo()));
  const RunCosts costs = FindRunCosts(*module, target);
  TF_ASSIGN_OR_RETURN(const ThunkPlan plan,
                      PlanThunks(*module, *assignment, costs, target));
  ProgramCompiler compiler(*module, *assignment, compiler_options, costs);
  TF_ASSIGN_OR_RETURN(level.objects, compiler.EmitObjects(plan));
  for (size_t i = 0; i < plan.kernels.size(); ++i) {
    const int64_t shared = plan.kernels[i].spec.function_of;
    level.kernels.push_back(
        KernelSymbol(shared < 0 ? static_cast<int64_t>(i) : shared));
  }
  TF_ASSIGN_OR_RETURN(const ThunkSequence thunks, compiler.MakeThunks(plan));
  ThunkWriter writer([&](KernelFunction function) {
    return compiler.NumberOfKernel(function);
  });
  if (const absl::Status written = writer.WriteSequence(thunks);
      !written.ok()) {
    return NamingTheCause(written, original, *module);
  }
  level.thunks = std::move(writer).TakeBytes();

  for (const BufferAssignment::Allocation& from : assignment->allocations()) {
    AllocationData& to = level.allocations.emplace_back();
    to.kind = static_cast<int32_t>(from.kind);
    to.leaf = static_cast<int32_t>(from.leaf);
    to.bytes = from.size;
    if (from.constant != nullptr) {
      const LiteralSlice literal = from.constant->literal();
      to.constant_offset =
          constants.Add({static_cast<const char*>(literal.untyped_data()),
                         static_cast<size_t>(from.size)});
    }
  }
  for (int threads = 1; threads <= options.max_threads; ++threads) {
    level.arena_bytes = std::max(
        level.arena_bytes, PlanArena(thunks, level.allocations, threads).bytes);
  }
  level.load_bytes = LoadBytes(
      *module, static_cast<int64_t>(level.thunks.size()), compiler.FormBytes());
  level.layout = module->entry_computation_layout();
  return level;
}

// Returns the name by which the object refers to a function that LLVM calls:
// the C library has those for memory, the runtime all others.
std::string OutsideName(absl::string_view name) {
  if (!RuntimeSymbols().contains(std::string(name))) return "";
  if (absl::StartsWith(name, "mem")) return std::string(name);
  return absl::StrCat("tessera_aot_call_", name);
}

// Data in an object, with the addresses that it contains.
class DataBuilder {
 public:
  explicit DataBuilder(ObjectWriter& writer) : writer_(writer) {}

  // A text, for Pointer().
  ObjectWriter::Symbol Text(const std::string& text) {
    const auto [it, added] = texts_.try_emplace(text, 0);
    if (added) it->second = Bytes(std::string(text.c_str(), text.size() + 1));
    return it->second;
  }
  ObjectWriter::Symbol Bytes(std::string bytes, int64_t alignment = 1) {
    return writer_.AddData(std::move(bytes), alignment, /*pointers=*/false);
  }
  // An array of structs, whose pointers are set with Point.
  template <typename T>
  ObjectWriter::Symbol Structs(const std::vector<T>& values) {
    return writer_.AddData(
        std::string(reinterpret_cast<const char*>(values.data()),
                    values.size() * sizeof(T)),
        alignof(T), /*pointers=*/true);
  }
  void Point(ObjectWriter::Symbol data, size_t offset,
             ObjectWriter::Symbol to) {
    writer_.SetPointer(data, static_cast<int64_t>(offset), to);
  }

  ObjectWriter::Symbol Arrays(const std::vector<AotArray>& arrays) {
    std::vector<tessera_aot_array> data;
    for (const AotArray& array : arrays) {
      const bool row_major =
          !array.shape.has_layout() ||
          LayoutUtil::IsMonotonicWithDim0Major(array.shape.layout());
      data.push_back({.name = nullptr,
                      .type = array.shape.element_type(),
                      .rank = static_cast<int32_t>(array.shape.rank()),
                      .dimensions = nullptr,
                      .bytes = static_cast<size_t>(array.bytes),
                      .alias = array.alias,
                      .row_major = row_major});
    }
    const ObjectWriter::Symbol symbol = Structs(data);
    for (size_t i = 0; i < arrays.size(); ++i) {
      const size_t at = i * sizeof(tessera_aot_array);
      const auto dimensions = arrays[i].shape.dimensions();
      Point(symbol, at + offsetof(tessera_aot_array, name),
            Text(arrays[i].name));
      Point(
          symbol, at + offsetof(tessera_aot_array, dimensions),
          Structs(std::vector<int64_t>(dimensions.begin(), dimensions.end())));
    }
    return symbol;
  }

 private:
  ObjectWriter& writer_;
  absl::flat_hash_map<std::string, ObjectWriter::Symbol> texts_;
};

// Adds the code and data of all levels.
absl::StatusOr<ObjectWriter::Symbol> AddLevels(const std::vector<Level>& levels,
                                               ObjectWriter& writer,
                                               DataBuilder& data) {
  std::vector<LevelData> structs;
  for (const Level& level : levels) {
    structs.push_back(
        {.features = nullptr,
         .isa = static_cast<int32_t>(level.isa),
         .vector_level = static_cast<int32_t>(level.vector_level),
         .num_allocations = static_cast<int32_t>(level.allocations.size()),
         .allocations = nullptr,
         .kernels = nullptr,
         .num_kernels = static_cast<int64_t>(level.kernels.size()),
         .thunks = nullptr,
         .thunk_bytes = static_cast<int64_t>(level.thunks.size())});
  }
  const ObjectWriter::Symbol symbol = data.Structs(structs);
  for (size_t i = 0; i < levels.size(); ++i) {
    const Level& level = levels[i];
    TF_ASSIGN_OR_RETURN(const ObjectWriter::Symbols functions,
                        writer.AddObjects(level.objects.objects,
                                          level.objects.aliases, OutsideName));
    const ObjectWriter::Symbol kernels =
        data.Structs(std::vector<uint64_t>(level.kernels.size()));
    for (size_t k = 0; k < level.kernels.size(); ++k) {
      const auto it = functions.find(level.kernels[k]);
      if (it == functions.end()) {
        return Internal("no code for %s", level.kernels[k]);
      }
      data.Point(kernels, k * sizeof(uint64_t), it->second);
    }
    const size_t at = i * sizeof(LevelData);
    data.Point(symbol, at + offsetof(LevelData, features),
               data.Text(level.features));
    data.Point(symbol, at + offsetof(LevelData, allocations),
               data.Structs(level.allocations));
    data.Point(symbol, at + offsetof(LevelData, kernels), kernels);
    data.Point(symbol, at + offsetof(LevelData, thunks),
               data.Bytes(level.thunks));
  }
  return symbol;
}

absl::StatusOr<std::string> WriteObject(const HloModule& module,
                                        const AotOptions& options,
                                        const std::vector<Level>& levels,
                                        const std::string& constants,
                                        const AotProgram& program) {
  ObjectWriter writer(options.targets[0].is_aarch64 ? EM_AARCH64 : EM_X86_64);
  DataBuilder data(writer);
  tessera_aot_program head = {};
  std::memcpy(head.magic, kMagic, sizeof(kMagic));
  head.format_version = kFormatVersion;
  head.api_version = TESSERA_AOT_VERSION;
  head.num_arguments = static_cast<int32_t>(program.arguments.size());
  head.num_results = static_cast<int32_t>(program.results.size());
  head.constants_bytes = static_cast<int64_t>(constants.size());
  head.constants_hash = StableBlockHash(constants);
  head.num_levels = static_cast<int32_t>(levels.size());
  head.max_threads = options.max_threads;
  head.arena_bytes = program.arena_bytes;
  const ObjectWriter::Symbol symbol =
      data.Structs(std::vector<tessera_aot_program>{head});
  data.Point(symbol, offsetof(tessera_aot_program, name),
             data.Text(module.name()));
  data.Point(symbol, offsetof(tessera_aot_program, arguments),
             data.Arrays(program.arguments));
  data.Point(symbol, offsetof(tessera_aot_program, results),
             data.Arrays(program.results));
  if (!options.constants_apart && !constants.empty()) {
    data.Point(symbol, offsetof(tessera_aot_program, constants),
               data.Bytes(constants, kAlignment));
  }
  TF_ASSIGN_OR_RETURN(const ObjectWriter::Symbol structs,
                      AddLevels(levels, writer, data));
  data.Point(symbol, offsetof(tessera_aot_program, levels), structs);
  writer.Export(symbol, absl::StrCat(options.name, "_program"));
  writer.AddTailCall(absl::StrCat(options.name, "_run"), "tessera_aot_run");
  return std::move(writer).Finish();
}

}  // namespace

absl::StatusOr<AotProgram> CompileAheadOfTime(const HloModule& module,
                                              const AotOptions& options) {
  TF_RETURN_IF_ERROR(CheckOptions(module, options));
  TF_RETURN_IF_ERROR(CheckProgram(module));
  TF_RETURN_IF_ERROR(CheckSizes(module));
  // The most demanding processor comes first, since the first that fits is
  // taken.
  std::vector<const TargetInfo*> targets;
  for (const TargetInfo& target : options.targets) targets.push_back(&target);
  absl::c_stable_sort(targets, [](const TargetInfo* a, const TargetInfo* b) {
    return IsaOf(*a) > IsaOf(*b);
  });
  AotProgram program;
  ConstantPool constants;
  std::vector<Level> levels;
  for (const TargetInfo* target : targets) {
    TF_ASSIGN_OR_RETURN(levels.emplace_back(),
                        CompileLevel(module, *target, options, constants));
    const Level& level = levels.back();
    if (level.layout != levels[0].layout) {
      return Internal("%s: layouts depend on the processor", module.name());
    }
    program.arena_bytes = std::max(program.arena_bytes, level.arena_bytes);
    program.load_bytes = std::max(program.load_bytes, level.load_bytes);
  }
  TF_RETURN_IF_ERROR(DescribeArrays(module, levels[0].layout, program));
  program.constants_bytes = static_cast<int64_t>(constants.bytes().size());
  TF_ASSIGN_OR_RETURN(program.object, WriteObject(module, options, levels,
                                                  constants.bytes(), program));
  if (options.constants_apart) {
    program.constants = std::move(constants.bytes());
  }
  return program;
}

}  // namespace xla::cpu::aot
