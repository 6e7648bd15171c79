// Whether the program was built with a sanitizer, for tests of what one
// changes.
#ifndef TESTS_SANITIZERS_H_
#define TESTS_SANITIZERS_H_

namespace xla::test {

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

}  // namespace xla::test

#endif  // TESTS_SANITIZERS_H_
