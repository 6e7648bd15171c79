// HloHardwareIndependentTestBase: a GoogleTest fixture for tests of passes.
#ifndef COMPAT_XLA_HLO_TESTLIB_HLO_HARDWARE_INDEPENDENT_TEST_BASE_H_
#define COMPAT_XLA_HLO_TESTLIB_HLO_HARDWARE_INDEPENDENT_TEST_BASE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_module_config.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/pass/hlo_pass_interface.h"
#include "xla/service/hlo_verifier.h"

namespace xla {

class HloHardwareIndependentTestBase : public ::testing::Test {
 public:
  explicit HloHardwareIndependentTestBase(
      bool verifier_layout_sensitive = false,
      bool allow_mixed_precision_in_hlo_verifier = true)
      : verifier_(verifier_layout_sensitive,
                  allow_mixed_precision_in_hlo_verifier) {}

  // Errors: those of the parser and of the verifier.
  absl::StatusOr<std::unique_ptr<HloModule>> ParseAndReturnVerifiedModule(
      absl::string_view hlo_text, int64_t replica_count = 1,
      int64_t num_partitions = 1) {
    HloModuleConfig config;
    config.set_replica_count(replica_count);
    config.set_num_partitions(num_partitions);
    return ParseAndReturnVerifiedModule(hlo_text, config);
  }
  absl::StatusOr<std::unique_ptr<HloModule>> ParseAndReturnVerifiedModule(
      absl::string_view hlo_text, const HloModuleConfig& config) {
    TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                        ParseAndReturnUnverifiedModule(hlo_text, config));
    TF_RETURN_IF_ERROR(verifier_.Verify(*module));
    return module;
  }

  static HloModuleConfig GetModuleConfigForTest(int64_t replica_count = 1,
                                                int64_t num_partitions = 1) {
    HloModuleConfig config;
    config.set_replica_count(replica_count);
    config.set_num_partitions(num_partitions);
    return config;
  }
  std::unique_ptr<HloModule> CreateNewUnverifiedModule(
      const std::string& name = "test") {
    return std::make_unique<HloModule>(name, GetModuleConfigForTest());
  }
  std::unique_ptr<HloModule> CreateNewVerifiedModule(
      const std::string& name = "test") {
    return CreateNewUnverifiedModule(name);
  }

  // Runs the pass, and verifies what it made.
  absl::StatusOr<bool> RunHloPass(HloPassInterface* pass, HloModule* module) {
    TF_ASSIGN_OR_RETURN(const bool changed, pass->Run(module));
    TF_RETURN_IF_ERROR(verifier_.Verify(*module));
    return changed;
  }
  absl::StatusOr<bool> RunHloPass(HloPassInterface&& pass, HloModule* module) {
    return RunHloPass(&pass, module);
  }

  // Return null where there is none.
  static HloInstruction* FindInstruction(HloModule* module,
                                         absl::string_view name) {
    for (HloComputation* computation : module->computations()) {
      if (HloInstruction* hlo = computation->GetInstructionWithName(name)) {
        return hlo;
      }
    }
    return nullptr;
  }
  static HloInstruction* FindInstruction(HloModule* module, HloOpcode opcode) {
    for (HloComputation* computation : module->computations()) {
      for (HloInstruction* hlo : computation->instructions()) {
        if (hlo->opcode() == opcode) return hlo;
      }
    }
    return nullptr;
  }
  static HloComputation* FindComputation(HloModule* module,
                                         absl::string_view name) {
    return module->GetComputationWithName(name);
  }

  HloVerifier& verifier() { return verifier_; }

 private:
  HloVerifier verifier_;
};

}  // namespace xla

#endif  // COMPAT_XLA_HLO_TESTLIB_HLO_HARDWARE_INDEPENDENT_TEST_BASE_H_
