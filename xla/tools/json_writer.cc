// Writes JSON, and decodes UTF-8 to escape it.
#include "xla/tools/json_writer.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace xla::tools {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

// Takes the first character of `text`, which is not empty; kReplacement and one
// byte where none begins. Source: the Unicode Standard, table 3-7.
uint32_t TakeCharacter(absl::string_view& text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0};
  };
  const uint8_t first = byte(0);
  int length = 1;
  uint32_t character = first;
  uint32_t least = 0;
  if (first >= 0xF0 && first < 0xF8) {
    length = 4, character = first & 0x07, least = 0x10000;
  } else if (first >= 0xE0 && first < 0xF0) {
    length = 3, character = first & 0x0F, least = 0x800;
  } else if (first >= 0xC0 && first < 0xE0) {
    length = 2, character = first & 0x1F, least = 0x80;
  } else if (first >= 0x80) {
    text.remove_prefix(1);
    return kReplacement;
  }
  for (int i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      text.remove_prefix(1);
      return kReplacement;
    }
    character = (character << 6) | (byte(i) & 0x3F);
  }
  const bool surrogate = character >= 0xD800 && character < 0xE000;
  if (character < least || surrogate || character > 0x10FFFF) {
    text.remove_prefix(1);
    return kReplacement;
  }
  text.remove_prefix(length);
  return character;
}

void AppendUnit(uint32_t unit, std::string* out) {
  absl::StrAppendFormat(out, "\\u%04x", unit);
}

void AppendEscaped(absl::string_view text, std::string* out) {
  while (!text.empty()) {
    const uint32_t character = TakeCharacter(text);
    if (character == '"' || character == '\\') {
      out->push_back('\\');
      out->push_back(static_cast<char>(character));
    } else if (character >= 0x10000) {
      AppendUnit(0xD800 + ((character - 0x10000) >> 10), out);
      AppendUnit(0xDC00 + ((character - 0x10000) & 0x3FF), out);
    } else if (character < 0x20 || character >= 0x7F || character == '<' ||
               character == '>' || character == '&') {
      AppendUnit(character, out);
    } else {
      out->push_back(static_cast<char>(character));
    }
  }
}

}  // namespace

void JsonWriter::Separate() {
  if (needs_comma_) text_.push_back(',');
  needs_comma_ = true;
}

void JsonWriter::Begin(char bracket) {
  Separate();
  text_.push_back(bracket);
  needs_comma_ = false;
}

void JsonWriter::End(char bracket) {
  text_.push_back(bracket);
  needs_comma_ = true;
}

void JsonWriter::Key(absl::string_view key) {
  String(key);
  text_.push_back(':');
  needs_comma_ = false;
}

void JsonWriter::String(absl::string_view text) {
  Separate();
  text_.push_back('"');
  AppendEscaped(text, &text_);
  text_.push_back('"');
}

void JsonWriter::Bool(bool value) { Raw(value ? "true" : "false"); }

void JsonWriter::Null() { Raw("null"); }

void JsonWriter::Raw(absl::string_view json) {
  Separate();
  absl::StrAppend(&text_, json);
}

void JsonWriter::Int(int64_t value) {
  Separate();
  absl::StrAppend(&text_, value);
}

void JsonWriter::Double(double value) {
  if (!std::isfinite(value)) return Null();
  Separate();
  absl::StrAppendFormat(&text_, "%.9g", value);
}

}  // namespace xla::tools
