// Patterns of shapes and layouts.
#ifndef COMPAT_XLA_SERVICE_PATTERN_MATCHER_SHAPE_PATTERN_H_
#define COMPAT_XLA_SERVICE_PATTERN_MATCHER_SHAPE_PATTERN_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "xla/core/layout.h"
#include "xla/core/layout_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"
#include "xla/service/pattern_matcher/pattern.h"

namespace xla::match {

class LayoutPattern {
 public:
  LayoutPattern() = default;

  LayoutPattern EqualTo(const ::xla::Layout* layout) const {
    return And(absl::StrCat("equal to ", layout->ToString()),
               [layout](const ::xla::Layout& l) { return l == *layout; });
  }
  LayoutPattern WithMinorToMajor(absl::Span<const int64_t> order) const {
    const std::vector<int64_t> want(order.begin(), order.end());
    return And(absl::StrCat("with minor to major dimensions {",
                            absl::StrJoin(want, ","), "}"),
               [want](const ::xla::Layout& l) {
                 return l.minor_to_major() == absl::MakeConstSpan(want);
               });
  }
  LayoutPattern Capture(const ::xla::Layout** layout) const {
    LayoutPattern result;
    result.pattern_ = pattern_.And(
        "", [layout](const ::xla::Layout& l, const MatchOption& o) {
          if (o.capture) *layout = &l;
          return true;
        });
    return result;
  }

  bool Match(const ::xla::Layout* layout, const MatchOption& option) const {
    return layout != nullptr && pattern_.Match(*layout, option);
  }
  void DescribeTo(std::ostream* out) const { pattern_.DescribeTo(out); }

 private:
  template <typename Predicate>
  LayoutPattern And(std::string expected, Predicate predicate) const {
    LayoutPattern result;
    result.pattern_ =
        pattern_.And(std::move(expected),
                     [predicate](const ::xla::Layout& l, const MatchOption&) {
                       return predicate(l);
                     });
    return result;
  }

  detail::Pattern<::xla::Layout> pattern_;
};

inline LayoutPattern Layout() { return LayoutPattern(); }
inline LayoutPattern Layout(const ::xla::Layout** matched_layout) {
  return LayoutPattern().Capture(matched_layout);
}
inline LayoutPattern Layout(::xla::Layout** matched_layout) {
  return LayoutPattern().Capture(
      const_cast<const ::xla::Layout**>(matched_layout));
}

class ShapePattern {
 public:
  ShapePattern() = default;

  ShapePattern EqualTo(const ::xla::Shape* shape) const {
    return And(absl::StrCat("equal to ", shape->ToString(true)),
               [shape](const ::xla::Shape& s) { return s == *shape; });
  }
  ShapePattern CompatibleTo(const ::xla::Shape* shape) const {
    return And(absl::StrCat("compatible with ", shape->ToString()),
               [shape](const ::xla::Shape& s) {
                 return ShapeUtil::Compatible(s, *shape);
               });
  }
  ShapePattern WithElementType(PrimitiveType type) const {
    return And(
        absl::StrCat("with element type ",
                     primitive_util::LowercasePrimitiveTypeName(type)),
        [type](const ::xla::Shape& s) { return s.element_type() == type; });
  }
  ShapePattern IsArray() const {
    return And("that represents an array",
               [](const ::xla::Shape& s) { return s.IsArray(); });
  }
  ShapePattern IsDenseArray() const {
    return And("that represents a dense array", [](const ::xla::Shape& s) {
      return LayoutUtil::IsDenseArray(s);
    });
  }
  ShapePattern IsTuple() const {
    return And("that represents a tuple",
               [](const ::xla::Shape& s) { return s.IsTuple(); });
  }
  ShapePattern IsScalar() const {
    return And("that represents a scalar", ShapeUtil::IsScalar);
  }
  ShapePattern IsEffectiveScalar() const {
    return And("that is an effective scalar", ShapeUtil::IsEffectiveScalar);
  }
  ShapePattern WithRank(int64_t rank) const {
    return And(absl::StrCat("that has rank ", rank),
               [rank](const ::xla::Shape& s) {
                 return s.IsArray() && s.rank() == rank;
               });
  }
  ShapePattern WithDims(absl::Span<const int64_t> dims) const {
    const std::vector<int64_t> want(dims.begin(), dims.end());
    return And(absl::StrCat("with dimensions [", absl::StrJoin(want, ","), "]"),
               [want](const ::xla::Shape& s) {
                 return s.IsArray() &&
                        s.dimensions() == absl::MakeConstSpan(want);
               });
  }
  ShapePattern WithLayout(const LayoutPattern& layout) const {
    return AndWith("with a layout that matches",
                   [layout](const ::xla::Shape& s, const MatchOption& o) {
                     return layout.Match(s.has_layout() ? &s.layout() : nullptr,
                                         o);
                   });
  }
  ShapePattern WithLayout(absl::Span<const int64_t> minor_to_major) const {
    return WithLayout(LayoutPattern().WithMinorToMajor(minor_to_major));
  }
  ShapePattern WithLayoutEqualTo(const ::xla::Layout* layout) const {
    return WithLayout(LayoutPattern().EqualTo(layout));
  }
  ShapePattern WithSubshape(ShapeIndexView index,
                            const ShapePattern& part) const {
    const ShapeIndex at(index);
    return AndWith(
        absl::StrCat("with a subshape at ", at.ToString(), " that matches"),
        [at, part](const ::xla::Shape& s, const MatchOption& o) {
          return ShapeUtil::IndexIsValid(s, at) &&
                 part.Match(&ShapeUtil::GetSubshape(s, at), o);
        });
  }
  ShapePattern WithSubshapeEqualTo(ShapeIndexView index,
                                   const ::xla::Shape* shape) const {
    return WithSubshape(index, ShapePattern().EqualTo(shape));
  }
  ShapePattern WithSubshapeCompatibleTo(ShapeIndexView index,
                                        const ::xla::Shape* shape) const {
    return WithSubshape(index, ShapePattern().CompatibleTo(shape));
  }
  ShapePattern Capture(const ::xla::Shape** shape) const {
    return AndWith("", [shape](const ::xla::Shape& s, const MatchOption& o) {
      if (o.capture) *shape = &s;
      return true;
    });
  }
  template <typename Condition>
  ShapePattern AndWith(std::string expected, Condition condition) const {
    ShapePattern result;
    result.pattern_ = pattern_.And(std::move(expected), condition);
    return result;
  }

  bool Match(const ::xla::Shape* shape, const MatchOption& option) const {
    return shape != nullptr && pattern_.Match(*shape, option);
  }
  void DescribeTo(std::ostream* out) const { pattern_.DescribeTo(out); }

 private:
  template <typename Predicate>
  ShapePattern And(std::string expected, Predicate predicate) const {
    return AndWith(std::move(expected),
                   [predicate](const ::xla::Shape& s, const MatchOption&) {
                     return predicate(s);
                   });
  }

  detail::Pattern<::xla::Shape> pattern_;
};

inline ShapePattern Shape() { return ShapePattern(); }
inline ShapePattern Shape(const ::xla::Shape** matched_shape) {
  return ShapePattern().Capture(matched_shape);
}
inline ShapePattern Shape(::xla::Shape** matched_shape) {
  return ShapePattern().Capture(
      const_cast<const ::xla::Shape**>(matched_shape));
}

}  // namespace xla::match

#endif  // COMPAT_XLA_SERVICE_PATTERN_MATCHER_SHAPE_PATTERN_H_
