// Printer: where text goes piece by piece, into a string, a cord or a
// fingerprint.
#ifndef XLA_BASE_TEXT_PRINTER_H_
#define XLA_BASE_TEXT_PRINTER_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/stable_hash.h"

namespace xla {

// Not thread safe.
class Printer {
 public:
  Printer() = default;
  // A hasher needs only text that tells values apart, not text to read.
  explicit Printer(bool is_hasher) : is_hasher_(is_hasher) {}
  virtual ~Printer() = default;

  virtual void Append(const absl::AlphaNum& a) = 0;
  // Appends "{1,2}", after a comma if asked for.
  virtual void AppendInt64List(absl::Span<const int64_t> list,
                               bool leading_comma) {
    Append(leading_comma ? ",{" : "{");
    for (size_t i = 0; i < list.size(); ++i) {
      if (i != 0) Append(",");
      Append(list[i]);
    }
    Append("}");
  }

  bool is_hasher() const { return is_hasher_; }

 private:
  bool is_hasher_ = false;
};

class StringPrinter : public Printer {
 public:
  void Append(const absl::AlphaNum& a) override { absl::StrAppend(&text_, a); }
  std::string ToString() && { return std::move(text_); }

 private:
  std::string text_;
};

class CordPrinter : public Printer {
 public:
  void Append(const absl::AlphaNum& a) override { text_.Append(a.Piece()); }
  absl::Cord ToCord() && { return std::move(text_); }

 private:
  absl::Cord text_;
};

// Two words of a fingerprint of 128 bits.
struct Fprint128 {
  uint64_t low64;
  uint64_t high64;
  bool operator==(const Fprint128& other) const {
    return low64 == other.low64 && high64 == other.high64;
  }
};

// Hashes the text, however it is cut into pieces, without keeping it. The
// fingerprints are the same on every machine, but not those of XLA, which
// promises none across versions.
class HighwayHashPrinter : public Printer {
 public:
  HighwayHashPrinter() : Printer(/*is_hasher=*/true) {}

  void Append(const absl::AlphaNum& a) override {
    for (const char c : a.Piece()) {
      low_ = StableMix(low_, static_cast<unsigned char>(c));
      high_ = StableMix(high_, static_cast<unsigned char>(c));
    }
  }
  uint64_t ToFingerprint() { return StableMix(low_, high_); }
  Fprint128 ToFingerprint128() { return {low_, high_}; }

 private:
  uint64_t low_ = 0x243f6a8885a308d3;  // the first digits of pi
  uint64_t high_ = 0x13198a2e03707344;
};

// Appends what `print` prints for each element, with `separator` between them.
template <typename Iterator, typename PrintFunc>
void AppendJoin(Printer* printer, Iterator start, Iterator end,
                absl::string_view separator, PrintFunc&& print) {
  for (Iterator it = start; it != end; ++it) {
    if (it != start) printer->Append(separator);
    print(printer, *it);
  }
}
template <typename Range, typename PrintFunc>
void AppendJoin(Printer* printer, const Range& range,
                absl::string_view separator, PrintFunc&& print) {
  AppendJoin(printer, std::begin(range), std::end(range), separator,
             std::forward<PrintFunc>(print));
}
template <typename Range>
void AppendJoin(Printer* printer, const Range& range,
                absl::string_view separator) {
  AppendJoin(printer, range, separator,
             [](Printer* to, const auto& element) { to->Append(element); });
}

// Appends two to four pieces.
template <typename... Rest>
void AppendCat(Printer* printer, const absl::AlphaNum& a,
               const absl::AlphaNum& b, const Rest&... rest) {
  static_assert(sizeof...(Rest) <= 2, "AppendCat takes at most four pieces");
  printer->Append(a);
  printer->Append(b);
  (printer->Append(rest), ...);
}

}  // namespace xla

#endif  // XLA_BASE_TEXT_PRINTER_H_
