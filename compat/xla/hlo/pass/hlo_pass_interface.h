// HloPassInterface, and the name of passes over one module at a time.
#ifndef COMPAT_XLA_HLO_PASS_HLO_PASS_INTERFACE_H_
#define COMPAT_XLA_HLO_PASS_HLO_PASS_INTERFACE_H_

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/pass/hlo_pass.h"  // IWYU pragma: export

namespace xla {

using HloModulePass = HloPassInterface;

}  // namespace xla

#endif  // COMPAT_XLA_HLO_PASS_HLO_PASS_INTERFACE_H_
