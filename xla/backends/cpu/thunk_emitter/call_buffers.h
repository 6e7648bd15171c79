// CallBuffers: the memory of one custom call: the program's own if the target
// takes it as it is, else copies in another layout or with small elements
// packed.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_CALL_BUFFERS_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_CALL_BUFFERS_H_

#include <memory>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/core/shape.h"

namespace xla::cpu {

// An array or token that the target reads or writes.
struct CallLeaf {
  Shape actual;  // with the layout that the program has it in
  Shape wanted;  // with the target's; the same dimensions
  Slice slice;
  // For a result, the operand leaf that it holds before the call, or -1.
  int alias = -1;
};

// Returns what a call with these operands and results reads and writes.
BufferUses UsesOf(absl::Span<const CallLeaf> operands,
                  absl::Span<const CallLeaf> results);

// The descriptions are borrowed, and are the same for each call.
class CallBuffers {
 public:
  // If `pack`, elements of fewer than 8 bits, which the program stores in a
  // byte each, are packed into bytes, the first one in the lowest bits.
  CallBuffers(const DeviceRun& run, absl::Span<const CallLeaf> operands,
              absl::Span<const CallLeaf> results, bool pack);

  // The addresses are never null.
  absl::Span<void* const> operands() const { return operands_; }
  absl::Span<void* const> results() const { return results_; }

  // Copies results to the program's memory. To be called after the custom call.
  void Finish();

 private:
  struct Copy {
    const CallLeaf* leaf;
    std::unique_ptr<char[]> data;
  };
  bool NeedsCopy(const CallLeaf& leaf) const;
  void AddResult(const CallLeaf& result);
  void AddOperand(int index);
  // Export converts the elements of `leaf` from the program's form to the
  // target's, Import back.
  void Export(const CallLeaf& leaf, const char* from, char* to) const;
  void Import(const CallLeaf& leaf, const char* from, char* to) const;

  const DeviceRun& run_;
  const absl::Span<const CallLeaf> operand_leaves_;
  const absl::Span<const CallLeaf> result_leaves_;
  const bool pack_;
  std::vector<std::unique_ptr<char[]>> operand_copies_;
  std::vector<Copy> result_copies_;
  absl::InlinedVector<void*, 8> operands_;
  absl::InlinedVector<void*, 8> results_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNK_EMITTER_CALL_BUFFERS_H_
