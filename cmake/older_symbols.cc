// Lets the plugin load where glibc is 2.34 and libstdc++ GCC 11's, though it is
// linked with newer ones (docs/packages.md). The linker's --wrap sends calls of
// the functions below here (TesseraPlugin.cmake); the versions that they call
// do the same, as far as the plugin can tell.
#include <sys/random.h>

#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>

#if defined(__x86_64__)
#define TESSERA_OLDEST_GLIBC "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define TESSERA_OLDEST_GLIBC "GLIBC_2.17"
#endif

extern "C" {

// glibc 2.35's hypot differs in who sets errno, which nothing here reads.
double tessera_older_hypot(double x, double y);
__asm__(".symver tessera_older_hypot, hypot@" TESSERA_OLDEST_GLIBC);
double __wrap_hypot(double x, double y) { return tessera_older_hypot(x, y); }

// New in glibc 2.36. LLVM draws suffixes of temporary files from it.
uint32_t __wrap_arc4random() {
  uint32_t number = 0;
  ssize_t size;
  do {
    size = getrandom(&number, sizeof(number), 0);
  } while (size < 0 && errno == EINTR);
  // As arc4random does where the kernel gives no random bytes.
  if (size != sizeof(number)) std::abort();
  return number;
}

// std::condition_variable::wait. That of GCC 12 lets a thread's cancellation
// through, which nothing here does.
void tessera_older_wait(std::condition_variable* self,
                        std::unique_lock<std::mutex>* lock);
__asm__(
    ".symver tessera_older_wait, "
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE@GLIBCXX_3.4.11");
void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(
    std::condition_variable* self, std::unique_lock<std::mutex>* lock) {
  tessera_older_wait(self, lock);
}

}  // extern "C"
