// Shared by the fuzzers of both readers: the path of an input from bytes to an
// executable, limits on its resources, and the command line.
#ifndef TESTS_STABLEHLO_FUZZ_PATH_H_
#define TESTS_STABLEHLO_FUZZ_PATH_H_

#include <functional>
#include <string>
#include <vector>

#include "tests/fuzz/mutator.h"

namespace xla::stablehlo {

// Makes an input from the seeds.
using MakeInput =
    std::function<std::string(Mutator&, const std::vector<std::string>&)>;

// Runs TOOL COUNT|SECONDSs|=ITERATION SEED FILE...: COUNT inputs, inputs for
// that many seconds, or only that one input after printing it. Each goes
// through the reader, the printer of trees, the conversion to HLO, the
// verifier, the printer of StableHLO and the compiler, as far as it is
// accepted. One that takes more than two seconds of processor time or a
// gigabyte, or crashes, ends the program after "FAILED at =ITERATION". Returns
// the exit code.
int FuzzMain(int argc, char** argv, const MakeInput& make_input);

}  // namespace xla::stablehlo

#endif  // TESTS_STABLEHLO_FUZZ_PATH_H_
