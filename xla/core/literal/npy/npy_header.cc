// Parses the Python dictionary of an .npy header as far as NumPy writes it:
// strings, True and False, a tuple of sizes.
#include "xla/core/literal/npy/npy_header.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "xla/base/status_macros.h"

namespace xla {

absl::Status NpyError(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("npy: ", what));
}

namespace {

constexpr absl::string_view kMagic("\x93NUMPY", 6);

// Parses the part between the fixed bytes and the elements.
class DictParser {
 public:
  explicit DictParser(absl::string_view text) : text_(text) {}

  absl::Status Parse(NpyHeader& header) {
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    if (!Take('{')) return NpyError("the header is not a dictionary");
    while (!Take('}')) {
      std::string key;
      TF_RETURN_IF_ERROR(String(key));
      if (!Take(':')) return NpyError("the header lacks ':' after a key");
      if (key == "descr") {
        has_descr = true;
        TF_RETURN_IF_ERROR(Descr(header));
      } else if (key == "fortran_order") {
        has_order = true;
        TF_RETURN_IF_ERROR(Bool(header.fortran_order));
      } else if (key == "shape") {
        has_shape = true;
        TF_RETURN_IF_ERROR(Dimensions(header.dimensions));
      } else {
        return NpyError(absl::StrCat("the header has the unknown key ", key));
      }
      if (!Take(',') && Peek() != '}') {
        return NpyError("the header lacks ',' between entries");
      }
    }
    if (!has_descr || !has_order || !has_shape) {
      return NpyError("the header lacks descr, fortran_order or shape");
    }
    return absl::OkStatus();
  }

 private:
  char Peek() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n')) {
      text_.remove_prefix(1);
    }
    return text_.empty() ? '\0' : text_[0];
  }

  bool Take(char c) {
    if (Peek() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  absl::Status String(std::string& value) {
    const char quote = Peek();
    if (quote != '\'' && quote != '"') {
      return NpyError(
          "the header lacks a string; arrays of records are not read");
    }
    const size_t end = text_.find(quote, 1);
    if (end == absl::string_view::npos) return NpyError("a string has no end");
    value = std::string(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return absl::OkStatus();
  }

  absl::Status Descr(NpyHeader& header) {
    std::string descr;
    TF_RETURN_IF_ERROR(String(descr));
    absl::string_view rest = descr;
    header.big_endian = absl::ConsumePrefix(&rest, ">");
    if (!header.big_endian && !absl::ConsumePrefix(&rest, "<") &&
        !absl::ConsumePrefix(&rest, "|")) {
      absl::ConsumePrefix(&rest, "=");
    }
    if (rest.size() < 2 ||
        !absl::SimpleAtoi(rest.substr(1), &header.item_bytes) ||
        header.item_bytes <= 0) {
      return NpyError(absl::StrCat("arrays of '", descr, "' are not read"));
    }
    header.kind = rest[0];
    return absl::OkStatus();
  }

  absl::Status Bool(bool& value) {
    Peek();
    value = absl::ConsumePrefix(&text_, "True");
    if (!value && !absl::ConsumePrefix(&text_, "False")) {
      return NpyError("fortran_order is neither True nor False");
    }
    return absl::OkStatus();
  }

  absl::Status Dimensions(std::vector<int64_t>& dimensions) {
    if (!Take('(')) return NpyError("the shape is not a tuple");
    while (!Take(')')) {
      Peek();
      size_t end = 0;
      while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9')
        ++end;
      int64_t size = 0;
      if (!absl::SimpleAtoi(text_.substr(0, end), &size)) {
        return NpyError("a size in the shape is not a number that fits");
      }
      dimensions.push_back(size);
      text_.remove_prefix(end);
      if (!Take(',') && Peek() != ')') return NpyError("the shape lacks ')'");
    }
    return absl::OkStatus();
  }

  absl::string_view text_;
};

}  // namespace

absl::StatusOr<NpyHeader> ParseNpyHeader(absl::string_view bytes) {
  if (bytes.size() < 10 || bytes.substr(0, 6) != kMagic) {
    return NpyError("this is no .npy file");
  }
  const int version = static_cast<uint8_t>(bytes[6]);
  const size_t length_bytes = version == 1 ? 2 : 4;
  if (version < 1 || version > 3) {
    return NpyError(absl::StrCat("version ", version, " of the format"));
  }
  NpyHeader header;
  header.data_offset = 8 + length_bytes;
  uint32_t length = 0;
  if (bytes.size() >= header.data_offset) {
    std::memcpy(&length, bytes.data() + 8, length_bytes);
  }
  if (bytes.size() < header.data_offset ||
      bytes.size() - header.data_offset < length) {
    return NpyError("the header is cut off");
  }
  TF_RETURN_IF_ERROR(
      DictParser(bytes.substr(header.data_offset, length)).Parse(header));
  header.data_offset += length;
  return header;
}

std::string MakeNpyHeader(absl::string_view descr,
                          absl::Span<const int64_t> dimensions) {
  std::string dict = absl::StrCat("{'descr': '", descr,
                                  "', 'fortran_order': False, 'shape': (",
                                  absl::StrJoin(dimensions, ", "),
                                  dimensions.size() == 1 ? ",), }" : "), }");
  std::string header(kMagic);
  // Version 1 stores the length in 16 bits, which only a header with very many
  // dimensions exceeds; 60000 leaves room for padding.
  const bool small = dict.size() < 60000;
  const size_t prefix = header.size() + 2 + (small ? 2 : 4);
  dict.append(63 - (prefix + dict.size()) % 64, ' ');
  dict.push_back('\n');
  header.push_back(small ? 1 : 2);
  header.push_back(0);
  for (size_t i = 0; i < (small ? 2u : 4u); ++i) {
    header.push_back(static_cast<char>(dict.size() >> (8 * i)));
  }
  return header + dict;
}

}  // namespace xla
