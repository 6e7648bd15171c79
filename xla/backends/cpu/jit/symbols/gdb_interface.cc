// GDB finds the two names below in the symbol table of each library, and sets a
// breakpoint in the function. They are hidden, so that each library has its own
// pair, as GDB allows since version 11: jaxlib and others have LLVM's.
#include "xla/backends/cpu/jit/symbols/gdb_interface.h"

#include <cstdint>
#include <mutex>

#include "xla/backends/cpu/jit/symbols/symbol_file.h"

extern "C" {

enum { JIT_NOACTION, JIT_REGISTER_FN, JIT_UNREGISTER_FN };

struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag;
  jit_code_entry* relevant_entry;
  jit_code_entry* first_entry;
};

__attribute__((visibility("hidden"),
               used)) jit_descriptor __jit_debug_descriptor = {
    1, JIT_NOACTION, nullptr, nullptr};

__attribute__((visibility("hidden"), used, noinline)) void
__jit_debug_register_code() {
  // Keeps calls from being optimised away.
  asm volatile("" ::: "memory");
}

}  // extern "C"

namespace xla::cpu {
namespace {

// Guards the descriptor and its list.
std::mutex& ListMutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

void Notify(jit_code_entry* entry, uint32_t action) {
  __jit_debug_descriptor.relevant_entry = entry;
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_register_code();
}

}  // namespace

GdbSymbols::GdbSymbols(absl::Span<const CodeSymbol> symbols)
    : file_(SymbolFile(symbols)) {
  entry_.symfile_addr = file_.data();
  entry_.symfile_size = file_.size();
  const std::lock_guard<std::mutex> lock(ListMutex());
  entry_.next_entry = __jit_debug_descriptor.first_entry;
  if (entry_.next_entry != nullptr) entry_.next_entry->prev_entry = &entry_;
  __jit_debug_descriptor.first_entry = &entry_;
  Notify(&entry_, JIT_REGISTER_FN);
}

GdbSymbols::~GdbSymbols() {
  const std::lock_guard<std::mutex> lock(ListMutex());
  if (entry_.prev_entry != nullptr) {
    entry_.prev_entry->next_entry = entry_.next_entry;
  } else {
    __jit_debug_descriptor.first_entry = entry_.next_entry;
  }
  if (entry_.next_entry != nullptr) {
    entry_.next_entry->prev_entry = entry_.prev_entry;
  }
  Notify(&entry_, JIT_UNREGISTER_FN);
}

}  // namespace xla::cpu
