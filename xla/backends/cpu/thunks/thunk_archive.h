// ThunkWriter and ThunkReader: thunks as bytes, from which a program that was
// compiled ahead of time makes them again, without the compiler.
//
// A struct that thunks hold says once, for both, what it consists of:
//
//   template <typename Archive>
//   void Fields(Archive& archive, DotScales& scales) {
//     archive(scales.type, scales.group, scales.rounds_to_bf16);
//   }
#ifndef XLA_BACKENDS_CPU_THUNKS_THUNK_ARCHIVE_H_
#define XLA_BACKENDS_CPU_THUNKS_THUNK_ARCHIVE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/thunks/kernel_abi.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/runtime/memory_chunk.h"

namespace xla::cpu {

// The class of a thunk in an archive. The numbers are part of the format.
enum class ThunkRecord : int {
  kKernel = 0,
  kCopy = 1,
  kConcatenate = 2,
  kConcurrent = 3,
  kJump = 4,
  kJumpIfFalse = 5,
  kSwitch = 6,
  kDeviceNumber = 7,
  kDot = 8,
  kPack = 9,
  kDotInPlace = 10,
  kConvolution = 11,
  kAttention = 12,
  kSort = 13,
  kTopK = 14,
  kFft = 15,
};

// Whole numbers are written in as few bytes as they need, whatever their type.
class ThunkWriter {
 public:
  // Returns the number that a function has in the archive's program; -1 if it
  // has none.
  using KernelNumber = std::function<int64_t(KernelFunction)>;

  explicit ThunkWriter(KernelNumber kernel_number)
      : kernel_number_(std::move(kernel_number)) {}

  // Writes a list of thunks. Errors: Unimplemented, naming a thunk that cannot
  // be part of an archive; Internal if one calls a function without a number.
  absl::Status WriteSequence(const ThunkSequence& thunks);

  // What each thunk begins with.
  void Begin(ThunkRecord record, const Thunk& thunk);

  template <typename... Values>
  void operator()(const Values&... values) {
    (Write(values), ...);
  }
  // Writes the number of a thunk that has been written before.
  void WriteReference(const Thunk* thunk);

  std::string TakeBytes() && { return std::move(bytes_); }

 private:
  template <typename T>
  void Write(const T& value) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
      WriteNumber(static_cast<int64_t>(value));
    } else {
      // Lists of fields are written once, for both directions.
      Fields(*this, const_cast<T&>(value));
    }
  }
  void Write(KernelFunction function);
  void Write(const std::string& text);
  void Write(const Slice& slice) {
    (*this)(slice.allocation, slice.offset, slice.size);
  }
  void Write(const BufferUses& uses);
  template <typename T>
  void Write(const std::optional<T>& value) {
    WriteNumber(value.has_value());
    if (value.has_value()) Write(*value);
  }
  template <typename T>
  void Write(const std::vector<T>& values) {
    WriteAll(absl::MakeConstSpan(values));
  }
  template <typename T, size_t n>
  void Write(const absl::InlinedVector<T, n>& values) {
    WriteAll(absl::MakeConstSpan(values));
  }
  template <typename T>
  void WriteAll(absl::Span<const T> values) {
    WriteNumber(static_cast<int64_t>(values.size()));
    for (const T& value : values) Write(value);
  }
  void WriteNumber(int64_t number);

  const KernelNumber kernel_number_;
  std::unordered_map<const Thunk*, int64_t> thunks_;
  std::string bytes_;
  absl::Status status_;
};

// ReadThunks (library/read_thunks.h) reads a sequence. Bytes that no
// ThunkWriter wrote give an error, or thunks that do something else: they are
// trusted as the code is with which they come.
class ThunkReader {
 public:
  // What the program provides to its thunks.
  class Program {
   public:
    virtual ~Program() = default;
    // Returns the function of that number; null if there is none.
    virtual KernelFunction Kernel(int64_t number) = 0;
    // Returns `bytes` bytes that `write` makes of a constant's elements; `form`
    // says how. Each constant is written once in each form. Errors:
    // ResourceExhausted.
    virtual absl::StatusOr<MemoryChunk> ConstantInForm(
        const Slice& constant, absl::string_view form, int64_t bytes,
        absl::FunctionRef<void(const void* elements, void* to)> write) = 0;
  };

  // Both are borrowed.
  ThunkReader(absl::string_view bytes, Program* program)
      : left_(bytes), program_(program) {}

  template <typename... Values>
  void operator()(Values&... values) {
    (Read(values), ...);
  }
  // Returns null, and fails, if there is no such thunk.
  const Thunk* ReadReference();
  // Thunks to which others may refer: NewReference returns the number of the
  // next one, in the order in which writing them began.
  int64_t NewReference() {
    thunks_.push_back(nullptr);
    return static_cast<int64_t>(thunks_.size()) - 1;
  }
  void SetReference(int64_t number, const Thunk* thunk) {
    thunks_[number] = thunk;
  }

  Program& program() const { return *program_; }
  bool at_end() const { return left_.empty(); }
  // InvalidArgument if the bytes ended early or made no sense.
  absl::Status status() const;

 private:
  template <typename T>
  void Read(T& value) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
      value = static_cast<T>(ReadNumber());
    } else {
      Fields(*this, value);
    }
  }
  void Read(KernelFunction& function);
  void Read(std::string& text);
  void Read(Slice& slice) {
    (*this)(slice.allocation, slice.offset, slice.size);
  }
  void Read(BufferUses& uses);
  template <typename T>
  void Read(std::optional<T>& value) {
    if (ReadNumber() != 0) Read(value.emplace());
  }
  template <typename T>
  void Read(std::vector<T>& values) {
    for (int64_t i = ReadCount(); i > 0; --i) Read(values.emplace_back());
  }
  template <typename T, size_t n>
  void Read(absl::InlinedVector<T, n>& values) {
    for (int64_t i = ReadCount(); i > 0; --i) Read(values.emplace_back());
  }
  int64_t ReadNumber();
  // Returns a number of values, each of which takes a byte at least.
  int64_t ReadCount();

  absl::string_view left_;
  Program* const program_;
  std::vector<const Thunk*> thunks_;
  bool failed_ = false;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_THUNK_ARCHIVE_H_
