// Construction and text of values.
#include "xla/hlo/analysis/values/buffer_value.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/core/shape_util.h"

namespace xla {

BufferValue::BufferValue(HloInstruction* instruction, const ShapeIndex& index,
                         Id id)
    : id_(id) {
  const Shape& shape = ShapeUtil::GetSubshape(instruction->shape(), index);
  is_array_ = shape.IsArray();
  is_tuple_ = shape.IsTuple();
}

const Shape& LogicalBuffer::shape() const {
  return ShapeUtil::GetSubshape(instruction_->shape(), index_);
}

std::string LogicalBuffer::ToString() const {
  return absl::StrCat(instruction_->name(), "[", absl::StrJoin(index_, ","),
                      "](#", id(), has_color() ? " @" : "",
                      has_color() ? absl::StrCat(color()) : "", ")");
}

}  // namespace xla
