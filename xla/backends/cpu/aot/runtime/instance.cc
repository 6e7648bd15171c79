// Chooses a level, makes its thunks, and runs them.
#include "xla/backends/cpu/aot/runtime/instance.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/library/read_thunks.h"
#include "xla/backends/cpu/thunks/scratch.h"
#include "xla/base/checked_math.h"
#include "xla/base/cpu_isa.h"
#include "xla/base/processor/processor_features.h"
#include "xla/base/stable_hash.h"
#include "xla/base/status_macros.h"
#include "xla/runtime/buffer_allocation.h"

namespace xla::cpu::aot {
namespace {

using Kind = BufferAllocation::Kind;

constexpr int64_t kAlignment = TESSERA_AOT_ALIGNMENT;

bool IsAligned(const void* memory) {
  return reinterpret_cast<uintptr_t>(memory) % kAlignment == 0;
}

// Returns the first extension that the level needs and the processor lacks;
// empty if there is none.
absl::string_view MissingFeature(const LevelData& level) {
  for (absl::string_view left = level.features; !left.empty();) {
    const size_t size = std::find(left.begin(), left.end(), ',') - left.begin();
    const absl::string_view feature = left.substr(0, size);
    if (!ProcessorHas(feature)) return feature;
    left.remove_prefix(std::min(left.size(), size + 1));
  }
  return "";
}

// Returns the first level that fits. The error is about the last one, which
// demands least.
absl::StatusOr<const LevelData*> ChooseLevel(
    const tessera_aot_program& program) {
  const std::optional<CpuIsa> limit = ProcessMaxIsa();
  std::string error;
  for (int32_t i = 0; i < program.num_levels; ++i) {
    const LevelData& level = program.levels[i];
    const absl::string_view missing = MissingFeature(level);
    if (limit.has_value() && static_cast<int32_t>(*limit) < level.isa) {
      error = absl::StrCat("needs ", CpuIsaName(static_cast<CpuIsa>(level.isa)),
                           ", which --xla_cpu_max_isa excludes");
    } else if (!missing.empty()) {
      error = absl::StrCat("needs ", missing,
                           ", which this processor does not have");
    } else {
      return &level;
    }
  }
  return absl::FailedPreconditionError(absl::StrCat(program.name, " ", error));
}

absl::Status CheckProgram(const tessera_aot_program& program) {
  if (std::memcmp(program.magic, kMagic, sizeof(kMagic)) != 0) {
    return absl::InternalError("this is no program of tessera compile");
  }
  const uint32_t runtime = TESSERA_AOT_VERSION;
  if (program.format_version != kFormatVersion ||
      program.api_version / 1000 != runtime / 1000 ||
      program.api_version > runtime) {
    return absl::FailedPreconditionError(absl::StrCat(
        program.name, " was compiled for version ", program.api_version,
        " of the runtime, format ", program.format_version,
        "; this is version ", runtime, ", format ", kFormatVersion));
  }
  return absl::OkStatus();
}

absl::Status CheckConstants(const tessera_aot_program& program,
                            absl::string_view constants) {
  if (static_cast<int64_t>(constants.size()) != program.constants_bytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(program.name, " has ", program.constants_bytes,
                     " bytes of constants in a file of their own, but got ",
                     constants.size()));
  }
  if (!IsAligned(constants.data())) {
    return absl::InvalidArgumentError(
        absl::StrCat(program.name,
                     ": its constants do not begin at a multiple "
                     "of ",
                     kAlignment, " bytes"));
  }
  if (StableBlockHash(constants) != program.constants_hash) {
    return absl::InvalidArgumentError(absl::StrCat(
        program.name, ": these constants are not those of the program"));
  }
  return absl::OkStatus();
}

// What a run needs besides the program's temporaries: its state, and the
// addresses of allocations.
int64_t HeadBytes(int64_t num_allocations) {
  return RoundUpTo<int64_t>(sizeof(DeviceRun), kAlignment) +
         RoundUpTo<int64_t>(num_allocations * sizeof(char*), kAlignment);
}

}  // namespace

