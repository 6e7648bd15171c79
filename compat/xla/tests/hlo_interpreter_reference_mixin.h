// HloInterpreterReferenceMixin: the older name of a fixture whose reference is
// the evaluator.
#ifndef COMPAT_XLA_TESTS_HLO_INTERPRETER_REFERENCE_MIXIN_H_
#define COMPAT_XLA_TESTS_HLO_INTERPRETER_REFERENCE_MIXIN_H_

#include "xla/tests/hlo_pjrt_interpreter_reference_mixin.h"

namespace xla {

template <typename T>
using HloInterpreterReferenceMixin = HloPjRtInterpreterReferenceMixin<T>;

}  // namespace xla

#endif  // COMPAT_XLA_TESTS_HLO_INTERPRETER_REFERENCE_MIXIN_H_
