// The loops that machine_limits.h times, with the vectors of this processor.
#ifndef XLA_TOOLS_BENCHMARK_MACHINE_LOOPS_H_
#define XLA_TOOLS_BENCHMARK_MACHINE_LOOPS_H_

#include <cstdint>

namespace xla::tools {

// a[i] = b[i] + 3 * c[i] for i < count; arrays are aligned to 64 bytes, and
// count is a multiple of 8. TriadStreaming bypasses the caches if the processor
// can.
void Triad(double* a, const double* b, const double* c, int64_t count);
void TriadStreaming(double* a, const double* b, const double* c, int64_t count);

struct FmaLoop {
  // Each turn is one multiply-add in each of several independent chains, enough
  // to keep all units busy.
  double (*run)(int64_t turns);
  double flops_per_turn;
};
FmaLoop F32FmaLoop();
FmaLoop F64FmaLoop();

}  // namespace xla::tools

#endif  // XLA_TOOLS_BENCHMARK_MACHINE_LOOPS_H_