void AlignedDelete::operator()(char* memory) const {
  ::operator delete(memory, std::align_val_t{kAlignment});
}

CallerThreads::CallerThreads(const tessera_aot_threads* threads) {
  if (threads != nullptr) threads_ = *threads;
  if (threads == nullptr || threads_.num_threads < 1) threads_.num_threads = 1;
}

void CallerThreads::ParallelFor(int64_t count,
                                absl::FunctionRef<void(int64_t)> body) {
  if (threads_.num_threads == 1 || count <= 1) {
    for (int64_t i = 0; i < count; ++i) body(i);
    return;
  }
  threads_.parallel_for(
      threads_.pool, count,
      [](void* context, int64_t i) {
        (*static_cast<absl::FunctionRef<void(int64_t)>*>(context))(i);
      },
      &body);
}

ArenaPlan PlanArena(const ThunkSequence& thunks,
                    absl::Span<const AllocationData> allocations,
                    int num_threads) {
  ArenaPlan plan;
  plan.memory_offset = HeadBytes(static_cast<int64_t>(allocations.size()));
  int64_t end = 0;
  for (const AllocationData& allocation : allocations) {
    plan.offsets.push_back(plan.memory_offset + end);
    if (static_cast<Kind>(allocation.kind) == Kind::kTemp) {
      end += RoundUpTo(allocation.bytes, kAlignment);
    }
  }
  plan.bytes = plan.memory_offset +
               RoundUpTo(PlaceScratch(thunks, num_threads, end), kAlignment);
  return plan;
}

Instance::Instance(const tessera_aot_program& program, const LevelData& level,
                   const tessera_aot_threads* threads,
                   absl::string_view constants)
    : program_(program),
      level_(level),
      vector_level_(static_cast<VectorLevel>(level.vector_level)),
      constants_(constants),
      allocations_(level.allocations, level.num_allocations),
      threads_(threads),
      runner_(&threads_, vector_level_) {}

absl::StatusOr<std::unique_ptr<Instance>> Instance::Make(
    const tessera_aot_program& program, const tessera_aot_threads* threads,
    absl::string_view constants) {
  TF_RETURN_IF_ERROR(CheckProgram(program));
  TF_ASSIGN_OR_RETURN(const LevelData* level, ChooseLevel(program));
  if (program.constants_bytes > 0) {
    if (program.constants == nullptr) {
      TF_RETURN_IF_ERROR(CheckConstants(program, constants));
    } else {
      constants = {program.constants,
                   static_cast<size_t>(program.constants_bytes)};
    }
  }
  // The constructor is private.
  std::unique_ptr<Instance> instance(
      new Instance(program, *level, threads, constants));
  TF_RETURN_IF_ERROR(instance->Read());
  return instance;
}

absl::Status Instance::Read() {
  const VectorLevelScope scope(vector_level_);
  ThunkReader reader({level_.thunks, static_cast<size_t>(level_.thunk_bytes)},
                     this);
  absl::StatusOr<ThunkSequence> thunks = ReadThunks(reader);
  if (!thunks.ok() || !reader.at_end()) {
    if (absl::IsResourceExhausted(thunks.status())) return thunks.status();
    return absl::InternalError(absl::StrCat(
        program_.name, " is damaged: ",
        thunks.ok() ? "bytes after its thunks" : thunks.status().message()));
  }
  thunks_ = *std::move(thunks);
  arena_ = PlanArena(thunks_, allocations_, threads_.num_threads());
  return absl::OkStatus();
}

KernelFunction Instance::Kernel(int64_t number) {
  return number < 0 || number >= level_.num_kernels ? nullptr
                                                    : level_.kernels[number];
}

