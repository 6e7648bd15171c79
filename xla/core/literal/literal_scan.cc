// Reads literals from HLO text. The inner loop works on the characters
// directly; it collects elements in row-major order and moves them to the
// layout at the end.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"
#include "xla/base/text_scanner.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/literal/element_text.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/literal/literal_text.h"
#include "xla/core/literal/strided_copy.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

bool IsTokenChar(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '+' || c == '_';
}

// Reads one array into `bytes`, row-major.
class ArrayScanner {
 public:
  ArrayScanner(TextScanner& scanner, const Shape& shape)
      : scanner_(scanner),
        shape_(shape),
        type_(shape.element_type()),
        width_(LiteralElementBytes(type_)),
        rank_(shape.dimensions_size()),
        text_(scanner.text()),
        at_(scanner.position()),
        seen_(rank_, 0) {}

  absl::Status Scan() {
    int depth = 0;
    bool after_item = false;  // a comma or a closing brace comes next
    do {
      SkipSpace();
      const char c = at_ < text_.size() ? text_[at_] : '\0';
      if (c == ',' && after_item) {
        ++at_;
        after_item = false;
        SkipSpace();
        if (Next() == '}') return Error("expects an element after ','");
        continue;
      }
      if (c == '}' && depth > 0) {
        TF_RETURN_IF_ERROR(Close(depth));
        --depth;
        after_item = true;
        continue;
      }
      if (after_item) return Error("expects ',' or '}' in a literal");
      if (c == '{') {
        TF_RETURN_IF_ERROR(Open(depth));
        ++depth;
        continue;
      }
      if (depth == 0 && TakeBareZero()) continue;
      TF_RETURN_IF_ERROR(ScanItem(depth));
      after_item = true;
    } while (depth > 0);
    scanner_.set_position(at_);
    return absl::OkStatus();
  }

  const std::string& bytes() const { return bytes_; }

 private:
  char Next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void SkipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) {
      ++at_;
    }
    // The scanner handles comments and rarer white space.
    if (at_ < text_.size() &&
        (text_[at_] == '/' || text_[at_] == '\t' || text_[at_] == '\r')) {
      scanner_.set_position(at_);
      at_ = scanner_.position();
    }
  }

  absl::Status Error(absl::string_view message) const {
    return scanner_.ErrorAt(at_, message);
  }

  // Counts one part of the array, which is inside `depth` braces.
  absl::Status Count(int depth) {
    if (depth == 0) return absl::OkStatus();
    if (++seen_[depth - 1] <= shape_.dimensions(depth - 1)) {
      return absl::OkStatus();
    }
    return Error(absl::StrCat("expects ", shape_.dimensions(depth - 1),
                              " elements in dimension ", depth - 1, " of ",
                              shape_.ToString(), ", but sees more"));
  }

  // Takes a zero without braces, which stands for an array of zeros. They are
  // few, since memory is bounded by the text.
  bool TakeBareZero() {
    constexpr int64_t kMaxElements = 1 << 16;
    if (rank_ == 0 || primitive_util::IsComplexType(type_)) return false;
    int64_t count = 1;
    for (const int64_t size : shape_.dimensions()) {
      if (size < 1 || size > kMaxElements / count) return false;
      count *= size;
    }
    const size_t start = at_;
    std::string element(width_, '\0');
    const std::string zero = element;
    if (!ScanNumber(type_, element.data()).ok() || element != zero) {
      at_ = start;
      return false;
    }
    bytes_.assign(count * width_, '\0');
    return true;
  }

  absl::Status Open(int depth) {
    if (depth == rank_) {
      return Error(absl::StrCat("expects braces nested ", rank_, " deep for ",
                                shape_.ToString(), ", but sees more"));
    }
    TF_RETURN_IF_ERROR(Count(depth));
    seen_[depth] = 0;
    ++at_;
    return absl::OkStatus();
  }

  absl::Status Close(int depth) {
    if (seen_[depth - 1] != shape_.dimensions(depth - 1)) {
      return Error(absl::StrCat("expects ", shape_.dimensions(depth - 1),
                                " elements in dimension ", depth - 1, " of ",
                                shape_.ToString(), ", but sees ",
                                seen_[depth - 1]));
    }
    ++at_;
    return absl::OkStatus();
  }

  absl::Status ScanItem(int depth) {
    if (text_.substr(at_, 3) == "...") {
      return Error(
          "the elements were left out (...) when this was printed; print "
          "large constants in full");
    }
    if (depth != rank_) {
      return Error(absl::StrCat("expects braces nested ", rank_, " deep for ",
                                shape_.ToString(), ", but sees ", depth));
    }
    TF_RETURN_IF_ERROR(Count(depth));
    const size_t offset = bytes_.size();
    bytes_.resize(offset + width_);
    char* element = bytes_.data() + offset;
    if (!primitive_util::IsComplexType(type_)) {
      return ScanNumber(type_, element);
    }
    const PrimitiveType part = type_ == C64 ? F32 : F64;
    TF_RETURN_IF_ERROR(Punctuation('('));
    TF_RETURN_IF_ERROR(ScanNumber(part, element));
    TF_RETURN_IF_ERROR(Punctuation(','));
    TF_RETURN_IF_ERROR(ScanNumber(part, element + width_ / 2));
    return Punctuation(')');
  }

  absl::Status Punctuation(char c) {
    SkipSpace();
    if (Next() != c) {
      return Error(absl::StrCat("expects '", std::string(1, c),
                                "' in a complex number, such as (1, 2)"));
    }
    ++at_;
    SkipSpace();
    return absl::OkStatus();
  }

  absl::Status ScanNumber(PrimitiveType type, char* element) {
    size_t end = at_;
    while (end < text_.size() && IsTokenChar(text_[end])) ++end;
    const absl::string_view word = text_.substr(at_, end - at_);
    if ((word == "nan" || word == "-nan") && end < text_.size() &&
        text_[end] == '(') {
      end = text_.find(')', end);
      end = end == absl::string_view::npos ? text_.size() : end + 1;
    }
    if (end == at_) return Error("expects a number in a literal");
    std::string wrong =
        ParseElement(text_.substr(at_, end - at_), type, element);
    if (!wrong.empty()) return Error(wrong);
    at_ = end;
    return absl::OkStatus();
  }

  TextScanner& scanner_;
  const Shape& shape_;
  const PrimitiveType type_;
  const int width_;
  const int rank_;
  const absl::string_view text_;
  size_t at_;
  DimensionVector seen_;  // number of parts so far, for each open brace
  std::string bytes_;
};

