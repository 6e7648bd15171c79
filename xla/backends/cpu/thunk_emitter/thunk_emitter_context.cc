// Keeps the forms in which constants were written.
#include "xla/backends/cpu/thunk_emitter/thunk_emitter_context.h"

#include "xla/base/status_macros.h"
#include "xla/core/literal/literal.h"

namespace xla::cpu {

absl::StatusOr<MemoryChunk> ThunkEmitterContext::ConstantInForm(
    const HloInstruction& constant, absl::string_view form, int64_t bytes,
    absl::FunctionRef<void(const void* elements, void* to)> write) const {
  MemoryChunk& memory = forms_[{&constant, std::string(form)}];
  if (memory.is_null()) {
    TF_ASSIGN_OR_RETURN(memory, MemoryChunk::Allocate(bytes));
    write(constant.literal().untyped_data(), memory.data());
  }
  return memory;
}

}  // namespace xla::cpu
