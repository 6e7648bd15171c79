// Checks the shapes of the LAPACK targets.
#include "xla/runtime/linalg/batch.h"

#include <climits>
#include <cmath>
#include <complex>
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"

namespace xla::linalg {
namespace {

std::string ShapeText(PrimitiveType type, absl::Span<const int64_t> dims) {
  return absl::StrCat(primitive_util::LowercasePrimitiveTypeName(type), "[",
                      absl::StrJoin(dims, ","), "]");
}

absl::Status CheckFitsInt(const ffi::NativeCall& call,
                          absl::Span<const int64_t> dims) {
  for (int64_t size : dims) {
    if (size > INT_MAX) {
      return absl::ResourceExhaustedError(
          absl::StrCat(call.target, ": dimension of size ", size,
                       ", but LAPACK counts with 32 bits"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckCounts(const ffi::NativeCall& call, int arguments,
                         int results) {
  if (static_cast<int>(call.arguments.size()) == arguments &&
      static_cast<int>(call.results.size()) == results) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      call.target, ": expected ", arguments, " operands and ", results,
      " results, got ", call.arguments.size(), " and ", call.results.size()));
}

absl::StatusOr<BatchExtent> MatrixExtent(const ffi::NativeCall& call, int index,
                                         PrimitiveType type) {
  const ffi::BufferView& view = call.arguments[index];
  const size_t rank = view.dimensions.size();
  if (view.type != type || rank < 2) {
    return absl::InvalidArgumentError(absl::StrCat(
        call.target, ": operand ", index, " is ",
        ShapeText(view.type, view.dimensions), ", expected a matrix of ",
        primitive_util::LowercasePrimitiveTypeName(type),
        " or a batch of them"));
  }
  TF_RETURN_IF_ERROR(CheckFitsInt(call, view.dimensions.last(2)));
  BatchExtent extent;
  extent.data = view.data;
  TF_ASSIGN_OR_RETURN(
      extent.count,
      ProductOrError(view.dimensions.first(rank - 2), "LAPACK batch"));
  extent.rows = static_cast<int>(view.dimensions[rank - 2]);
  extent.columns = static_cast<int>(view.dimensions[rank - 1]);
  return extent;
}

absl::StatusOr<BatchExtent> CheckExtent(const ffi::NativeCall& call,
                                        bool is_result, int index,
                                        PrimitiveType type, int rank,
                                        const BatchExtent& like, int64_t rows,
                                        int64_t columns) {
  const ffi::BufferView& view =
      (is_result ? call.results : call.arguments)[index];
  const int64_t wanted[] = {rows, columns};
  const absl::Span<const int64_t> item(wanted, rank);
  const int64_t batch_rank =
      static_cast<int64_t>(view.dimensions.size()) - rank;
  bool matches = view.type == type && batch_rank >= 0;
  if (matches) {
    matches = view.dimensions.subspan(batch_rank) == item &&
              CheckedProduct(view.dimensions.first(batch_rank)) == like.count;
  }
  if (!matches) {
    return absl::InvalidArgumentError(absl::StrCat(
        call.target, ": ", is_result ? "result " : "operand ", index, " is ",
        ShapeText(view.type, view.dimensions), ", expected ", like.count,
        " times ", ShapeText(type, item)));
  }
  TF_RETURN_IF_ERROR(CheckFitsInt(call, item));
  BatchExtent extent;
  extent.data = view.data;
  extent.count = like.count;
  extent.rows = static_cast<int>(rows);
  extent.columns = static_cast<int>(columns);
  return extent;
}

absl::Status CheckSquare(const ffi::NativeCall& call, const BatchExtent& a) {
  if (a.rows == a.columns) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(call.target, ": operand 0 must be square, but has ", a.rows,
                   " rows and ", a.columns, " columns"));
}

absl::StatusOr<char> LetterAttribute(const ffi::NativeCall& call,
                                     absl::string_view name,
                                     absl::string_view allowed) {
  absl::StatusOr<uint8_t> value =
      ffi::GetScalar<uint8_t>(call.attributes, name);
  if (!value.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(call.target, ": ", value.status().message()));
  }
  const char letter = static_cast<char>(*value);
  if (allowed.find(letter) != absl::string_view::npos) return letter;
  return absl::InvalidArgumentError(absl::StrCat(
      call.target, ": attribute \"", name, "\" is ", static_cast<int>(*value),
      ", expected one of the letters ", allowed));
}

void CopyTo(const BatchExtent& from, const BatchExtent& to, int64_t width) {
  if (from.data == to.data || from.size() == 0) return;
  std::memcpy(to.data, from.data, from.size() * width);
}

template <typename T>
bool AllFinite(const T* values, int64_t size) {
  for (int64_t i = 0; i < size; ++i) {
    if (!std::isfinite(std::real(values[i])) ||
        !std::isfinite(std::imag(values[i]))) {
      return false;
    }
  }
  return true;
}
template bool AllFinite(const float*, int64_t);
template bool AllFinite(const double*, int64_t);
template bool AllFinite(const std::complex<float>*, int64_t);
template bool AllFinite(const std::complex<double>*, int64_t);

absl::Status NoMemory(const ffi::NativeCall& call, int64_t elements) {
  return absl::ResourceExhaustedError(absl::StrCat(
      call.target, ": no memory for a workspace of ", elements, " elements"));
}

absl::StatusOr<int> WorkSize(const ffi::NativeCall& call, double asked,
                             int64_t least) {
  // In single precision, LAPACK rounds sizes past 2^24, perhaps down.
  if (asked > (1 << 24)) asked += asked / (1 << 22);
  const double size = std::max(std::ceil(asked), static_cast<double>(least));
  if (size <= INT_MAX) return static_cast<int>(size);
  return absl::ResourceExhaustedError(
      absl::StrCat(call.target, ": needs a workspace of ", size,
                   " elements, but LAPACK counts with 32 bits"));
}

}  // namespace xla::linalg
