// Accumulators: values that a loop carries, in stack slots that become
// registers. In straight code they are the values themselves, so that what is
// emitted knows constants.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_ACCUMULATORS_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_ACCUMULATORS_H_

#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/llvm_ir/element.h"
#include "xla/backends/cpu/codegen/llvm_ir/loops.h"

namespace xla::cpu {

class Accumulators {
 public:
  // Makes one accumulator for each initial value, with its type and lanes.
  Accumulators(llvm::IRBuilder<>& b, absl::Span<const Element> initial)
      : b_(b) {
    for (const Element& element : initial) {
      slots_.push_back({Slot(element.value), Slot(element.imag)});
    }
    Set(initial);
  }

  std::vector<Element> Get() const {
    if (b_.GetInsertBlock() == last_block_) return last_;
    std::vector<Element> values;
    for (const auto& [real, imag] : slots_) {
      values.push_back({Load(real), Load(imag)});
    }
    return values;
  }

  void Set(absl::Span<const Element> values) {
    for (size_t i = 0; i < slots_.size(); ++i) {
      b_.CreateStore(values[i].value, slots_[i].first);
      if (slots_[i].second != nullptr) {
        b_.CreateStore(values[i].imag, slots_[i].second);
      }
    }
    last_.assign(values.begin(), values.end());
    last_block_ = b_.GetInsertBlock();
  }

 private:
  llvm::AllocaInst* Slot(llvm::Value* value) {
    return value == nullptr ? nullptr : EntryAlloca(b_, value->getType());
  }
  llvm::Value* Load(llvm::AllocaInst* slot) const {
    return slot == nullptr ? nullptr
                           : b_.CreateLoad(slot->getAllocatedType(), slot);
  }

  llvm::IRBuilder<>& b_;
  std::vector<std::pair<llvm::AllocaInst*, llvm::AllocaInst*>> slots_;
  // What the last Set emitted, and where.
  std::vector<Element> last_;
  const llvm::BasicBlock* last_block_ = nullptr;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_ACCUMULATORS_H_
