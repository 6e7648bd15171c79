// Assembles rows. If the kernel lies inside of the input, a row consists of a
// few runs that are the same for all positions, and neighbouring rows are
// assembled run by run; other rows are assembled tap by tap.
#include "xla/backends/cpu/kernels/convolutions/im2col.h"

#include <algorithm>
#include <cstring>

#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {
namespace {

// The most bytes of runs that are copied inline: as many as a call of memcpy
// takes longer to copy.
constexpr int64_t kMaxInlineCopy = 1024;

// Copies `rows` runs of at least kPiece bytes, kPiece at a time: there are many
// short ones.
template <int64_t kPiece>
void CopyPieces(const char* from, int64_t from_step, char* to, int64_t to_step,
                int64_t rows, int64_t bytes) {
  const int64_t last = bytes - kPiece;
  if (last <= kPiece) {
    for (int64_t i = 0; i < rows; ++i) {
      std::memcpy(to, from, kPiece);
      std::memcpy(to + last, from + last, kPiece);
      from += from_step;
      to += to_step;
    }
    return;
  }
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t at = 0; at < last; at += kPiece) {
      std::memcpy(to + at, from + at, kPiece);
    }
    std::memcpy(to + last, from + last, kPiece);
    from += from_step;
    to += to_step;
  }
}

// Copies `rows` runs of `bytes` bytes.
void CopyRuns(const char* from, int64_t from_step, char* to, int64_t to_step,
              int64_t rows, int64_t bytes) {
  if (bytes > kMaxInlineCopy) {
    for (int64_t i = 0; i < rows; ++i) {
      std::memcpy(to + i * to_step, from + i * from_step, bytes);
    }
  } else if (bytes >= 32) {
    CopyPieces<32>(from, from_step, to, to_step, rows, bytes);
  } else if (bytes >= 16) {
    CopyPieces<16>(from, from_step, to, to_step, rows, bytes);
  } else if (bytes >= 4) {
    CopyPieces<4>(from, from_step, to, to_step, rows, bytes);
  } else {
    CopyPieces<1>(from, from_step, to, to_step, rows, bytes);
  }
}

template <typename T>
void CopyStridedAs(const char* from_data, int64_t stride, int64_t count,
                   char* to_data) {
  const T* from = reinterpret_cast<const T*>(from_data);
  T* to = reinterpret_cast<T*>(to_data);
  for (int64_t i = 0; i < count; ++i) to[i] = from[i * stride];
}

// Copies `count` elements of 1 to 16 bytes, which are `stride` apart, to
// neighbouring ones.
void CopyStrided(int bytes, const char* from, int64_t stride, int64_t count,
                 char* to) {
  switch (bytes) {
    case 1:
      return CopyStridedAs<uint8_t>(from, stride, count, to);
    case 2:
      return CopyStridedAs<uint16_t>(from, stride, count, to);
    case 4:
      return CopyStridedAs<uint32_t>(from, stride, count, to);
    case 8:
      return CopyStridedAs<uint64_t>(from, stride, count, to);
    default:
      for (int64_t i = 0; i < count; ++i) {
        std::memcpy(to + i * bytes, from + i * stride * bytes, bytes);
      }
  }
}

}  // namespace

Im2Col::Im2Col(const ConvolutionDesc& desc, const ConvolutionSizes& sizes,
               const ProductKind& kind, const char* input, int64_t group)
    : desc_(desc),
      sizes_(sizes),
      bytes_(primitive_util::ByteWidth(desc.input)),
      width_(kind.element_bytes()),
      convert_(RunConverterOf(desc.input, kind.left)),
      same_type_(desc.input == kind.left) {
  outer_dims_ = std::max<int64_t>(desc.dims.size(), 1) - 1;
  last_ = desc.dims.empty() ? ConvolutionDim{} : desc.dims.back();
  const bool by_batch = desc.batch_groups > 1;
  first_item_ = by_batch ? group * sizes.out_batch : 0;
  input_ = input + (by_batch ? 0 : group * sizes.group_in * bytes_);
  merges_ = last_.window_dilation == 1 && last_.base_dilation == 1 &&
            !last_.reversed && sizes.group_in == desc.in_features;
}

