// Epilogues: what is computed of each element of a product's result, as a bias
// and an activation are, on the tiles of the product.
#ifndef XLA_BACKENDS_CPU_FUSION_EPILOGUE_H_
#define XLA_BACKENDS_CPU_FUSION_EPILOGUE_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "xla/hlo/transforms/fuse/fusion_backend.h"

namespace xla::cpu {

// Returns the group that ends in `last` and that tiles can be computed of;
// nullopt if there is none. The product is a dot, or a convolution in canonical
// form, whose result has the rows and columns of that of `last`; `last` reads
// of it only the element at its own place, and may write over it.
std::optional<EpilogueGroup> FindEpilogue(const HloInstruction& last);

// Whether that is faster than the product and `last` one after the other.
bool IsEpilogueProfitable(const EpilogueGroup& group);

// Returns why `last`, which reads the result of `product` through bitcasts, is
// not computed on its tiles; empty if it is.
absl::string_view WhyNoEpilogue(const HloInstruction& product,
                                const HloInstruction& last);

// Whether `hlo` is a fusion of kind kCustom, as the pass epilogue-fusion makes
// them: of a product with such a last instruction, which FindEpilogue of its
// root finds, with a prologue (prologue.h), or with both.
bool IsProductFusion(const HloInstruction& hlo);

// Returns the columns that a workgroup of the code for `last` has, of rows of
// `columns` elements: rows are divided into workgroups of so many.
int64_t EpilogueColumns(int64_t columns);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_FUSION_EPILOGUE_H_
