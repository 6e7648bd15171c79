// Random programs of one product each, or of attention, drawn for each way in
// which the compiler computes products.
#ifndef TESTS_FUZZ_CONTRACTIONS_CONTRACTION_AIMS_H_
#define TESTS_FUZZ_CONTRACTIONS_CONTRACTION_AIMS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tests/fuzz/contractions/term_writer.h"

namespace xla::fuzz {

// Makes the same program for the same seed. Adjacent seeds have adjacent aims.
// An error is a bug in the generator.
absl::StatusOr<ContractionProgram> MakeContraction(uint64_t seed);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_CONTRACTIONS_CONTRACTION_AIMS_H_
