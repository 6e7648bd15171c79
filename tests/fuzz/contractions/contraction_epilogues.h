// What networks compute of the results of products.
#ifndef TESTS_FUZZ_CONTRACTIONS_CONTRACTION_EPILOGUES_H_
#define TESTS_FUZZ_CONTRACTIONS_CONTRACTION_EPILOGUES_H_

#include "tests/fuzz/contractions/term_writer.h"

namespace xla::fuzz {

// One to four ops on each element, whose other operands are scalars, rows,
// columns or whole arrays.
Term DrawEpilogue(TermWriter& w, Term a);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_CONTRACTIONS_CONTRACTION_EPILOGUES_H_
