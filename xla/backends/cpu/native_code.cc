// Packs native code to bytes, and tells whether it fits this process.
#include "xla/backends/cpu/native_code.h"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/arena.h"
#include "xla/backends/compiler.h"
#include "xla/base/byte_fields.h"
#include "xla/base/checked_math.h"
#include "xla/base/stable_hash.h"
#include "xla/base/status_macros.h"
#include "xla/base/version.h"
#include "xla/proto/parse_message.h"

namespace xla::cpu {
namespace {

// Returns the build id in the notes of one segment; empty if there is none.
absl::string_view BuildIdIn(const char* notes, size_t size) {
  constexpr absl::string_view kOwner("GNU", 4);
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes, sizeof(header));
    const size_t name_size = RoundUpTo(size_t{header.n_namesz}, 4);
    const size_t text_size = RoundUpTo(size_t{header.n_descsz}, 4);
    const size_t whole = sizeof(header) + name_size + text_size;
    if (whole > size) return "";
    const absl::string_view name(notes + sizeof(header), header.n_namesz);
    if (header.n_type == NT_GNU_BUILD_ID && name == kOwner) {
      return {notes + sizeof(header) + name_size, header.n_descsz};
    }
    notes += whole;
    size -= whole;
  }
  return "";
}

// Appends the build id of the object that this function is in, if `info` is
// that one.
int AddBuildId(dl_phdr_info* info, size_t, void* text) {
  const auto here = reinterpret_cast<uintptr_t>(&AddBuildId);
  bool is_this = false;
  absl::string_view id;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    const uintptr_t start = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD) {
      is_this |= here >= start && here - start < segment.p_memsz;
    } else if (segment.p_type == PT_NOTE && id.empty()) {
      id = BuildIdIn(reinterpret_cast<const char*>(start), segment.p_memsz);
    }
  }
  if (!is_this) return 0;
  absl::StrAppend(static_cast<std::string*>(text), " ",
                  absl::BytesToHexString(id));
  return 1;
}

// Hashes the numbers and names that make up a plan.
class Hasher {
 public:
  void Add(uint64_t value) { hash_ = StableMix(hash_, value); }
  void Add(absl::string_view text) { Add(StableHash(text)); }
  void Add(const HloInstruction* instruction) {
    Add(instruction == nullptr ? absl::string_view()
                               : absl::string_view(instruction->name()));
  }
  uint64_t hash() const { return hash_; }

 private:
  uint64_t hash_ = 0;
};

void AddBuffers(const HloModule& module, const BufferAssignment& assignment,
                Hasher& hasher) {
  for (const BufferAssignment::Allocation& allocation :
       assignment.allocations()) {
    hasher.Add(static_cast<uint64_t>(allocation.kind));
    hasher.Add(allocation.leaf);
    hasher.Add(allocation.size);
    hasher.Add(allocation.constant);
  }
  for (const HloComputation* computation : module.MakeComputationPostOrder()) {
    for (const auto& instruction : computation->instructions()) {
      if (!assignment.Has(instruction)) continue;
      hasher.Add(instruction);
      for (const BufferSlice& slice : assignment.slices(instruction)) {
        hasher.Add(slice.allocation);
        hasher.Add(slice.offset);
        hasher.Add(slice.size);
      }
    }
  }
}

}  // namespace

const std::string& ThisBuild() {
  static const std::string* const build = [] {
    auto* text = new std::string(TesseraVersion());
    dl_iterate_phdr(AddBuildId, text);
    return text;
  }();
  return *build;
}

uint64_t PlanHash(const HloModule& module, const BufferAssignment& assignment,
                  const ThunkPlan& plan) {
  Hasher hasher;
  AddBuffers(module, assignment, hasher);
  for (const PlannedKernel& kernel : plan.kernels) {
    hasher.Add(kernel.workgroups);
    hasher.Add(kernel.spec.local_buffers.size());
    hasher.Add(kernel.spec.function_of);
    for (const KernelArray& array : kernel.spec.frame.arrays()) {
      hasher.Add(array.slice.allocation);
      hasher.Add(array.slice.offset);
      hasher.Add(array.alignment);
      hasher.Add(array.written);
    }
    for (const HloInstruction* instruction : kernel.spec.instructions) {
      hasher.Add(instruction);
    }
  }
  for (const auto& copies : plan.copies) {
    for (const HloInstruction* copy : copies) hasher.Add(copy);
  }
  for (const auto& products : plan.packs) {
    for (const HloInstruction* product : products) hasher.Add(product);
  }
  for (const PlannedThunk& thunk : plan.thunks) {
    hasher.Add(static_cast<uint64_t>(thunk.kind));
    hasher.Add(thunk.instruction);
    hasher.Add(thunk.index);
    for (const int64_t target : thunk.targets) hasher.Add(target);
  }
  return hasher.hash();
}