absl::StatusOr<MemoryChunk> Instance::ConstantInForm(
    const Slice& constant, absl::string_view form, int64_t bytes,
    absl::FunctionRef<void(const void* elements, void* to)> write) {
  if (constant.allocation < 0 ||
      constant.allocation >= static_cast<int64_t>(allocations_.size()) ||
      static_cast<Kind>(allocations_[constant.allocation].kind) !=
          Kind::kConstant) {
    return absl::InternalError("a thunk packs what is no constant");
  }
  const int64_t offset =
      allocations_[constant.allocation].constant_offset + constant.offset;
  AlignedMemory& memory = forms_[{offset, std::string(form)}];
  if (memory == nullptr) {
    memory.reset(static_cast<char*>(
        ::operator new(bytes, std::align_val_t{kAlignment})));
    write(constants_.data() + offset, memory.get());
  }
  return MemoryChunk::Borrow(memory.get(), bytes, /*writable=*/false, nullptr);
}

absl::Status Instance::CheckMemory(const void* const* arguments,
                                   void* const* results,
                                   const void* arena) const {
  const auto error = [&](absl::string_view what, int64_t number,
                         const void* memory) {
    return absl::InvalidArgumentError(absl::StrCat(
        program_.name, ": ", what, number < 0 ? "" : " ",
        number < 0 ? "" : absl::StrCat(number),
        memory == nullptr ? " is missing"
                          : absl::StrCat(" does not begin at a multiple of ",
                                         kAlignment, " bytes")));
  };
  if (!IsAligned(arena) || arena == nullptr)
    return error("the arena", -1, arena);
  if (arguments == nullptr && program_.num_arguments > 0) {
    return error("the list of arguments", -1, nullptr);
  }
  if (results == nullptr && program_.num_results > 0) {
    return error("the list of results", -1, nullptr);
  }
  for (int32_t i = 0; i < program_.num_arguments; ++i) {
    if (program_.arguments[i].bytes == 0) continue;
    if (arguments[i] == nullptr || !IsAligned(arguments[i])) {
      return error("argument", i, arguments[i]);
    }
  }
  for (int32_t i = 0; i < program_.num_results; ++i) {
    if (program_.results[i].bytes == 0) continue;
    if (results[i] == nullptr || !IsAligned(results[i])) {
      return error("result", i, results[i]);
    }
  }
  return absl::OkStatus();
}

absl::Status Instance::Run(const void* const* arguments, void* const* results,
                           void* arena) const {
  TF_RETURN_IF_ERROR(CheckMemory(arguments, results, arena));
  char* const base = static_cast<char*>(arena);
  char** const table = reinterpret_cast<char**>(
      base + RoundUpTo<int64_t>(sizeof(DeviceRun), kAlignment));
  for (size_t i = 0; i < allocations_.size(); ++i) {
    const AllocationData& allocation = allocations_[i];
    switch (static_cast<Kind>(allocation.kind)) {
      case Kind::kParameter:
        table[i] = const_cast<char*>(
            static_cast<const char*>(arguments[allocation.leaf]));
        break;
      case Kind::kOutput:
        table[i] = static_cast<char*>(results[allocation.leaf]);
        break;
      case Kind::kConstant:
        table[i] =
            const_cast<char*>(constants_.data()) + allocation.constant_offset;
        break;
      case Kind::kTemp:
        table[i] = base + arena_.offsets[i];
        break;
    }
  }
  DeviceRun& run = *new (base) DeviceRun(/*group=*/nullptr, /*number=*/0);
  run.Begin(table, base + arena_.memory_offset, &options_,
            const_cast<VectorLevelRunner*>(&runner_), vector_level_);
  const VectorLevelScope scope(vector_level_);
  const int64_t end = static_cast<int64_t>(thunks_.size());
  absl::Status status;
  for (int64_t at = 0; at < end && status.ok();) {
    run.Enter(*thunks_[at]);
    const absl::StatusOr<ThunkResult> result = thunks_[at]->Run(run, at);
    status = result.status();
    if (status.ok()) at = result->next;
  }
  run.~DeviceRun();
  return status;
}

}  // namespace xla::cpu::aot
