// What the fuzzers of both readers share: the way of an input from bytes to an
// executable, limits of what it may take on it, and the command line.
#ifndef TESTS_STABLEHLO_FUZZ_PATH_H_
#define TESTS_STABLEHLO_FUZZ_PATH_H_

#include <functional>
#include <string>
#include <vector>

#include "tests/fuzz/mutator.h"

namespace xla::stablehlo {

// An input made of those seeds.
using MakeInput =
    std::function<std::string(Mutator&, const std::vector<std::string>&)>;

// Runs TOOL COUNT|SECONDSs|=ITERATION SEED FILE...: so many inputs, inputs for
// so long, or that one input alone after it has been shown. Each goes through
// the reader, the printer of trees, the conversion to HLO, the verifier, the
// printer of StableHLO and the compiler, as far as it is accepted. One that
// takes more than two seconds of processor time or a gigabyte, or crashes,
// ends the program after "FAILED at =ITERATION". Returns the exit code.
int FuzzMain(int argc, char** argv, const MakeInput& make_input);

}  // namespace xla::stablehlo

#endif  // TESTS_STABLEHLO_FUZZ_PATH_H_