std::string PackNativeCode(const NativeCode& code,
                           const CompiledObjects* objects) {
  if (objects == nullptr) objects = &code.objects;
  ByteWriter writer(code.module.size() + objects->size_bytes() + 4096);
  writer.Text(code.build);
  writer.Text(objects->fingerprint);
  writer.Text(code.module);
  writer.Number(static_cast<uint64_t>(code.replica_count));
  writer.Number(static_cast<uint64_t>(code.num_partitions));
  writer.Text(code.cost_table);
  for (const int64_t bytes : code.cache_bytes) {
    writer.Number(static_cast<uint64_t>(bytes));
  }
  writer.Number(static_cast<uint64_t>(code.plan_hash));
  writer.Number(uint64_t{objects->objects.size()});
  for (const std::string& object : objects->objects) writer.Text(object);
  writer.Number(uint64_t{objects->aliases.size()});
  for (const SymbolAlias& alias : objects->aliases) {
    writer.Text(alias.name);
    writer.Text(alias.target);
  }
  return std::move(writer).Take();
}

absl::StatusOr<NativeCode> UnpackNativeCode(absl::string_view bytes) {
  ByteReader reader(bytes);
  NativeCode code;
  code.build = std::string(reader.Text());
  code.objects.fingerprint = std::string(reader.Text());
  code.module = std::string(reader.Text());
  code.replica_count = reader.Number<uint64_t>();
  code.num_partitions = reader.Number<uint64_t>();
  code.cost_table = std::string(reader.Text());
  for (int64_t& bytes : code.cache_bytes) {
    bytes = static_cast<int64_t>(reader.Number<uint64_t>() & INT64_MAX);
  }
  code.plan_hash = reader.Number<uint64_t>();
  const uint64_t objects = reader.Number<uint64_t>();
  for (uint64_t i = 0; i < objects && !reader.failed(); ++i) {
    code.objects.objects.emplace_back(reader.Text());
  }
  const uint64_t aliases = reader.Number<uint64_t>();
  for (uint64_t i = 0; i < aliases && !reader.failed(); ++i) {
    SymbolAlias& alias = code.objects.aliases.emplace_back();
    alias.name = std::string(reader.Text());
    alias.target = std::string(reader.Text());
  }
  if (reader.at_end()) return code;
  return absl::InvalidArgumentError(
      "native code: the bytes do not have the form of a compiled program");
}

absl::StatusOr<std::unique_ptr<HloModule>> ModuleOf(
    const NativeCode& code, CodeOrigin origin,
    const DebugOptions& debug_options) {
  if (code.build != ThisBuild()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "native code: it was made by another build of the compiler, ",
        absl::CHexEscape(absl::string_view(code.build).substr(0, 64)),
        ", and this is ", ThisBuild()));
  }
  // On an arena a message takes half the time to be read and freed.
  google::protobuf::Arena arena;
  auto* const proto =
      google::protobuf::Arena::CreateMessage<HloModuleProto>(&arena);
  if (!ParseMessage(code.module, proto)) {
    return absl::InvalidArgumentError(
        "native code: its module is not an HloModuleProto");
  }
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      HloModule::CreateFromProto(*proto));
  module->mutable_config().set_replica_count(code.replica_count);
  module->mutable_config().set_num_partitions(code.num_partitions);
  module->mutable_config().set_debug_options(debug_options);
  if (origin == CodeOrigin::kThisCompiler) return module;
  // Passes have made it: layout-normalization among them.
  TF_RETURN_IF_ERROR(CheckProgram(*module, {.allow_entry_buffers = true}));
  return module;
}

}  // namespace xla::cpu
