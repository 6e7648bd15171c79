// HloRunnerInterface.
#ifndef COMPAT_XLA_SERVICE_HLO_RUNNER_INTERFACE_H_
#define COMPAT_XLA_SERVICE_HLO_RUNNER_INTERFACE_H_

#include "xla/tests/hlo_runner.h"  // IWYU pragma: export

#endif  // COMPAT_XLA_SERVICE_HLO_RUNNER_INTERFACE_H_
