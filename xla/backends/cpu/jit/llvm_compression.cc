// Takes the place of LLVM's Compression.cpp, which needs zstd and zlib: LLVM
// compresses debug sections and reads compressed profiles, and the compiler has
// neither. As in an LLVM that was built without them, callers ask isAvailable()
// first. The linker takes the first definition and so leaves out LLVM's.
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"

// No program exports a symbol of LLVM (cmake/TesseraDependencies.cmake).
#define XLA_HIDDEN [[gnu::visibility("hidden")]]

namespace llvm::compression {
namespace {

constexpr char kReason[] = "this LLVM has no compression";

Error Unsupported() {
  return createStringError(inconvertibleErrorCode(), kReason);
}

}  // namespace

namespace zlib {
XLA_HIDDEN bool isAvailable() { return false; }
XLA_HIDDEN void compress(ArrayRef<uint8_t>, SmallVectorImpl<uint8_t>&, int) {
  llvm_unreachable(kReason);
}
XLA_HIDDEN Error decompress(ArrayRef<uint8_t>, uint8_t*, size_t&) {
  return Unsupported();
}
XLA_HIDDEN Error decompress(ArrayRef<uint8_t>, SmallVectorImpl<uint8_t>&,
                            size_t) {
  return Unsupported();
}
}  // namespace zlib

namespace zstd {
XLA_HIDDEN bool isAvailable() { return false; }
XLA_HIDDEN void compress(ArrayRef<uint8_t>, SmallVectorImpl<uint8_t>&, int,
                         bool) {
  llvm_unreachable(kReason);
}
XLA_HIDDEN Error decompress(ArrayRef<uint8_t>, uint8_t*, size_t&) {
  return Unsupported();
}
XLA_HIDDEN Error decompress(ArrayRef<uint8_t>, SmallVectorImpl<uint8_t>&,
                            size_t) {
  return Unsupported();
}
}  // namespace zstd

XLA_HIDDEN const char* getReasonIfUnsupported(Format) { return kReason; }
XLA_HIDDEN void compress(Params, ArrayRef<uint8_t>, SmallVectorImpl<uint8_t>&) {
  llvm_unreachable(kReason);
}
XLA_HIDDEN Error decompress(DebugCompressionType, ArrayRef<uint8_t>, uint8_t*,
                            size_t) {
  return Unsupported();
}
XLA_HIDDEN Error decompress(Format, ArrayRef<uint8_t>,
                            SmallVectorImpl<uint8_t>&, size_t) {
  return Unsupported();
}
XLA_HIDDEN Error decompress(DebugCompressionType, ArrayRef<uint8_t>,
                            SmallVectorImpl<uint8_t>&, size_t) {
  return Unsupported();
}

}  // namespace llvm::compression

#undef XLA_HIDDEN
