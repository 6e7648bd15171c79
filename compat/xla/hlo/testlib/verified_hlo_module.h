// VerifiedHloModule: a module of a test, which fails if the module is invalid
// when it is destroyed.
#ifndef COMPAT_XLA_HLO_TESTLIB_VERIFIED_HLO_MODULE_H_
#define COMPAT_XLA_HLO_TESTLIB_VERIFIED_HLO_MODULE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_module_config.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/service/hlo_verifier.h"
#include "xla/shape.h"
#include "xla/util.h"

namespace xla {

// A predicate of instructions needs a verifier that is layout-sensitive (Verify
// returns InvalidArgument). Not thread safe.
class VerifiedHloModule : public HloModule {
 public:
  VerifiedHloModule(
      const std::string& name, const HloModuleConfig& config,
      bool verifier_layout_sensitive,
      bool allow_mixed_precision_in_hlo_verifier,
      const std::function<int64_t(const Shape&)>& shape_size_function,
      const HloPredicate& instruction_can_change_layout_func = {})
      : HloModule(name, config),
        verifier_(verifier_layout_sensitive,
                  allow_mixed_precision_in_hlo_verifier,
                  instruction_can_change_layout_func, shape_size_function) {}
  ~VerifiedHloModule() override { VerifyOrAddFailure("in destructor"); }

  // Makes this module, which must be empty (Internal), the one of the text.
  // Errors: those of the parser and of the verifier.
  absl::Status ParseHloStringAndVerifyModule(
      absl::string_view str,
      const HloParserOptions& options = HloParserOptions()) {
    if (computation_count() != 0) {
      return Internal("module %s has computations already", name());
    }
    TF_ASSIGN_OR_RETURN(const std::unique_ptr<HloModule> parsed,
                        ParseAndReturnUnverifiedModule(str, config(), options));
    Take(*parsed);
    return Verify();
  }

  absl::Status Verify() {
    if (computation_count() == 0) return absl::OkStatus();
    return verifier_.Verify(*this);
  }
  // Fails the test, with the message, if the module is invalid.
  void VerifyOrAddFailure(absl::string_view message) {
    const absl::Status status = Verify();
    if (status.ok()) return;
    ADD_FAILURE() << "HloVerifier failed on module " << name() << " ("
                  << message << "): " << status;
  }

 private:
  void Take(HloModule& module) {
    set_name(module.name());
    set_config(module.config());
    HloComputation* const entry = module.entry_computation();
    const bool is_scheduled = module.has_schedule();
    const int64_t id = metadata()->proto().canonical_module_id();
    static_cast<ModuleAnnotations&>(*this) =
        static_cast<ModuleAnnotations&&>(module);
    metadata()->set_canonical_module_id(id);
    MoveComputationsFrom(&module);
    set_entry_computation(entry);
    if (is_scheduled) set_is_scheduled(true);
  }

  HloVerifier verifier_;
};

}  // namespace xla

#endif  // COMPAT_XLA_HLO_TESTLIB_VERIFIED_HLO_MODULE_H_
