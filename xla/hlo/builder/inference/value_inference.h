// ValueInference: what follows about a value while its program is built. Of
// integers and truth values element by element; of other types where all that
// goes into the value is constant.
#ifndef XLA_HLO_BUILDER_INFERENCE_VALUE_INFERENCE_H_
#define XLA_HLO_BUILDER_INFERENCE_VALUE_INFERENCE_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_index.h"
#include "xla/hlo/builder/inference/known_value.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {

// An array of which some elements may be missing.
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
  // Whether no element is missing.
  bool AllValid() const { return mask_.IsAll(0); }
  // The array, if no element is missing; good as long as this.
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
  kUpperBound,  // the greatest value that there may be
  kLowerBound,  // the least one
};

// Errors of all: those of XlaBuilder::LookUp; Unimplemented for tuples, tokens
// and the like, and for unbounded dimensions.
class ValueInference {
 public:
  // `builder` must outlive this.
  explicit ValueInference(XlaBuilder* builder) : builder_(builder) {}

  // pred[bounds of op]: which elements may differ from run to run.
  absl::StatusOr<Literal> AnalyzeIsDynamic(XlaOp op);
  // T[bounds of op]: the elements, or bounds of them, as far as they follow.
  absl::StatusOr<OptionalLiteral> AnalyzeConstant(XlaOp op,
                                                  ValueInferenceMode mode);
  XlaBuilder* builder() { return builder_; }

 private:
  XlaBuilder* builder_;
};

}  // namespace xla

#endif  // XLA_HLO_BUILDER_INFERENCE_VALUE_INFERENCE_H_
