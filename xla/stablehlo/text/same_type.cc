// Compares types of text, each of which is read on its own.
#include <algorithm>

#include "xla/stablehlo/text/op_reader.h"

namespace xla::stablehlo {

bool SameType(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.element_type != b.element_type ||
      a.dimensions != b.dimensions || a.bounds != b.bounds ||
      a.text != b.text ||
      (a.quantized == nullptr) != (b.quantized == nullptr) ||
      a.elements.size() != b.elements.size() ||
      a.results.size() != b.results.size()) {
    return false;
  }
  const auto same = [](const Type* x, const Type* y) {
    return SameType(*x, *y);
  };
  if (a.quantized != nullptr) {
    const QuantizedType& x = *a.quantized;
    const QuantizedType& y = *b.quantized;
    if (x.storage_type != y.storage_type ||
        x.expressed_type != y.expressed_type || x.axis != y.axis ||
        x.storage_min != y.storage_min || x.storage_max != y.storage_max ||
        x.axes != y.axes || x.block_sizes != y.block_sizes ||
        x.scales != y.scales || x.zero_points != y.zero_points) {
      return false;
    }
  }
  return std::equal(a.elements.begin(), a.elements.end(), b.elements.begin(),
                    same) &&
         std::equal(a.results.begin(), a.results.end(), b.results.begin(),
                    same);
}

}  // namespace xla::stablehlo
