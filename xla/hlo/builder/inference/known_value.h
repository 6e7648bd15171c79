// What is known of the elements of arrays before a program runs.
#ifndef XLA_HLO_BUILDER_INFERENCE_KNOWN_VALUE_H_
#define XLA_HLO_BUILDER_INFERENCE_KNOWN_VALUE_H_

#include <memory>
#include <optional>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/inference/value_bounds.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// One element: an integer, or 0 and 1 for a truth value.
struct KnownElement {
  // Where bounds are known. A value that is not dynamic is both of them.
  ValueBounds bounds = {0, 0};
  bool unbounded = true;
  bool dynamic = true;

  static KnownElement Constant(absl::int128 value) {
    return {{value, value}, false, false};
  }
};

// An array of which something is known.
struct KnownArray {
  // Of any type, where all elements are constants. In default layout.
  std::shared_ptr<const Literal> constant;
  // Of integers and truth values otherwise, row-major.
  std::vector<KnownElement> elements;
};

using MaybeArray = std::optional<KnownArray>;

// An array, or a tuple. Nothing is known of a value that has neither.
struct KnownValue {
  MaybeArray array;
  std::vector<KnownValue> parts;
};

// Whether elements of this type are counted as KnownElement.
bool IsCounted(PrimitiveType type);

// The elements of an array of `shape`, of a counted type; null: unknown ones.
std::vector<KnownElement> ElementsOf(const KnownArray* array,
                                     const Shape& shape);
// The array of those elements, a constant if they are. Errors: those of
// Literal::Make.
absl::StatusOr<KnownArray> ArrayOf(std::vector<KnownElement> elements,
                                   const Shape& shape);

// One number of each element, as an array of `shape`.
enum class ElementPart { kLow, kHigh, kUnbounded, kDynamic };
// kLow and kHigh are 0 where nothing is known. The last two give truth values,
// and take any type. Errors: those of Literal::Make.
absl::StatusOr<Literal> PartOf(const KnownArray* array, const Shape& shape,
                               ElementPart part);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_INFERENCE_KNOWN_VALUE_H_