absl::StatusOr<Literal> ScanArray(TextScanner& scanner, const Shape& shape) {
  if (shape.is_dynamic()) {
    return scanner.Error(absl::StrCat("literals cannot have the dynamic shape ",
                                      shape.ToString()));
  }
  ArrayScanner array(scanner, shape);
  TF_RETURN_IF_ERROR(array.Scan());
  TF_ASSIGN_OR_RETURN(Literal literal, Literal::Make(DenseLiteralShape(shape)));
  // The row-major strides of the text's elements.
  DimensionVector strides(shape.dimensions_size());
  int64_t stride = 1;
  for (int i = shape.dimensions_size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape.dimensions(i);
  }
  StridedCopy(LiteralElementBytes(shape.element_type()), shape.dimensions(),
              array.bytes().data(), strides, literal.untyped_data(),
              DenseStrides(literal.shape()));
  return literal;
}

// Recursion is as deep as the shape, whose depth is bounded on construction.
absl::StatusOr<Literal> ScanTuple(TextScanner& scanner, const Shape& shape) {
  std::vector<Literal> elements;
  TF_RETURN_IF_ERROR(scanner.Consume("("));
  for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
    if (i > 0) TF_RETURN_IF_ERROR(scanner.Consume(","));
    TF_ASSIGN_OR_RETURN(Literal element,
                        ScanLiteral(scanner, shape.tuple_shapes(i)));
    elements.push_back(std::move(element));
  }
  TF_RETURN_IF_ERROR(scanner.Consume(")"));
  return Literal::MoveIntoTuple(absl::MakeSpan(elements));
}

}  // namespace

absl::StatusOr<Literal> ScanLiteral(TextScanner& scanner, const Shape& shape) {
  if (shape.IsTuple()) return ScanTuple(scanner, shape);
  if (shape.IsToken()) {
    TF_RETURN_IF_ERROR(scanner.Consume("token"));
    return Literal(shape);
  }
  if (!shape.IsArrayExcludingBuffer()) {
    return scanner.Error(
        absl::StrCat("no literal has the shape ", shape.ToString()));
  }
  return ScanArray(scanner, shape);
}

}  // namespace xla
