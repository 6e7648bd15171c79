// BufferValue: what one instruction makes in one part of its result, for
// analyses that follow it through the module.
#ifndef XLA_HLO_ANALYSIS_VALUES_BUFFER_VALUE_H_
#define XLA_HLO_ANALYSIS_VALUES_BUFFER_VALUE_H_

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

#include "xla/base/logging.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// A tuple is a value of its own, beside those of its elements. Compared by
// address, so it is moved but not copied.
class BufferValue {
 public:
  using Color = int64_t;
  using Id = int64_t;
  // Bytes of a value on the target.
  using SizeFunction = std::function<int64_t(const BufferValue&)>;
  static constexpr Color kInvalidColor = -1;

  BufferValue(const BufferValue&) = delete;
  BufferValue& operator=(const BufferValue&) = delete;
  BufferValue(BufferValue&&) = default;
  BufferValue& operator=(BufferValue&&) = default;
  virtual ~BufferValue() = default;

  // Unique in its analysis.
  Id id() const { return id_; }
  bool operator<(const BufferValue& other) const { return id_ < other.id_; }

  // The instruction that makes it, the part of the result, and its shape, which
  // the instruction owns.
  virtual HloInstruction* instruction() const = 0;
  virtual const ShapeIndex& index() const = 0;
  virtual const Shape& shape() const = 0;
  bool IsTopLevel() const { return index().empty(); }
  bool IsTuple() const { return is_tuple_; }
  bool IsArray() const { return is_array_; }

  // A number for the kind of memory that the value needs. Reading it before it
  // is set, or setting it to kInvalidColor, is a programmer error (CHECK).
  Color color() const {
    CHECK_NE(color_, kInvalidColor) << "the color was never set";
    return color_;
  }
  void set_color(Color color) {
    CHECK_NE(color, kInvalidColor) << "not a color";
    color_ = color;
  }
  bool has_color() const { return color_ != kInvalidColor; }

  virtual std::string ToString() const = 0;

 protected:
  BufferValue(HloInstruction* instruction, const ShapeIndex& index, Id id);

 private:
  Id id_;
  bool is_array_;
  bool is_tuple_;
  Color color_ = kInvalidColor;
};

inline std::ostream& operator<<(std::ostream& out, const BufferValue& buffer) {
  return out << buffer.ToString();
}

// The values of TuplePointsToAnalysis.
class LogicalBuffer : public BufferValue {
 public:
  LogicalBuffer(HloInstruction* instruction, const ShapeIndex& index, Id id)
      : BufferValue(instruction, index, id),
        instruction_(instruction),
        index_(index) {}

  HloInstruction* instruction() const override { return instruction_; }
  const ShapeIndex& index() const override { return index_; }
  const Shape& shape() const override;
  // "tuple[1,0](#7)" for number 7, with " @2" behind the number for color 2.
  std::string ToString() const override;

 private:
  HloInstruction* instruction_;
  ShapeIndex index_;
};

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_VALUES_BUFFER_VALUE_H_
