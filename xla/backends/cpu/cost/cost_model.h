// CpuCostModel predicts how many nanoseconds of one thread HLO takes on a
// processor, and how many bytes it moves. Every trade-off of the CPU backend is
// decided by it.
#ifndef XLA_BACKENDS_CPU_COST_COST_MODEL_H_
#define XLA_BACKENDS_CPU_COST_COST_MODEL_H_

#include <array>
#include <cstdint>
#include <optional>

#include "xla/backends/cpu/cost/machine_costs.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/hlo_opcode.h"

namespace xla::cpu {

// The cost of a piece of a program on one thread.
struct CpuCost {
  // Arithmetic, with operands in registers.
  double compute_ns = 0;
  // Loads and stores.
  double memory_ns = 0;
  // The whole time: the two above overlap in part, and calls come on top.
  double nanoseconds = 0;
  // Bytes read and written, each counted once.
  double bytes = 0;
};

// By opcode, the rates of ops for which a table has an entry; null for others.
using OpRates = std::array<const MachineCosts::OpRate*, kHloOpcodeCount>;

// Predictions depend on shapes, ops and the target alone, not on the number of
// threads or on what a cache holds at the time. Arrays are assumed to lie in
// the smallest cache that holds everything the instruction reads and writes.
// Immutable and thread-safe. docs/cost-model.md has predictions
// beside measurements.
class CpuCostModel {
 public:
  // Copies what it needs from `target`.
  explicit CpuCostModel(const TargetInfo& target);

  const MachineCosts& machine() const { return machine_; }

  // The cost of native code for an instruction or a fusion: a loop over
  // elements, rows or columns. Zero for ops that only name memory. Ops without
  // native code count like arithmetic on the elements of their results.
  CpuCost CodeCost(const HloInstruction& instruction) const;

  // The cost of a library call for a dot, a convolution, an FFT or a sort.
  // Nullopt for other ops.
  std::optional<CpuCost> LibraryCost(const HloInstruction& instruction) const;

  // The time to compute an element of the result, or of the operand for a
  // reduction or a window, with operands in registers. Zero for ops that only
  // move elements.
  double ElementNanoseconds(const HloInstruction& instruction) const;

  // The time of a vector addition of elements of `type`, for each of them.
  double ArithmeticNanoseconds(PrimitiveType type) const;

  // The time of one product and its addition in the library's contractions.
  double ProductNanoseconds(NumberKind kind) const;

  // The size of the target's cache number `level`, counted from 0, or the
  // table's where the target does not state it.
  int64_t cache_bytes(int level) const {
    return static_cast<int64_t>(cache_bytes_[level]);
  }

  // The time to read or write `bytes` consecutive bytes where the code works on
  // `total` bytes in all. Rates grow with `total`, from cache to cache.
  double ReadNanoseconds(double bytes, double total) const;
  double WriteNanoseconds(double bytes, double total) const;

  // The rate for code that works on `total` bytes.
  double RateAt(const MachineCosts::LevelRates& rates, double total) const;

  // The number of elements of `kind` in a vector register of this target.
  int64_t Lanes(NumberKind kind) const;

  // The time of compute_ns and memory_ns together, which overlap in part.
  double Overlapped(double compute_ns, double memory_ns) const;

 private:
  // The time of the op on one register of the target.
  double RegisterNanoseconds(const HloInstruction& instruction,
                             NumberKind kind) const;
  CpuCost Contraction(double products, NumberKind kind,
                      const HloInstruction& instruction) const;
  CpuCost Dot(const HloInstruction& dot) const;
  CpuCost Convolution(const HloInstruction& convolution) const;
  CpuCost Fft(const HloInstruction& fft) const;
  CpuCost Sort(const HloInstruction& sort) const;

  const MachineCosts& machine_;
  int vector_bytes_;
  double register_share_;  // the time of a register, by that of a measured one
  std::array<double, 3> cache_bytes_;
  const OpRates& ops_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_COST_COST_MODEL_H_