void Im2Col::operator()(int64_t row0, int64_t rows, int64_t depth0,
                        int64_t depth, void* to, int64_t stride) const {
  const Runs runs = merges_ ? RunsOf(depth0, depth) : Runs();
  absl::InlinedVector<int64_t, 3> output(outer_dims_ + 1);
  int64_t item = OutputPosition(desc_, desc_.dims.size(), row0, output.data());
  for (int64_t i = 0; i < rows;) {
    char* const row = static_cast<char*>(to) + i * stride * width_;
    int64_t count = merges_ ? std::min(RowsInside(output.data()), rows - i) : 0;
    if (count > 0) {
      ReadInside(first_item_ + item, output.data(), runs, count, row,
                 stride * width_);
    } else {
      count = 1;
      ReadRow(first_item_ + item, output.data(), depth0, depth, row);
    }
    item += MovePosition(output.data(), count);
    i += count;
  }
}

Im2Col::Runs Im2Col::RunsOf(int64_t depth0, int64_t depth) const {
  Runs runs;
  const int64_t line = last_.kernel * sizes_.group_in;
  for (int64_t at = depth0; at < depth0 + depth;) {
    const int64_t first = at % line;
    const int64_t count = std::min(line - first, depth0 + depth - at);
    int64_t offset = first, step = last_.input * desc_.in_features;
    int64_t taps = at / line;
    for (int64_t d = outer_dims_ - 1; d >= 0; --d) {
      const ConvolutionDim& dim = desc_.dims[d];
      const int64_t tap = taps % dim.kernel;
      offset += (dim.reversed ? dim.kernel - 1 - tap : tap) *
                dim.window_dilation * step;
      step *= dim.input;
      taps /= dim.kernel;
    }
    runs.push_back({offset, count});
    at += count;
  }
  return runs;
}

int64_t Im2Col::RowsInside(const int64_t* output) const {
  for (int64_t d = 0; d < outer_dims_; ++d) {
    const ConvolutionDim& dim = desc_.dims[d];
    const int64_t first = output[d] * dim.stride - dim.padding_low;
    const int64_t last = first + (dim.kernel - 1) * dim.window_dilation;
    if (dim.base_dilation != 1 || first < 0 || last >= dim.input) return 0;
  }
  // A line has no holes and no dilated kernel if taps are merged.
  const int64_t at = output[outer_dims_];
  const int64_t first = at * last_.stride - last_.padding_low;
  const int64_t room = last_.input - last_.kernel - first;
  if (first < 0 || room < 0) return 0;
  return std::min(room / last_.stride + 1, last_.output - at);
}

void Im2Col::ReadInside(int64_t item, const int64_t* output, const Runs& runs,
                        int64_t rows, char* to, int64_t stride) const {
  int64_t position = item;
  for (size_t d = 0; d < desc_.dims.size(); ++d) {
    const ConvolutionDim& dim = desc_.dims[d];
    position = position * dim.input + output[d] * dim.stride - dim.padding_low;
  }
  const char* from = input_ + position * desc_.in_features * bytes_;
  const int64_t step = last_.stride * desc_.in_features * bytes_;
  for (const Run& run : runs) {
    const char* source = from + run.offset * bytes_;
    if (same_type_) {
      CopyRuns(source, step, to, stride, rows, run.count * width_);
    } else {
      for (int64_t i = 0; i < rows; ++i) {
        convert_(source + i * step, to + i * stride, run.count);
      }
    }
    to += run.count * width_;
  }
}

int64_t Im2Col::MovePosition(int64_t* output, int64_t rows) const {
  output[outer_dims_] += rows;
  if (output[outer_dims_] < last_.output) return 0;
  output[outer_dims_] = 0;
  for (int64_t d = outer_dims_ - 1; d >= 0; --d) {
    if (++output[d] < desc_.dims[d].output) return 0;
    output[d] = 0;
  }
  return 1;
}

