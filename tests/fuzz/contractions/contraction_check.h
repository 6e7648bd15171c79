// Runs a contraction on the CPU backend, on one and on several threads, and
// compares it with its reference on the evaluator.
#ifndef TESTS_FUZZ_CONTRACTIONS_CONTRACTION_CHECK_H_
#define TESTS_FUZZ_CONTRACTIONS_CONTRACTION_CHECK_H_

#include <string>
#include <vector>

#include "tests/fuzz/contractions/term_writer.h"

namespace xla::fuzz {

struct ContractionOutcome {
  // Empty, or "differs: ...", "refused: ...", "threads: ..."; "generator: ..."
  // if the reference does not run.
  std::string failure;
  // How the products of the program were computed: "dot (packed, constant)",
  // "attention", "native dot" if code of a kernel does it.
  std::vector<std::string> ways;
  // The largest error in units of what the reference allows.
  double worst = 0;
  // More than half of the elements could overflow, and were not compared.
  bool is_vague = false;
};

// `threads`, at least 2, is the number of the second run.
ContractionOutcome CheckContraction(const ContractionProgram& program,
                                    int threads);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_CONTRACTIONS_CONTRACTION_CHECK_H_
