// HloOperandIndex: a part of one of an instruction's operands.
#ifndef XLA_HLO_ANALYSIS_VALUES_HLO_OPERAND_INDEX_H_
#define XLA_HLO_ANALYSIS_VALUES_HLO_OPERAND_INDEX_H_

#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>

#include "xla/core/shape_index.h"

namespace xla {

struct HloOperandIndex {
  using MyTuple = std::tuple<int64_t, const ShapeIndex&>;

  int64_t operand_number;
  // The part's index in the operand.
  ShapeIndex operand_index;

  MyTuple ToTuple() const { return {operand_number, std::cref(operand_index)}; }
  friend bool operator==(const HloOperandIndex& a, const HloOperandIndex& b) {
    return a.ToTuple() == b.ToTuple();
  }
  bool operator!=(const HloOperandIndex& other) const {
    return !(*this == other);
  }
  template <typename H>
  friend H AbslHashValue(H h, const HloOperandIndex& index) {
    return H::combine(std::move(h), index.ToTuple());
  }
};

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_VALUES_HLO_OPERAND_INDEX_H_
