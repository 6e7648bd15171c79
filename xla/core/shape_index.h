// ShapeIndex: the path from a tuple shape to one of its parts. shape_util.h
// resolves paths.
#ifndef XLA_CORE_SHAPE_INDEX_H_
#define XLA_CORE_SHAPE_INDEX_H_

#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

using ShapeIndexView = absl::Span<const int64_t>;

// Tuple positions from the outside in: {} is the shape itself, {1,0} the first
// part of its second part.
struct ShapeIndex : public absl::InlinedVector<int64_t, 2> {
  using InlinedVector::InlinedVector;
  ShapeIndex() = default;
  ShapeIndex(std::initializer_list<int64_t> init) : InlinedVector(init) {}
  template <typename InputIterator>
  ShapeIndex(InputIterator first, InputIterator last)
      : InlinedVector(first, last) {}
  explicit ShapeIndex(ShapeIndexView v) : ShapeIndex(v.begin(), v.end()) {}

  // Takes time linear in the depth.
  void push_front(int64_t value) { insert(begin(), value); }
  void pop_front() { erase(begin()); }

  ShapeIndexProto ToProto() const {
    ShapeIndexProto proto;
    for (int64_t i : *this) proto.add_indexes(i);
    return proto;
  }
  static ShapeIndex FromProto(const ShapeIndexProto& proto) {
    return ShapeIndex(proto.indexes().begin(), proto.indexes().end());
  }

  // "{1,0}".
  std::string ToString() const {
    return absl::StrCat("{", absl::StrJoin(*this, ","), "}");
  }
};

inline std::ostream& operator<<(std::ostream& out, const ShapeIndex& index) {
  return out << index.ToString();
}

}  // namespace xla

#endif  // XLA_CORE_SHAPE_INDEX_H_
