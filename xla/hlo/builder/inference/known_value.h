// Facts about the elements of arrays that are known before a program runs.
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
  // The bounds, if known. For a value that is not dynamic both are its value.
  ValueBounds bounds = {0, 0};
  bool unbounded = true;
  bool dynamic = true;

  static KnownElement Constant(absl::int128 value) {
    return {{value, value}, false, false};
  }
};

// The known facts about an array.
struct KnownArray {
  // Has any type, if all elements are constants. In default layout.
  std::shared_ptr<const Literal> constant;
  // Otherwise, for integers and truth values, the elements in row-major order.
  std::vector<KnownElement> elements;
};

using MaybeArray = std::optional<KnownArray>;

// An array or a tuple. A value that has neither is unknown.
struct KnownValue {
  MaybeArray array;
  std::vector<KnownValue> parts;
};

// Returns true if elements of this type are represented as KnownElement.
bool IsCounted(PrimitiveType type);

// Returns the elements of an array of `shape`, which has such a type; unknown
// ones if `array` is null.
std::vector<KnownElement> ElementsOf(const KnownArray* array,
                                     const Shape& shape);
// Returns the array of those elements, a constant if they all are. Errors:
// those of Literal::Make.
absl::StatusOr<KnownArray> ArrayOf(std::vector<KnownElement> elements,
                                   const Shape& shape);

// A number per element, as an array of `shape`.
enum class ElementPart { kLow, kHigh, kUnbounded, kDynamic };
// kLow and kHigh are 0 for unknown elements. The last two are truth values and
// work for any type. Errors: those of Literal::Make.
absl::StatusOr<Literal> PartOf(const KnownArray* array, const Shape& shape,
                               ElementPart part);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_INFERENCE_KNOWN_VALUE_H_
