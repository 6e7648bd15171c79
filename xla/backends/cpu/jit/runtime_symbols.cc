// Lists the functions.
#include "xla/backends/cpu/jit/runtime_symbols.h"

#include <cmath>
#include <cstring>

#include "xla/base/control/cancellation.h"
#include "xla/base/processor/small_float_calls.h"

// Functions of GCC's runtime, of which each library holds a copy.
extern "C" {
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);
__int128 __multi3(__int128, __int128);
}

namespace xla::cpu {
namespace {

template <typename F>
const void* Address(F* function) {
  return reinterpret_cast<const void*>(function);
}

}  // namespace

const SymbolTable& RuntimeSymbols() {
  using Unary32 = float(float);
  using Unary64 = double(double);
  using Binary32 = float(float, float);
  using Binary64 = double(double, double);
  static const SymbolTable* const table = new SymbolTable{
      {"memcpy", Address(&std::memcpy)},
      {"memmove", Address(&std::memmove)},
      {"memset", Address(&std::memset)},
      {"memcmp", Address(&std::memcmp)},
      {"fmodf", Address<Binary32>(&::fmodf)},
      {"fmod", Address<Binary64>(&::fmod)},
      {"fmaf", Address(static_cast<float (*)(float, float, float)>(&::fmaf))},
      {"fma", Address(static_cast<double (*)(double, double, double)>(&::fma))},
      // Rounding, for processors that have no instruction (before SSE4.1).
      {"floorf", Address<Unary32>(&::floorf)},
      {"floor", Address<Unary64>(&::floor)},
      {"ceilf", Address<Unary32>(&::ceilf)},
      {"ceil", Address<Unary64>(&::ceil)},
      {"truncf", Address<Unary32>(&::truncf)},
      {"trunc", Address<Unary64>(&::trunc)},
      {"rintf", Address<Unary32>(&::rintf)},
      {"rint", Address<Unary64>(&::rint)},
      {"nearbyintf", Address<Unary32>(&::nearbyintf)},
      {"nearbyint", Address<Unary64>(&::nearbyint)},
      {"roundf", Address<Unary32>(&::roundf)},
      {"round", Address<Unary64>(&::round)},
      {"roundevenf", Address<Unary32>(&::rintf)},
      {"roundeven", Address<Unary64>(&::rint)},
      {"__divti3", Address(&__divti3)},
      {"__modti3", Address(&__modti3)},
      {"__udivti3", Address(&__udivti3)},
      {"__umodti3", Address(&__umodti3)},
      {"__multi3", Address(&__multi3)},
      {"__truncsfhf2", Address(&small_float_calls::FloatToHalf)},
      {"__truncdfhf2", Address(&small_float_calls::DoubleToHalf)},
      {"__extendhfsf2", Address(&small_float_calls::HalfToFloat)},
      {"__truncsfbf2", Address(&small_float_calls::FloatToBfloat16)},
      {"__truncdfbf2", Address(&small_float_calls::DoubleToBfloat16)},
      {"__extendbfsf2", Address(&small_float_calls::Bfloat16ToFloat)},
      {"TesseraCancellationToken", Address(&TesseraCancellationToken)},
  };
  return *table;
}

}  // namespace xla::cpu
