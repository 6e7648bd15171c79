// What is known of the platform when a program is compiled.
#ifndef COMPAT_TSL_PLATFORM_PLATFORM_H_
#define COMPAT_TSL_PLATFORM_PLATFORM_H_

#ifndef PLATFORM_POSIX
#define PLATFORM_POSIX
#endif
#if !defined(PLATFORM_IS_X86) && (defined(__x86_64__) || defined(__i386__))
#define PLATFORM_IS_X86
#endif
#if !defined(PLATFORM_IS_ARM64) && defined(__aarch64__)
#define PLATFORM_IS_ARM64
#endif

namespace tsl {
inline constexpr bool kIsOpenSource = true;
}  // namespace tsl

#endif  // COMPAT_TSL_PLATFORM_PLATFORM_H_
