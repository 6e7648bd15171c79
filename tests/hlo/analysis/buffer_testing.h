// Takes modules through scheduling, copy insertion, buffer assignment and its
// verifier.
#ifndef TESTS_HLO_ANALYSIS_BUFFER_TESTING_H_
#define TESTS_HLO_ANALYSIS_BUFFER_TESTING_H_

#include <memory>
#include <string>
#include <vector>

#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

struct Assigned {
  std::unique_ptr<HloModule> module;
  std::unique_ptr<BufferAssignment> buffers;
  std::vector<std::string> reasons;  // for each copy that was added

  const HloInstruction* Find(const std::string& name) const;
  BufferSlice Slice(const std::string& name, int leaf = 0) const;
  BufferAssignment::Kind KindOf(const std::string& name, int leaf = 0) const;
  bool Share(const std::string& a, const std::string& b, int leaf_a = 0,
             int leaf_b = 0) const;
  // Returns the allocation of a leaf of the result.
  int64_t Output(int leaf) const;
};

// Failures of any part, the module's verifier included, fail the test; then the
// result may lack buffers.
Assigned Assign(std::unique_ptr<HloModule> module,
                const AliasInfo& alias_info = cpu::CpuAliasInfo());
Assigned Assign(const std::string& text,
                const AliasInfo& alias_info = cpu::CpuAliasInfo());

}  // namespace xla

#endif  // TESTS_HLO_ANALYSIS_BUFFER_TESTING_H_