void Im2Col::Zero(char* to, int64_t count) const {
  std::memset(to, 0, count * width_);
}
void Im2Col::Copy(const char* from, char* to, int64_t count) const {
  if (same_type_) {
    std::memcpy(to, from, count * width_);
  } else {
    convert_(from, to, count);
  }
}

void Im2Col::ReadRow(int64_t item, const int64_t* output, int64_t depth0,
                     int64_t depth, char* to) const {
  // A line of taps has all taps that differ only in the last dimension.
  const int64_t line = last_.kernel * sizes_.group_in;
  int64_t at = depth0;
  while (at < depth0 + depth) {
    const int64_t first = at % line;
    const int64_t count = std::min(line - first, depth0 + depth - at);
    const int64_t input_line = InputLine(item, output, at / line);
    if (input_line < 0) {
      Zero(to, count);
    } else {
      const char* from =
          input_ + input_line * last_.input * desc_.in_features * bytes_;
      if (merges_) {
        ReadMerged(from, output[outer_dims_], first, count, to);
      } else {
        ReadTaps(from, output[outer_dims_], first, count, to);
      }
    }
    at += count;
    to += count * width_;
  }
}

// Returns the line of input positions that a line of taps meets; -1 for
// padding.
int64_t Im2Col::InputLine(int64_t item, const int64_t* output,
                          int64_t taps) const {
  int64_t line = 0, step = 1;
  for (int64_t d = outer_dims_ - 1; d >= 0; --d) {
    const ConvolutionDim& dim = desc_.dims[d];
    const int64_t at = InputPosition(dim, output[d], taps % dim.kernel);
    if (at < 0) return -1;
    line += at * step;
    step *= dim.input;
    taps /= dim.kernel;
  }
  return line + item * step;
}

// Writes elements [first, first + count) of a line of taps.
void Im2Col::ReadMerged(const char* from, int64_t output, int64_t first,
                        int64_t count, char* to) const {
  const int64_t features = desc_.in_features;
  const int64_t start =
      (output * last_.stride - last_.padding_low) * features + first;
  const int64_t begin = std::clamp<int64_t>(-start, 0, count);
  const int64_t end =
      std::clamp<int64_t>(last_.input * features - start, begin, count);
  if (begin > 0) Zero(to, begin);
  if (end > begin) {
    Copy(from + (start + begin) * bytes_, to + begin * width_, end - begin);
  }
  if (end < count) Zero(to + end * width_, count - end);
}

// Writes elements of whole taps, each of which has one input feature: those at
// input positions `at`, `at` + step, ...
void Im2Col::ReadSingles(const char* from, int64_t at, int64_t step,
                         int64_t count, char* to) const {
  // The taps before the input, and those up to its end.
  const int64_t before = std::clamp<int64_t>(
      CeilOfRatio(std::max<int64_t>(-at, 0), step), 0, count);
  const int64_t end =
      std::clamp<int64_t>(CeilOfRatio(last_.input - at, step), before, count);
  Zero(to, before);
  const int64_t stride = step * desc_.in_features;
  const char* source = from + (at + before * step) * desc_.in_features * bytes_;
  CopyStrided(bytes_, source, stride, end - before, to + before * width_);
  Zero(to + end * width_, count - end);
}

void Im2Col::ReadTaps(const char* from, int64_t output, int64_t first,
                      int64_t count, char* to) const {
  const int64_t group_in = sizes_.group_in;
  if (group_in == 1 && same_type_ && last_.base_dilation == 1 &&
      !last_.reversed) {
    const int64_t at = output * last_.stride - last_.padding_low +
                       first * last_.window_dilation;
    return ReadSingles(from, at, last_.window_dilation, count, to);
  }
  while (count > 0) {
    const int64_t feature = first % group_in;
    const int64_t run = std::min(group_in - feature, count);
    const int64_t at = InputPosition(last_, output, first / group_in);
    if (at < 0) {
      Zero(to, run);
    } else {
      Copy(from + (at * desc_.in_features + feature) * bytes_, to, run);
    }
    first += run;
    count -= run;
    to += run * width_;
  }
}

}  // namespace xla::cpu
