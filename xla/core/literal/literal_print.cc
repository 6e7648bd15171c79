// Prints literals as text, on one line or several. Loops instead of recursing
// over dimensions, since a hostile shape may have many.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/text/printer.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/literal/element_text.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_base.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/literal/literal_text.h"
#include "xla/core/literal/strided_copy.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

struct Style {
  bool shape = false;
  bool layout = false;
  bool oneline = false;
};

// The most rows of arrays without elements that are printed as braces: bounds
// the text to a few megabytes.
constexpr int64_t kMaxEmptyRows = 1 << 20;

class ArrayPrinter {
 public:
  ArrayPrinter(const LiteralPiece& piece, const Style& style, std::string* out)
      : piece_(piece),
        type_(piece.shape->element_type()),
        width_(LiteralElementBytes(type_)),
        rank_(piece.shape->dimensions_size()),
        linebreak_(style.oneline ? " " : "\n"),
        indent_(style.oneline || rank_ == 1 ? "" : "  "),
        strides_(DenseStrides(*piece.shape)),
        sizes_(rank_),
        index_(rank_, 0),
        out_(out) {
    for (int i = 0; i < rank_; ++i) sizes_[i] = piece.dynamic_size(i);
  }

  void Print() {
    if (rank_ == 0) return AppendElement(type_, piece_.buffer, out_);
    if (TooManyEmptyRows()) {
      out_->append("{...}");
      return;
    }
    int d = 0;
    while (true) {
      Open(d);
      index_[d] = 0;
      if (d < rank_ - 1 && sizes_[d] > 0) {
        ++d;
        continue;
      }
      if (d == rank_ - 1) PrintRow();
      Close(d);
      // Advance to the next sibling of this dimension or of an enclosing one.
      while (--d >= 0 && !NextSibling(d)) Close(d);
      if (d < 0) return;
      ++d;
    }
  }

 private:
  bool TooManyEmptyRows() const {
    int64_t rows = 1;
    bool empty = false;
    for (int64_t size : sizes_) {
      if (size == 0) {
        empty = true;
        break;
      }
      if (__builtin_mul_overflow(rows, size, &rows)) rows = kMaxEmptyRows + 1;
    }
    return empty && rows > kMaxEmptyRows;
  }

  bool NextSibling(int d) {
    if (++index_[d] >= sizes_[d]) return false;
    absl::StrAppend(out_, ",", linebreak_);
    return true;
  }

  void Open(int d) {
    if (d == rank_ - 1) {
      absl::StrAppend(out_, indent_, "{",
                      rank_ == 1 || sizes_[d] <= 1 ? "" : " ");
    } else if (rank_ > 3 && d > 0) {
      absl::StrAppend(out_, "{ /*i", d - 1, "=", index_[d - 1], "*/",
                      sizes_[d] > 0 ? linebreak_ : "");
    } else {
      absl::StrAppend(out_, "{", linebreak_);
    }
  }

  void Close(int d) {
    if (d < rank_ - 1) {
      absl::StrAppend(out_, linebreak_, "}");
    } else {
      absl::StrAppend(out_, rank_ == 1 || sizes_[d] <= 1 ? "" : " ", "}");
    }
  }

  void PrintRow() {
    if (sizes_[rank_ - 1] == 0) return;
    int64_t at = 0;
    for (int i = 0; i < rank_ - 1; ++i) at += index_[i] * strides_[i];
    const char* element = piece_.buffer + at * width_;
    const int64_t step = strides_[rank_ - 1] * width_;
    for (int64_t i = 0; i < sizes_[rank_ - 1]; ++i, element += step) {
      if (i > 0) out_->append(", ");
      if (type_ == PRED) {
        out_->push_back(*element != 0 ? '1' : '0');
      } else {
        AppendElement(type_, element, out_);
      }
    }
  }

  const LiteralPiece& piece_;
  const PrimitiveType type_;
  const int width_;
  const int rank_;
  const absl::string_view linebreak_;
  const absl::string_view indent_;
  const DimensionVector strides_;
  DimensionVector sizes_;
  DimensionVector index_;
  std::string* const out_;
};

void PrintShapeOf(const LiteralPiece& piece, const Style& style,
                  std::string* out) {
  const Shape& shape = *piece.shape;
  out->append(shape.ToString(style.layout));
  if (shape.is_dynamic()) {
    out->push_back('(');
    for (int i = 0; i < shape.dimensions_size(); ++i) {
      absl::StrAppend(out, i > 0 ? "," : "", piece.dynamic_size(i));
    }
    out->push_back(')');
  }
  out->push_back(' ');
}

void Print(const LiteralPiece& piece, const Style& style, std::string* out) {
  if (piece.shape->IsTuple()) {
    out->append(style.oneline ? "( " : "(\n");
    for (size_t i = 0; i < piece.children.size(); ++i) {
      if (i > 0) out->append(style.oneline ? ", " : ",\n");
      Print(piece.children[i], style, out);
    }
    out->append(style.oneline ? " )" : "\n)");
  } else if (!piece.shape->IsArray()) {
    out->append("token");
  } else {
    if (style.shape) PrintShapeOf(piece, style, out);
    if (piece.buffer == nullptr) {
      out->append(piece.state == LiteralPiece::State::kUndetermined
                      ? "undetermined"
                      : "unknown");
      return;
    }
    ArrayPrinter(piece, style, out).Print();
  }
}

std::string Text(const LiteralBase& literal, const Style& style) {
  std::string out;
  Print(literal.root_piece(), style, &out);
  return out;
}

}  // namespace

std::string LiteralBase::ToString() const {
  return Text(*this, {.shape = true});
}
std::string LiteralBase::ToStringOneline() const {
  return Text(*this, {.shape = true, .oneline = true});
}
std::string LiteralBase::ToStringWithoutShape() const {
  return Text(*this, {});
}
std::string LiteralBase::ToStringWithoutShapeOneline() const {
  return Text(*this, {.oneline = true});
}
std::string LiteralBase::ToStringWithLayout() const {
  return Text(*this, {.shape = true, .layout = true});
}
std::string LiteralBase::ToStringWithLayoutOneline() const {
  return Text(*this, {.shape = true, .layout = true, .oneline = true});
}

void LiteralBase::Print(Printer* printer) const { printer->Append(ToString()); }
void LiteralBase::PrintOneline(Printer* printer) const {
  printer->Append(ToStringOneline());
}
void LiteralBase::PrintWithoutShape(Printer* printer) const {
  printer->Append(ToStringWithoutShape());
}
void LiteralBase::PrintWithoutShapeOneline(Printer* printer) const {
  printer->Append(ToStringWithoutShapeOneline());
}
void LiteralBase::PrintWithLayout(Printer* printer) const {
  printer->Append(ToStringWithLayout());
}
void LiteralBase::PrintWithLayoutOneline(Printer* printer) const {
  printer->Append(ToStringWithLayoutOneline());
}

void PrintLiteralForHlo(const LiteralSlice& literal, std::string* out) {
  Print(literal.root_piece(), {.oneline = true}, out);
}

}  // namespace xla
