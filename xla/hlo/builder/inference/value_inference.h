// ValueInference: what is known of a value while its program is built. Integers
// and truth values are known element by element, up to bounds; so are elements
// of other types, if they are constants.
#ifndef XLA_HLO_BUILDER_INFERENCE_VALUE_INFERENCE_H_
#define XLA_HLO_BUILDER_INFERENCE_VALUE_INFERENCE_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/inference/known_value.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {

// An array that may lack some elements, or a tuple of them.
class OptionalLiteral {
 public:
  // An element is missing where `mask`, of the same dimensions, is true.
  explicit OptionalLiteral(Literal value, Literal mask)
      : value_(std::move(value)), mask_(std::move(mask)) {}

  template <typename NativeT>
  std::optional<NativeT> Get(absl::Span<const int64_t> element_index,
                             ShapeIndex shape_index = {}) const {
    if (mask_.Get<bool>(element_index, shape_index)) return std::nullopt;
    return value_.Get<NativeT>(element_index, shape_index);
  }
  // Returns true if no element is missing.
  bool AllValid() const {
    bool valid = true;
    ShapeUtil::ForEachLeafShape(
        mask_.shape(), [&](const Shape&, const ShapeIndex& index) {
          valid = valid && LiteralSlice(mask_, index).IsAll(0);
        });
    return valid;
  }
  // Returns the value if no element is missing; valid as long as this.
  std::optional<LiteralSlice> GetValue() const {
    if (!AllValid()) return std::nullopt;
    return LiteralSlice(value_);
  }

 private:
  Literal value_;
  Literal mask_;
};

enum ValueInferenceMode {
  kValue = 0,   // the value itself
  kUpperBound,  // the greatest possible value
  kLowerBound,  // the least possible value
};

// A tuple gives a tuple of answers. A token is dynamic: pred[] {true}. Errors
// of all methods: those of XlaBuilder::LookUp; Unimplemented for opaque values
// and unbounded dimensions; InvalidArgument if the answer is too large.
class ValueInference {
 public:
  // `builder` must outlive this.
  explicit ValueInference(XlaBuilder* builder) : builder_(builder) {}

  // Returns pred[bounds of op]: which elements may differ from run to run.
  absl::StatusOr<Literal> AnalyzeIsDynamic(XlaOp op);
  // Returns T[bounds of op]: the elements, or bounds of them, where known.
  absl::StatusOr<OptionalLiteral> AnalyzeConstant(XlaOp op,
                                                  ValueInferenceMode mode);
  XlaBuilder* builder() { return builder_; }

 private:
  XlaBuilder* builder_;
};

}  // namespace xla

#endif  // XLA_HLO_BUILDER_INFERENCE_VALUE_INFERENCE_H_
