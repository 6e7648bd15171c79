// The functions of tessera_aot.h.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/aot/runtime/given_memory.h"
#include "xla/backends/cpu/aot/runtime/instance.h"
#include "xla/backends/cpu/aot/runtime/program_data.h"
#include "xla/backends/cpu/aot/runtime/tessera_aot.h"

using xla::cpu::aot::GivenMemory;
using xla::cpu::aot::GivenMemoryScope;
using xla::cpu::aot::Instance;

struct tessera_aot_instance {
  // Where all of it lies, unless that is no memory; then it is on the heap.
  GivenMemory memory;
  std::unique_ptr<Instance> instance;
};

namespace {

tessera_aot_status CodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return TESSERA_AOT_OK;
    case absl::StatusCode::kInvalidArgument:
      return TESSERA_AOT_INVALID_ARGUMENT;
    case absl::StatusCode::kResourceExhausted:
      return TESSERA_AOT_RESOURCE_EXHAUSTED;
    case absl::StatusCode::kFailedPrecondition:
      return TESSERA_AOT_FAILED_PRECONDITION;
    case absl::StatusCode::kUnimplemented:
      return TESSERA_AOT_UNIMPLEMENTED;
    default:
      return TESSERA_AOT_INTERNAL;
  }
}

void WriteMessage(absl::string_view message,
                  const tessera_aot_options& options) {
  if (options.message == nullptr || options.message_bytes == 0) return;
  const size_t size = std::min(message.size(), options.message_bytes - 1);
  std::memcpy(options.message, message.data(), size);
  options.message[size] = '\0';
}

absl::Status CheckOptions(const tessera_aot_options& options) {
  const tessera_aot_threads* threads = options.threads;
  if (threads == nullptr) return absl::OkStatus();
  if (threads->struct_size < sizeof(tessera_aot_threads)) {
    return absl::InvalidArgumentError(
        "tessera_aot_threads: struct_size is not set");
  }
  if (threads->num_threads < 1 || threads->parallel_for == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "tessera_aot_threads: ", threads->num_threads, " threads",
        threads->parallel_for == nullptr ? " without parallel_for" : ""));
  }
  return absl::OkStatus();
}

// `given` is the memory of the current scope.
absl::Status Load(const tessera_aot_program& program,
                  const tessera_aot_options& options, const GivenMemory& given,
                  tessera_aot_instance*& loaded) {
  if (absl::Status status = CheckOptions(options); !status.ok()) return status;
  auto instance = std::make_unique<tessera_aot_instance>();
  absl::StatusOr<std::unique_ptr<Instance>> made = Instance::Make(
      program, options.threads,
      {static_cast<const char*>(options.constants), options.constants_bytes});
  if (!made.ok()) return made.status();
  instance->instance = *std::move(made);
  instance->memory = given;
  loaded = instance.release();
  return absl::OkStatus();
}

}  // namespace

tessera_aot_status tessera_aot_load(const tessera_aot_program* program,
                                    const tessera_aot_options* options,
                                    tessera_aot_instance** instance) {
  if (instance == nullptr) return TESSERA_AOT_INVALID_ARGUMENT;
  *instance = nullptr;
  tessera_aot_options all = {};
  if (options != nullptr) {
    if (options->struct_size < sizeof(size_t)) {
      return TESSERA_AOT_INVALID_ARGUMENT;
    }
    std::memcpy(&all, options, std::min(options->struct_size, sizeof(all)));
  }
  if (program == nullptr) {
    WriteMessage("the program is null", all);
    return TESSERA_AOT_INVALID_ARGUMENT;
  }
  GivenMemory given(all.memory, all.memory_bytes);
  const GivenMemoryScope scope(&given);
  try {
    const absl::Status status = Load(*program, all, given, *instance);
    if (!status.ok()) WriteMessage(status.message(), all);
    return CodeOf(status);
  } catch (const std::bad_alloc&) {
    WriteMessage(given.is_empty() ? "no memory is left to load the program"
                                  : "the memory that was given is too small to "
                                    "load the program",
                 all);
    return TESSERA_AOT_RESOURCE_EXHAUSTED;
  }
}

void tessera_aot_unload(tessera_aot_instance* instance) {
  if (instance == nullptr) return;
  GivenMemory memory = instance->memory;
  const GivenMemoryScope scope(&memory);
  delete instance;
}

tessera_aot_status tessera_aot_run(const tessera_aot_instance* instance,
                                   const void* const* arguments,
                                   void* const* results, void* arena) {
  if (instance == nullptr) return TESSERA_AOT_INVALID_ARGUMENT;
  return CodeOf(instance->instance->Run(arguments, results, arena));
}

size_t tessera_aot_arena_bytes(const tessera_aot_instance* instance) {
  return instance == nullptr ? 0 : instance->instance->arena_bytes();
}

size_t tessera_aot_load_bytes(const tessera_aot_instance* instance) {
  return instance == nullptr ? 0 : instance->memory.peak_bytes();
}

const char* tessera_aot_features(const tessera_aot_instance* instance) {
  return instance == nullptr ? "" : instance->instance->features();
}

const char* tessera_aot_name(const tessera_aot_program* program) {
  return program == nullptr ? "" : program->name;
}

int32_t tessera_aot_num_arguments(const tessera_aot_program* program) {
  return program == nullptr ? 0 : program->num_arguments;
}

int32_t tessera_aot_num_results(const tessera_aot_program* program) {
  return program == nullptr ? 0 : program->num_results;
}

const tessera_aot_array* tessera_aot_argument(
    const tessera_aot_program* program, int32_t number) {
  return number < 0 || number >= tessera_aot_num_arguments(program)
             ? nullptr
             : &program->arguments[number];
}

const tessera_aot_array* tessera_aot_result(const tessera_aot_program* program,
                                            int32_t number) {
  return number < 0 || number >= tessera_aot_num_results(program)
             ? nullptr
             : &program->results[number];
}

size_t tessera_aot_constants_bytes(const tessera_aot_program* program) {
  return program == nullptr || program->constants != nullptr
             ? 0
             : program->constants_bytes;
}

tessera_aot_status tessera_aot_map_file(const char* path, const void** data,
                                        size_t* bytes) {
  if (path == nullptr || data == nullptr || bytes == nullptr) {
    return TESSERA_AOT_INVALID_ARGUMENT;
  }
  *data = nullptr;
  *bytes = 0;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat facts;
  if (file < 0) return TESSERA_AOT_INVALID_ARGUMENT;
  if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    close(file);
    return TESSERA_AOT_INVALID_ARGUMENT;
  }
  if (facts.st_size == 0) {
    close(file);
    return TESSERA_AOT_OK;
  }
  const auto size = static_cast<size_t>(facts.st_size);
  void* const memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (memory == MAP_FAILED) return TESSERA_AOT_RESOURCE_EXHAUSTED;
  *data = memory;
  *bytes = size;
  return TESSERA_AOT_OK;
}

void tessera_aot_unmap_file(const void* data, size_t bytes) {
  if (data != nullptr) munmap(const_cast<void*>(data), bytes);
}

int32_t tessera_aot_version(void) { return TESSERA_AOT_VERSION; }
