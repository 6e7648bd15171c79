// JsonWriter writes one JSON value, piece by piece, that may also stand in a
// script element of an HTML page.
#ifndef XLA_TOOLS_JSON_WRITER_H_
#define XLA_TOOLS_JSON_WRITER_H_

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace xla::tools {

//   JsonWriter json;
//   json.BeginObject();
//   json.Field("name", "add.1");
//   json.Key("operands");
//   json.BeginArray();
//   json.Number(3);
//   json.EndArray();
//   json.EndObject();
//   std::string text = std::move(json).Take();  // {"name":"add.1",...}
//
// The text is ASCII: other characters, and '<', '>' and '&', are escaped, so
// that no string ends the script element that holds it. Bytes that are not
// UTF-8 become U+FFFD. Keys and values must alternate as in the example, which
// is the caller's duty. Not thread safe.
class JsonWriter {
 public:
  void BeginObject() { Begin('{'); }
  void EndObject() { End('}'); }
  void BeginArray() { Begin('['); }
  void EndArray() { End(']'); }

  void Key(absl::string_view key);
  void String(absl::string_view text);
  void Bool(bool value);
  void Null();
  // JSON has no infinities and NaNs: null.
  void Number(std::floating_point auto value) { Double(value); }
  void Number(std::integral auto value) { Int(static_cast<int64_t>(value)); }
  // `json` is one value already.
  void Raw(absl::string_view json);

  void Field(absl::string_view key, absl::string_view text) {
    Key(key);
    String(text);
  }
  void Field(absl::string_view key, const char* text) {
    Field(key, absl::string_view(text));
  }
  void Field(absl::string_view key, std::same_as<bool> auto value) {
    Key(key);
    Bool(value);
  }
  template <typename T>
    requires(std::floating_point<T> ||
             (std::integral<T> && !std::same_as<T, bool>))
  void Field(absl::string_view key, T value) {
    Key(key);
    Number(value);
  }

  std::string Take() && { return std::move(text_); }

 private:
  void Begin(char bracket);
  void End(char bracket);
  void Int(int64_t value);
  void Double(double value);
  // Writes the comma that separates the next value from the one before.
  void Separate();

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace xla::tools

#endif  // XLA_TOOLS_JSON_WRITER_H_
