// The functions that LLVM calls from generated code, but those for memory,
// under the names by which programs refer to them: tessera_aot_call_NAME for
// NAME of RuntimeSymbols() (jit/runtime_symbols.h).
#include <cmath>

#include "xla/backends/cpu/aot/runtime/tessera_aot.h"
#include "xla/base/control/cancellation.h"
#include "xla/base/processor/small_float_calls.h"

// Functions of GCC's runtime.
extern "C" {
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);
__int128 __multi3(__int128, __int128);
}

#define CALL1(name, type, from, function)                          \
  extern "C" TESSERA_AOT_API type tessera_aot_call_##name(from x); \
  type tessera_aot_call_##name(from x) { return function(x); }
#define CALL2(name, type, function)                                        \
  extern "C" TESSERA_AOT_API type tessera_aot_call_##name(type x, type y); \
  type tessera_aot_call_##name(type x, type y) { return function(x, y); }
#define CALL3(name, type, function)                                       \
  extern "C" TESSERA_AOT_API type tessera_aot_call_##name(type x, type y, \
                                                          type z);        \
  type tessera_aot_call_##name(type x, type y, type z) {                  \
    return function(x, y, z);                                             \
  }

// Nobody cancels these runs.
extern "C" TESSERA_AOT_API const void*
tessera_aot_call_TesseraCancellationToken(void);
const void* tessera_aot_call_TesseraCancellationToken(void) {
  return xla::TesseraCancellationToken();
}

CALL2(fmodf, float, ::fmodf)
CALL2(fmod, double, ::fmod)
CALL3(fmaf, float, ::fmaf)
CALL3(fma, double, ::fma)
CALL1(floorf, float, float, ::floorf)
CALL1(floor, double, double, ::floor)
CALL1(ceilf, float, float, ::ceilf)
CALL1(ceil, double, double, ::ceil)
CALL1(truncf, float, float, ::truncf)
CALL1(trunc, double, double, ::trunc)
CALL1(rintf, float, float, ::rintf)
CALL1(rint, double, double, ::rint)
CALL1(nearbyintf, float, float, ::nearbyintf)
CALL1(nearbyint, double, double, ::nearbyint)
CALL1(roundf, float, float, ::roundf)
CALL1(round, double, double, ::round)
CALL1(roundevenf, float, float, ::rintf)
CALL1(roundeven, double, double, ::rint)
CALL2(__divti3, __int128, ::__divti3)
CALL2(__modti3, __int128, ::__modti3)
CALL2(__udivti3, unsigned __int128, ::__udivti3)
CALL2(__umodti3, unsigned __int128, ::__umodti3)
CALL2(__multi3, __int128, ::__multi3)
CALL1(__truncsfhf2, float, float, xla::small_float_calls::FloatToHalf)
CALL1(__truncdfhf2, float, double, xla::small_float_calls::DoubleToHalf)
CALL1(__extendhfsf2, float, float, xla::small_float_calls::HalfToFloat)
CALL1(__truncsfbf2, float, float, xla::small_float_calls::FloatToBfloat16)
CALL1(__truncdfbf2, float, double, xla::small_float_calls::DoubleToBfloat16)
CALL1(__extendbfsf2, float, float, xla::small_float_calls::Bfloat16ToFloat)
