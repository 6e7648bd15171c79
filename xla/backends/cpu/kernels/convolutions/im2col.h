// Im2Col makes rows of the left matrix of a convolution: all elements that the
// kernel meets at one output position.
#ifndef XLA_BACKENDS_CPU_KERNELS_CONVOLUTIONS_IM2COL_H_
#define XLA_BACKENDS_CPU_KERNELS_CONVOLUTIONS_IM2COL_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "xla/backends/cpu/kernels/convolutions/convolution.h"
#include "xla/backends/cpu/kernels/convolutions/convolution_algorithms.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/backends/cpu/kernels/vector/element_runs.h"

namespace xla::cpu {

// A LeftReader: row (item, position), element (tap, feature) of group `group`.
// Borrows its arguments.
class Im2Col {
 public:
  Im2Col(const ConvolutionDesc& desc, const ConvolutionSizes& sizes,
         const ProductKind& kind, const char* input, int64_t group);

  void operator()(int64_t row0, int64_t rows, int64_t depth0, int64_t depth,
                  void* to, int64_t stride) const;

 private:
  // Elements that are contiguous at every position: their offset from the first
  // element that the kernel meets, if there is no padding.
  struct Run {
    int64_t offset, count;
  };
  using Runs = absl::InlinedVector<Run, 8>;

  // Finds the runs of elements [depth0, depth0 + depth) of a row, if
  // neighbouring taps are neighbours in memory.
  Runs RunsOf(int64_t depth0, int64_t depth) const;
  // Returns the number of positions of a line, from there on, at which the
  // kernel meets no padding.
  int64_t RowsInside(const int64_t* output) const;
  // Writes `rows` neighbouring rows, `stride` bytes apart.
  void ReadInside(int64_t item, const int64_t* output, const Runs& runs,
                  int64_t rows, char* to, int64_t stride) const;
  // Goes to the position `rows` further, in the same line or at the begin of
  // the next one; returns 1 if it is the first one of the next item.
  int64_t MovePosition(int64_t* output, int64_t rows) const;

  void Zero(char* to, int64_t count) const;
  void Copy(const char* from, char* to, int64_t count) const;
  void ReadRow(int64_t item, const int64_t* output, int64_t depth0,
               int64_t depth, char* to) const;
  int64_t InputLine(int64_t item, const int64_t* output, int64_t taps) const;
  void ReadMerged(const char* from, int64_t output, int64_t first,
                  int64_t count, char* to) const;
  void ReadSingles(const char* from, int64_t at, int64_t step, int64_t count,
                   char* to) const;
  void ReadTaps(const char* from, int64_t output, int64_t first, int64_t count,
                char* to) const;

  const ConvolutionDesc& desc_;
  const ConvolutionSizes& sizes_;
  const int bytes_, width_;
  const RunConverter convert_;
  const bool same_type_;
  int64_t outer_dims_;
  ConvolutionDim last_;
  int64_t first_item_;
  const char* input_;
  bool merges_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_CONVOLUTIONS_IM2COL_H_
