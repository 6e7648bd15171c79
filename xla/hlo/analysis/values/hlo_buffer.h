// HloBuffer: values that must lie in the same memory.
#ifndef XLA_HLO_ANALYSIS_VALUES_HLO_BUFFER_H_
#define XLA_HLO_ANALYSIS_VALUES_HLO_BUFFER_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/base/logging.h"
#include "xla/hlo/analysis/values/buffer_value.h"
#include "xla/hlo/analysis/values/hlo_value.h"

namespace xla {

// At least one value, in the order of their ids: those that a loop carries in
// one element, the results of branches, an operand that is written over.
class HloBuffer {
 public:
  using Id = int64_t;

  static bool IdLessThan(const HloBuffer* a, const HloBuffer* b) {
    return a->id() < b->id();
  }
  static bool IdEqual(const HloBuffer* a, const HloBuffer* b) {
    return a->id() == b->id();
  }

  HloBuffer(Id id, std::vector<const HloValue*> values)
      : id_(id), values_(std::move(values)) {}

  Id id() const { return id_; }
  const std::vector<const HloValue*>& values() const { return values_; }
  // Requires that there is exactly one (CHECK).
  const HloValue& GetUniqueValue() const {
    CHECK_EQ(values_.size(), 1u) << ToString();
    return *values_[0];
  }
  // Returns the color that all values have. Errors: FailedPrecondition if they
  // have several.
  absl::StatusOr<BufferValue::Color> color() const;

  // Returns all positions of the values, sorted, each once.
  std::vector<HloPosition> ComputePositions() const;
  std::string ToString() const;

  bool operator==(const HloBuffer& other) const { return id_ == other.id_; }
  bool operator!=(const HloBuffer& other) const { return id_ != other.id_; }

 private:
  Id id_;
  std::vector<const HloValue*> values_;
};

inline std::ostream& operator<<(std::ostream& out, const HloBuffer& buffer) {
  return out << buffer.ToString();
}

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_VALUES_HLO_BUFFER_H_
