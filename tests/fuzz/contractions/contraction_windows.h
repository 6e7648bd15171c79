// Convolutions with windows of all kinds.
#ifndef TESTS_FUZZ_CONTRACTIONS_CONTRACTION_WINDOWS_H_
#define TESTS_FUZZ_CONTRACTIONS_CONTRACTION_WINDOWS_H_

#include "tests/fuzz/contractions/contraction_operands.h"

namespace xla::fuzz {

enum class WindowKind {
  kImages,        // as in networks for images
  kPoints,        // of one element
  kDepthwise,     // one input feature in each group
  kLargeKernels,  // as gradients of kernels have
  kFewFeatures,   // of the output, and steps of one
  kAny,
};

// Of at least `least_results` elements and at most `most_products`
// multiplications, of which it must be possible to draw some.
Term DrawConvolution(TermWriter& w, WindowKind kind, const ProductTypes& types,
                     const OperandStyle& style, double least_results,
                     double most_products);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_CONTRACTIONS_CONTRACTION_WINDOWS_H_
