// Cast and DynCast: an instruction as one of a class of hlo_instructions.h.
#ifndef COMPAT_XLA_HLO_IR_HLO_CASTING_UTILS_H_
#define COMPAT_XLA_HLO_IR_HLO_CASTING_UTILS_H_

#include "xla/base/logging.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_instructions.h"

namespace xla {

// DynCast returns null for another class; Cast requires the class (CHECK). The
// OrNull forms also take null, and return it.
template <class T>
const T* DynCast(const HloInstruction* instruction) {
  CHECK(instruction != nullptr);
  return T::ClassOf(instruction) ? static_cast<const T*>(instruction) : nullptr;
}
template <class T>
T* DynCast(HloInstruction* instruction) {
  return const_cast<T*>(
      DynCast<T>(static_cast<const HloInstruction*>(instruction)));
}
template <class T>
const T* DynCastOrNull(const HloInstruction* instruction) {
  return instruction != nullptr ? DynCast<T>(instruction) : nullptr;
}
template <class T>
T* DynCastOrNull(HloInstruction* instruction) {
  return instruction != nullptr ? DynCast<T>(instruction) : nullptr;
}

template <class T>
const T* Cast(const HloInstruction* instruction) {
  const T* cast = DynCast<T>(instruction);
  CHECK(cast != nullptr) << instruction->ToString()
                         << " is of another class than it is cast to";
  return cast;
}
template <class T>
T* Cast(HloInstruction* instruction) {
  return const_cast<T*>(
      Cast<T>(static_cast<const HloInstruction*>(instruction)));
}
template <class T>
const T* CastOrNull(const HloInstruction* instruction) {
  return instruction != nullptr ? Cast<T>(instruction) : nullptr;
}
template <class T>
T* CastOrNull(HloInstruction* instruction) {
  return instruction != nullptr ? Cast<T>(instruction) : nullptr;
}

}  // namespace xla

#endif  // COMPAT_XLA_HLO_IR_HLO_CASTING_UTILS_H_
