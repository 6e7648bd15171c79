// Whether the program was built with AddressSanitizer, for code that it
// affects.
#ifndef XLA_BASE_SANITIZERS_H_
#define XLA_BASE_SANITIZERS_H_

namespace xla {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kAddressSanitizer = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif
#else
inline constexpr bool kAddressSanitizer = false;
#endif

}  // namespace xla

#endif  // XLA_BASE_SANITIZERS_H_
