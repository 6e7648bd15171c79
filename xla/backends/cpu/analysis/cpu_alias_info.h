// CpuAliasInfo: which results the CPU's code writes over an operand, or may.
// The one definition that buffer assignment, code generation and kernels go by.
#ifndef XLA_BACKENDS_CPU_ANALYSIS_CPU_ALIAS_INFO_H_
#define XLA_BACKENDS_CPU_ANALYSIS_CPU_ALIAS_INFO_H_

#include <optional>
#include <vector>

#include "xla/hlo/analysis/alias_info.h"

namespace xla::cpu {

class CpuAliasInfo : public AliasInfo {
 public:
  // Further than AliasInfo: a fusion whose output comes (through bitcasts that
  // nobody else reads) from a dynamic-update-slice or scatter of a parameter
  // (through bitcasts) that nothing else in the fusion reads, except
  // dynamic-slices of exactly what is overwritten whose elements go into the
  // update at their own linear index (KeepsLinearIndex). All reads of the other
  // operands and of such slices come before the write of the same element. A
  // fusion of a dynamic-update-slice without such a parameter makes a full
  // result.
  std::optional<OperandLeaf> MustAlias(const HloInstruction& instruction,
                                       int leaf) const override;

  // - elementwise ops, for operands of the same dimensions and element size;
  // - fusions of kind kLoop without in-place operands, all outputs of which
  //   have the same dimensions (they are computed in one loop over the index
  //   that reads all before it stores any), for parameters at the same places
  //   that reach outputs only through ops that keep the linear index of each
  //   element (KeepsLinearIndex);
  // - fusions of kind kInput that are computed row by row (ReductionStructure),
  //   for outputs of whole rows and parameters that only such ops and
  //   reductions of the levels read: those read all of a row before any of it
  //   is stored;
  // - sorts, for operand i and result i: rows are read before they are moved;
  // - all-reduces and collective broadcasts, for operand i and result i: blocks
  //   of all devices are read before one of them is written.
  std::vector<AliasPair> MayAliasPairs(
      const HloInstruction& instruction) const override;
};

// Whether a fusion of kind kInput that is computed row by row, with one result
// of whole rows, reads for each row of it the same row alone of an operand with
// as many elements. The result may be written over the operand then if elements
// of both are as wide (MayAliasPairs).
bool ReadsOwnRows(const HloInstruction& fusion, int64_t operand);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_ANALYSIS_CPU_ALIAS_INFO_H_
