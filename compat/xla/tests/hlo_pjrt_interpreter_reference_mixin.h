// HloPjRtInterpreterReferenceMixin: a fixture whose reference is the evaluator.
#ifndef COMPAT_XLA_TESTS_HLO_PJRT_INTERPRETER_REFERENCE_MIXIN_H_
#define COMPAT_XLA_TESTS_HLO_PJRT_INTERPRETER_REFERENCE_MIXIN_H_

#include <memory>
#include <utility>

#include "xla/tests/hlo_runner.h"
#include "xla/tests/hlo_runner_agnostic_reference_mixin.h"

namespace xla {

template <typename T>
class HloPjRtInterpreterReferenceMixin
    : public HloRunnerAgnosticReferenceMixin<T> {
 public:
  template <typename... BaseArgs>
  explicit HloPjRtInterpreterReferenceMixin(BaseArgs&&... base_args)
      : HloRunnerAgnosticReferenceMixin<T>(
            std::make_unique<HloRunner>("evaluator"),
            std::forward<BaseArgs>(base_args)...) {}
};

}  // namespace xla

#endif  // COMPAT_XLA_TESTS_HLO_PJRT_INTERPRETER_REFERENCE_MIXIN_H_
