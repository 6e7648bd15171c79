// Facts about the elements of arrays that are known before a program runs.
#ifndef XLA_HLO_BUILDER_INFERENCE_KNOWN_VALUE_H_
#define XLA_HLO_BUILDER_INFERENCE_KNOWN_VALUE_H_

#include <cstdint>
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

// One element: an integer, or 0 and 1 for a truth value. Those of other types
// have no bounds; KnownArray has the values of those that are not dynamic.
struct KnownElement {
  // The bounds, if known. For a value that is not dynamic both are its value.
  ValueBounds bounds = {0, 0};
  bool unbounded = true;
  bool dynamic = true;
  // What ValueSums knows of it; 0 if nothing.
  int32_t sum = 0;

  static KnownElement Constant(absl::int128 value) {
    return {{value, value}, false, false};
  }
};

// The known facts about an array.
struct KnownArray {
  // The elements, if all are constants. In default layout.
  std::shared_ptr<const Literal> constant;
  // Otherwise the elements in row-major order.
  std::vector<KnownElement> elements;
  // Then the values too, for types that are neither integers nor truth values.
  // Right where an element is not dynamic. In default layout.
  std::shared_ptr<const Literal> values;
};

using MaybeArray = std::optional<KnownArray>;

// An array or a tuple. A value that has neither is unknown.
struct KnownValue {
  MaybeArray array;
  std::vector<KnownValue> parts;
};

// Returns true for integers and truth values, whose elements have bounds.
bool IsCounted(PrimitiveType type);

// Returns the elements of an array of `shape`; unknown ones if `array` is null.
std::vector<KnownElement> ElementsOf(const KnownArray* array,
                                     const Shape& shape);
// Returns the array of those integers or truth values, a constant if they all
// are. Errors: those of Literal::Make.
absl::StatusOr<KnownArray> ArrayOf(std::vector<KnownElement> elements,
                                   const Shape& shape);
// The same for elements of any type. `values`, in default layout, are right
// where an element is not dynamic; bounds count for integers only.
absl::StatusOr<KnownArray> ArrayOf(std::vector<KnownElement> elements,
                                   Literal values);

// A number per element, as an array of `shape`.
enum class ElementPart { kLow, kHigh, kUnbounded, kDynamic };
// kLow and kHigh are 0 for unknown integers and anything for other unknown
// elements. The last two are truth values. Errors: those of Literal::Make.
absl::StatusOr<Literal> PartOf(const KnownArray* array, const Shape& shape,
                               ElementPart part);
// Returns that for each array of a value of any shape. The numbers of a token
// are a token, its truth values are true. Errors: those of Literal::Make;
// Unimplemented for opaque values and unbounded dimensions.
absl::StatusOr<Literal> PartOf(const KnownValue& value, const Shape& shape,
                               ElementPart part);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_INFERENCE_KNOWN_VALUE_H_
