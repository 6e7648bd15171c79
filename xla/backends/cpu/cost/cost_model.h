// CpuCostModel: nanoseconds of one thread, and bytes, that HLO takes on a
// processor. All that the CPU backend weighs, it weighs with this.
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

// What a piece of a program takes on one thread.
struct CpuCost {
  // Arithmetic, with operands in registers.
  double compute_ns = 0;
  // Loads and stores.
  double memory_ns = 0;
  // All in all: the two overlap in part. Calls count here alone.
  double nanoseconds = 0;
  // That are read and written, each once.
  double bytes = 0;
};

// By opcode, the rates of ops that a table has on their own; null for others.
using OpRates = std::array<const MachineCosts::OpRate*, kHloOpcodeCount>;

// Predictions follow from shapes, ops and the target alone: not from the number
// of threads, nor from what lies in a cache. Arrays are taken to lie in the
// smallest cache that holds all that the instruction reads and writes.
// Immutable; may be shared by threads. docs/cost-model.md has predictions
// beside measurements.
class CpuCostModel {
 public:
  // `target` is copied from.
  explicit CpuCostModel(const TargetInfo& target);

  const MachineCosts& machine() const { return machine_; }

  // Native code for an instruction, or for a fusion: a loop over elements, or
  // over rows or columns. Zero for what only names memory. Ops for which there
  // is no such code count like arithmetic on the elements of their results.
  CpuCost CodeCost(const HloInstruction& instruction) const;

  // A call of the library for a dot, a convolution, an FFT or a sort. Nullopt
  // for other ops.
  std::optional<CpuCost> LibraryCost(const HloInstruction& instruction) const;

  // Computing an element of the result, of a reduction or a window one of the
  // operand, with operands in registers. Zero for ops that only move elements.
  double ElementNanoseconds(const HloInstruction& instruction) const;

  // An addition in a vector of elements of `type`, for one of them.
  double ArithmeticNanoseconds(PrimitiveType type) const;

  // Of the target's cache number `level`, from 0, or the table's.
  int64_t cache_bytes(int level) const {
    return static_cast<int64_t>(cache_bytes_[level]);
  }

  // Reading or writing `bytes` one after the other, where all that the code
  // works on is `total` bytes. With `total` rates grow, from cache to cache.
  double ReadNanoseconds(double bytes, double total) const;
  double WriteNanoseconds(double bytes, double total) const;

  // A rate by level for code that works on `total` bytes.
  double RateAt(const MachineCosts::LevelRates& rates, double total) const;

  // Of a vector register on this target, elements of `kind`.
  int64_t Lanes(NumberKind kind) const;

  // compute_ns and memory_ns together, as far as they do not overlap.
  double Overlapped(double compute_ns, double memory_ns) const;

 private:
  // An op and its operand type, on a register of the target.
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
  double register_share_;  // of a measured register's time
  std::array<double, 3> cache_bytes_;
  const OpRates& ops_;
};

// Elements of all arrays of a value, and the bytes that they take.
double ElementsOf(const HloInstruction& value);
double BytesOf(const HloInstruction& value);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_COST_COST_MODEL_H_
