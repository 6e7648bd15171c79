// Includes the file named by XLA_VECTOR_BODY once per VectorLevel, in
// namespaces baseline, avx2 and avx512 of the current one, compiled for that
// level. No include guard: each source that has a body includes this once, in
// namespace xla::cpu, after all its other headers. A body
//   - may use kVectorBytes, the width of a vector register, and
//     XLA_VECTOR_LEVEL, 0 to 2;
//   - defines a constant table of function pointers of one name;
//   - includes nothing, and calls nothing from outside but what is inlined.
// On processors other than x86-64 the three levels are the same.
//
// With XLA_VECTOR_EXTENSIONS, which this undefines too, the body is compiled
// again in avx512_vnni and avx512_bf16, where XLA_VECTOR_LEVEL is 3 and 4 and
// only these extensions are added, and in avx_vnni, which adds to avx2 and has
// level 5; or for aarch64 in neon_dotprod, neon_bf16 and neon_i8mm with levels
// 3, 4 and 6; for other processors not at all.
#ifndef XLA_VECTOR_BODY
#error "XLA_VECTOR_BODY names the file to compile for each level"
#endif

#define XLA_VECTOR_LEVEL 0
namespace baseline {
inline constexpr int kVectorBytes = 16;
#include XLA_VECTOR_BODY
}  // namespace baseline
#undef XLA_VECTOR_LEVEL

#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push( \
    __attribute__((target("avx2,fma,f16c,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,f16c,bmi,bmi2")
#endif
#define XLA_VECTOR_LEVEL 1
namespace avx2 {
inline constexpr int kVectorBytes = 32;
#include XLA_VECTOR_BODY
}  // namespace avx2
#undef XLA_VECTOR_LEVEL
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(                                                  \
    __attribute__((                                                            \
        target("avx2,fma,f16c,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl"))), \
    apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target( \
    "avx2,fma,f16c,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#endif
#define XLA_VECTOR_LEVEL 2
namespace avx512 {
inline constexpr int kVectorBytes = 64;
#include XLA_VECTOR_BODY
}  // namespace avx512
#undef XLA_VECTOR_LEVEL
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#ifdef XLA_VECTOR_EXTENSIONS
#if defined(__clang__)
#pragma clang attribute push(                                                      \
    __attribute__((target(                                                         \
        "avx2,fma,f16c,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target( \
    "avx2,fma,f16c,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,prefer-vector-width=512")
#endif
#define XLA_VECTOR_LEVEL 3
namespace avx512_vnni {
inline constexpr int kVectorBytes = 64;
#include XLA_VECTOR_BODY
}  // namespace avx512_vnni
#undef XLA_VECTOR_LEVEL
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(                                                      \
    __attribute__((target(                                                         \
        "avx2,fma,f16c,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512bf16"))), \
    apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target( \
    "avx2,fma,f16c,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,prefer-vector-width=512")
#endif
#define XLA_VECTOR_LEVEL 4
namespace avx512_bf16 {
inline constexpr int kVectorBytes = 64;
#include XLA_VECTOR_BODY
}  // namespace avx512_bf16
#undef XLA_VECTOR_LEVEL
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(                                  \
    __attribute__((target("avx2,fma,f16c,bmi,bmi2,avxvnni"))), \
    apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx2,fma,f16c,bmi,bmi2,avxvnni")
#endif
#define XLA_VECTOR_LEVEL 5
namespace avx_vnni {
inline constexpr int kVectorBytes = 32;
#include XLA_VECTOR_BODY
}  // namespace avx_vnni
#undef XLA_VECTOR_LEVEL
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif  // XLA_VECTOR_EXTENSIONS

#else

namespace avx2 = baseline;
namespace avx512 = baseline;

#if defined(XLA_VECTOR_EXTENSIONS) && defined(__aarch64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("dotprod"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("arch=armv8.2-a+dotprod")
#endif
#define XLA_VECTOR_LEVEL 3
namespace neon_dotprod {
inline constexpr int kVectorBytes = 16;
#include XLA_VECTOR_BODY
}  // namespace neon_dotprod
#undef XLA_VECTOR_LEVEL
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("bf16"))), \
                             apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("arch=armv8.2-a+bf16")
#endif
#define XLA_VECTOR_LEVEL 4
namespace neon_bf16 {
inline constexpr int kVectorBytes = 16;
#include XLA_VECTOR_BODY
}  // namespace neon_bf16
#undef XLA_VECTOR_LEVEL
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("i8mm"))), \
                             apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("arch=armv8.2-a+i8mm")
#endif
#define XLA_VECTOR_LEVEL 6
namespace neon_i8mm {
inline constexpr int kVectorBytes = 16;
#include XLA_VECTOR_BODY
}  // namespace neon_i8mm
#undef XLA_VECTOR_LEVEL
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

#endif  // __x86_64__

#undef XLA_VECTOR_EXTENSIONS
#undef XLA_VECTOR_BODY
