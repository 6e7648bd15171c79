// Writes values of any kind into a stream, as errors and logs show them.
#ifndef XLA_BASE_TEXT_PRINT_VALUE_H_
#define XLA_BASE_TEXT_PRINT_VALUE_H_

#include <cstddef>
#include <ostream>
#include <string>

#include "absl/strings/string_view.h"

namespace xla::log_internal {

// What an AbslStringify function writes to. The oldest supported Abseil has
// none, but its absl::Format takes this one.
class StringifySink {
 public:
  explicit StringifySink(std::ostream& out) : out_(out) {}
  void Append(size_t count, char c) { out_ << std::string(count, c); }
  void Append(absl::string_view text) { out_ << text; }
  friend void AbslFormatFlush(StringifySink* sink, absl::string_view text) {
    sink->Append(text);
  }

 private:
  std::ostream& out_;
};

template <typename T>
concept HasStreamOperator =
    requires(std::ostream& out, const T& value) { out << value; };
template <typename T>
concept HasStringify = requires(StringifySink& sink, const T& value) {
  AbslStringify(sink, value);
};

// Writes `value` by its << or, if it has none, by its AbslStringify.
template <typename T>
  requires HasStreamOperator<T> || HasStringify<T>
void PrintValue(std::ostream& out, const T& value) {
  if constexpr (HasStreamOperator<T>) {
    out << value;
  } else {
    StringifySink sink(out);
    AbslStringify(sink, value);
  }
}

}  // namespace xla::log_internal

#endif  // XLA_BASE_TEXT_PRINT_VALUE_H_
