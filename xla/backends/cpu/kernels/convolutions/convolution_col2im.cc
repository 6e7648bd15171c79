// Convolutions to few output features, which would fill a small part of the
// vectors of a product of positions and features. Instead, the kernel elements
// of all taps and features are the rows of a product whose columns are
// positions of the input; its elements are then added to the output positions
// that meet them (col2im). Holes of the input cost nothing.
#include <algorithm>
#include <cstring>
#include <memory>

#include "absl/container/inlined_vector.h"
#include "xla/backends/cpu/kernels/convolutions/convolution_algorithms.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/backends/cpu/kernels/vector/element_runs.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// Each limit up to kMostComputed decides whether elements are summed here, and
// so the order of their sums. The limits are therefore the same on all
// processors.

// With more features, vectors of these are full enough. With fewer input than
// output features, adding products takes longer than multiplying.
constexpr int64_t kMostFeatures = 8;
// The most rows of the product, so that some positions of all of them fit into
// the L2 cache.
constexpr int64_t kMostRows = 512;
// The most products computed for each one that is needed: those at the edges of
// inputs that are larger than their outputs are not.
constexpr double kMostComputed = 1.5;
// The elements of the product that are computed at a time, 256 KB of F32, in at
// least kLeastColumns columns, a multiple of those of all panels.
constexpr int64_t kProductElements = 1 << 16;
constexpr int64_t kLeastColumns = 128;
// The most bytes of sums of a task.
constexpr int64_t kMostSumBytes = 1 << 18;
// The multiplications and additions per nanosecond, and the tasks of a thread.
constexpr double kFlopRate = 64;
constexpr int64_t kTasksPerThread = 2;

template <typename T>
using AddRowsKernel = void (*)(int64_t rows, int64_t count, const T* from,
                               int64_t from_stride, T* to, int64_t to_stride);
struct AddTable {
  AddRowsKernel<float> f32;
  AddRowsKernel<double> f64;
};

#define XLA_VECTOR_BODY \
  "xla/backends/cpu/kernels/convolutions/convolution_col2im.inc"
#include "xla/backends/cpu/kernels/vector/for_each_vector_level.h"

struct Range {
  int64_t first = 0, end = 1;
  int64_t size() const { return std::max<int64_t>(end - first, 0); }
};

// Returns the input positions that outputs of `range` meet, if the stride is 1.
Range InputOf(const ConvolutionDim& dim, Range range) {
  const int64_t lowest = range.first - dim.padding_low;
  const int64_t highest =
      range.end - 1 - dim.padding_low + (dim.kernel - 1) * dim.window_dilation;
  return {std::max<int64_t>(CeilOfRatio(lowest, dim.base_dilation), 0),
          std::min(FloorOfRatio(highest, dim.base_dilation) + 1, dim.input)};
}

// A task computes a band of the first spatial dimension of one item, if it is
// not the last one, and a block of the last one.
struct TaskGrid {
  int64_t bands, band_size;
  int64_t sum_rows;  // of positions in the other dimensions than the last one
  size_t sum_bytes, slot_bytes;
};

template <typename T>
class Col2ImPlan : public UnfinishedConvolutionPlan {
 public:
  Col2ImPlan(const ConvolutionDesc& desc, const KernelTarget& target);

  size_t ScratchBytes(int num_threads) const override {
    const TaskGrid grid = GridFor(num_threads);
    return kernel_bytes_ +
           WorkerSlots(Tasks(grid), num_threads) * grid.slot_bytes;
  }
  void Run(const void* input, const void* kernel, void* out, void* scratch,
           ParallelRunner& runner) const override;

 private:
  // The output positions of a task, or the input positions that they meet.
  using Ranges = absl::InlinedVector<Range, 3>;
  struct Task {
    int64_t item;
    Ranges outputs, inputs;
    const char *input, *kernel;
    char* out;
    T *sums, *products, *line;
    char *pack_memory, *tile_memory;
  };

  TaskGrid GridFor(int64_t num_threads) const;
  int64_t Tasks(const TaskGrid& grid) const {
    return sizes_.out_batch * grid.bands * blocks_;
  }
  void TransposeKernel(const char* kernel, char* to) const;
  void RunTask(const Task& task) const;
  void AddLines(const Task& task, int64_t dim, int64_t line,
                int64_t* position) const;
  void Multiply(const Task& task, int64_t line, int64_t columns) const;
  void AddTaps(const Task& task, int64_t dim, const int64_t* position,
               int64_t line, int64_t tap, const T* products) const;
  void AddLine(const Task& task, int64_t line, int64_t tap,
               const T* products) const;
  void Store(const Task& task, int64_t dim, int64_t line, int64_t sum) const;
  void StoreLine(const T* sums, int64_t count, T* line, char* out) const;

  const ConvolutionDesc desc_;
  const ConvolutionSizes sizes_;
  const ProductKind kind_;
  const ConvolutionDim last_;
  const int64_t rank_;           // of the dimensions before the last one
  const int64_t rows_;           // of the product
  const int64_t kernel_stride_;  // of rows of the kernel, once transposed
  const bool kernel_in_place_;
  const int64_t max_tasks_;
  const AddRowsKernel<T> add_rows_;
  const RunConverter convert_sums_;
  // Output positions of a line are computed in blocks, several lines of input
  // at a time if one block has them all.
  int64_t block_size_, blocks_, lines_at_once_;
  int64_t columns_;     // of the largest product
  int64_t sum_stride_;  // from sums of a feature and phase to the next ones
  size_t kernel_bytes_, pack_bytes_, tile_bytes_, product_bytes_, line_bytes_;
};

template <typename T>
Col2ImPlan<T>::Col2ImPlan(const ConvolutionDesc& desc,
                          const KernelTarget& target)
    : UnfinishedConvolutionPlan(desc),
      desc_(desc),
      sizes_(desc),
      kind_(ProductKindOf(desc.kernel, desc.input, desc.out, target.caches)),
      last_(desc.dims.back()),
      rank_(static_cast<int64_t>(desc.dims.size()) - 1),
      rows_(sizes_.taps * desc.out_features),
      kernel_stride_(RoundUpTo(desc.in_features, kind_.group)),
      kernel_in_place_(CanReadLeftInPlace(kind_, kind_.left, kernel_stride_,
                                          desc.in_features)),
      max_tasks_(std::max<int64_t>(
          2.0 * sizes_.out_batch * sizes_.input_positions * rows_ *
              desc.in_features / target.TaskUnits(kFlopRate),
          1)),
      add_rows_([] {
        const AddTable& table =
            TableOf(baseline::kAddTable, avx2::kAddTable, avx512::kAddTable);
        if constexpr (std::is_same_v<T, float>) {
          return table.f32;
        } else {
          return table.f64;
        }
      }()),
      convert_sums_(RunConverterOf(kind_.sum, desc.out)) {
  const int64_t holes = last_.base_dilation;
  const int64_t most =
      std::max(kLeastColumns, RoundDownTo(kProductElements / rows_, 64));
  const int64_t line = InputOf(last_, {0, last_.output}).size();
  const int64_t shared =  // by neighbouring blocks
      CeilOfRatio((last_.kernel - 1) * last_.window_dilation, holes) + 1;
  block_size_ = last_.output;
  if (line > most + most / 4) {
    const int64_t inputs = std::max(most - shared, most / 2);
    blocks_ = CeilOfRatio(last_.output, inputs * holes);
    block_size_ = RoundUpTo(CeilOfRatio(last_.output, blocks_), 16 * holes);
  }
  blocks_ = CeilOfRatio(last_.output, block_size_);
  columns_ = std::min(block_size_ / holes + 1 + shared, line);
  lines_at_once_ = 1;
  if (blocks_ == 1 && line == last_.input && rank_ > 0) {
    columns_ = line;
    lines_at_once_ =
        std::clamp<int64_t>(most / std::max<int64_t>(line, 1), 1,
                            std::max<int64_t>(desc.dims[rank_ - 1].input, 1));
  }
  columns_ = std::max<int64_t>(columns_ * lines_at_once_, 1);
  sum_stride_ = RoundUpTo(CeilOfRatio(block_size_, holes), 16);
  kernel_bytes_ = RoundUpTo(rows_ * kernel_stride_ * kind_.element_bytes(), 64);
  pack_bytes_ = PackedBlockBytes(kind_, desc.in_features, columns_);
  tile_bytes_ =
      TileScratchBytes(kind_, kind_.sum, rows_, columns_, kernel_in_place_);
  product_bytes_ = RoundUpTo(rows_ * columns_ * sizeof(T), 64);
  line_bytes_ = RoundUpTo(block_size_ * desc.out_features * sizeof(T), 64);
}

template <typename T>
TaskGrid Col2ImPlan<T>::GridFor(int64_t num_threads) const {
  TaskGrid grid;
  grid.bands = grid.band_size = grid.sum_rows = 1;
  for (int64_t d = 1; d < rank_; ++d) grid.sum_rows *= desc_.dims[d].output;
  const int64_t row_bytes =
      last_.base_dilation * desc_.out_features * sum_stride_ * sizeof(T);
  if (rank_ > 0) {
    const ConvolutionDim& dim = desc_.dims[0];
    const int64_t wanted = std::min(kTasksPerThread * num_threads, max_tasks_);
    const int64_t fit =
        std::max<int64_t>(kMostSumBytes / (grid.sum_rows * row_bytes), 1);
    grid.bands = std::max(CeilOfRatio(wanted, sizes_.out_batch * blocks_),
                          CeilOfRatio(dim.output, fit));
    // Bands compute again what they share with the next one.
    const int64_t shared = (dim.kernel - 1) * dim.window_dilation;
    grid.bands = std::clamp<int64_t>(
        grid.bands, 1, CeilOfRatio(dim.output, std::max<int64_t>(shared, 1)));
    grid.band_size = CeilOfRatio(dim.output, grid.bands);
    grid.bands = CeilOfRatio(dim.output, grid.band_size);
  }
  grid.sum_rows *= grid.band_size;
  grid.sum_bytes = RoundUpTo(grid.sum_rows * row_bytes, 64);
  grid.slot_bytes =
      grid.sum_bytes + product_bytes_ + line_bytes_ + pack_bytes_ + tile_bytes_;
  return grid;
}

template <typename T>
void Col2ImPlan<T>::Run(const void* input, const void* kernel, void* out,
                        void* scratch, ParallelRunner& runner) const {
  const TaskGrid grid = GridFor(runner.num_threads());
  char* const transposed = static_cast<char*>(scratch);
  TransposeKernel(static_cast<const char*>(kernel), transposed);
  ForEachTask(runner, Tasks(grid), [&](int64_t i, int64_t slot) {
    char* const memory = transposed + kernel_bytes_ + slot * grid.slot_bytes;
    char* const products = memory + grid.sum_bytes;
    char* const line = products + product_bytes_;
    char* const pack_memory = line + line_bytes_;
    Task task = {};
    task.input = static_cast<const char*>(input);
    task.kernel = transposed;
    task.out = static_cast<char*>(out);
    task.sums = reinterpret_cast<T*>(memory);
    task.products = reinterpret_cast<T*>(products);
    task.line = reinterpret_cast<T*>(line);
    task.pack_memory = pack_memory;
    task.tile_memory = pack_memory + pack_bytes_;
    const int64_t block = i % blocks_, band = i / blocks_ % grid.bands;
    task.item = i / (blocks_ * grid.bands);
    for (int64_t d = 0; d <= rank_; ++d) {
      const ConvolutionDim& dim = desc_.dims[d];
      const int64_t size = d == rank_ ? block_size_
                           : d == 0   ? grid.band_size
                                      : dim.output;
      const int64_t first = d == rank_ ? block * size
                            : d == 0   ? band * size
                                       : 0;
      task.outputs.push_back({first, std::min(first + size, dim.output)});
      task.inputs.push_back(InputOf(dim, task.outputs.back()));
    }
    std::memset(memory, 0, grid.sum_bytes);
    RunTask(task);
  });
}

// Writes the kernel as [tap, feature, input feature].
template <typename T>
void Col2ImPlan<T>::TransposeKernel(const char* kernel, char* to) const {
  const int width = kind_.element_bytes();
  const int64_t features = desc_.out_features, depth = desc_.in_features;
  const int64_t bytes = primitive_util::ByteWidth(desc_.kernel);
  const RunConverter convert = RunConverterOf(desc_.kernel, kind_.left);
  char line[kMostFeatures * sizeof(double)];
  for (int64_t tap = 0; tap < sizes_.taps; ++tap) {
    char* const rows = to + tap * features * kernel_stride_ * width;
    for (int64_t k = 0; k < depth; ++k) {
      convert(kernel + (tap * depth + k) * features * bytes, line, features);
      for (int64_t f = 0; f < features; ++f) {
        std::memcpy(rows + (f * kernel_stride_ + k) * width, line + f * width,
                    width);
      }
    }
  }
}

template <typename T>
void Col2ImPlan<T>::RunTask(const Task& task) const {
  absl::InlinedVector<int64_t, 3> position(rank_ + 1);
  AddLines(task, 0, task.item, position.data());
  Store(task, 0, task.item, 0);
}

// Adds the products of all lines of input that have `position` in the
// dimensions before `dim`. `line` is the number of what these select.
template <typename T>
void Col2ImPlan<T>::AddLines(const Task& task, int64_t dim, int64_t line,
                             int64_t* position) const {
  if (dim == rank_) {
    Multiply(task, line, task.inputs[rank_].size());
    return AddTaps(task, 0, position, 0, 0, task.products);
  }
  const Range range = task.inputs[dim];
  const int64_t first_line = line * desc_.dims[dim].input;
  if (dim + 1 < rank_ || lines_at_once_ == 1) {
    for (int64_t i = range.first; i < range.end; ++i) {
      position[dim] = i;
      AddLines(task, dim + 1, first_line + i, position);
    }
    return;
  }
  for (int64_t i = range.first; i < range.end; i += lines_at_once_) {
    const int64_t lines = std::min(lines_at_once_, range.end - i);
    Multiply(task, first_line + i, lines * last_.input);
    for (int64_t l = 0; l < lines; ++l) {
      position[dim] = i + l;
      AddTaps(task, 0, position, 0, 0, task.products + l * last_.input);
    }
  }
}

// Multiplies the kernel with `columns` positions of the input, from those of
// `line` on that the task needs.
template <typename T>
void Col2ImPlan<T>::Multiply(const Task& task, int64_t line,
                             int64_t columns) const {
  if (columns == 0) return;
  const RightMatrix right = {
      desc_.input,
      task.input + (line * last_.input + task.inputs[rank_].first) *
                       desc_.in_features *
                       primitive_util::ByteWidth(desc_.input),
      desc_.in_features, /*transposed=*/true};
  ProductTile tile = {};
  tile.rows = rows_;
  tile.columns = tile.packed_columns = columns;
  tile.depth = desc_.in_features;
  tile.right = &right;
  tile.pack_memory = task.pack_memory;
  tile.out_type = kind_.sum;
  tile.out = task.products;
  tile.out_stride = columns_;
  if (kernel_in_place_) {
    tile.left = task.kernel;
    tile.left_stride = kernel_stride_;
  }
  const int width = kind_.element_bytes();
  const auto read_kernel = [&](int64_t row0, int64_t rows, int64_t depth0,
                               int64_t depth, void* to, int64_t stride) {
    for (int64_t i = 0; i < rows; ++i) {
      std::memcpy(static_cast<char*>(to) + i * stride * width,
                  task.kernel + ((row0 + i) * kernel_stride_ + depth0) * width,
                  depth * width);
    }
  };
  MultiplyTile(kind_, tile, read_kernel, task.tile_memory);
}

// Adds the products of a line of input at `position` to the lines of output
// that meet it. Those before `dim` are chosen: they select `line` of the
// task's lines, and `tap` of the kernel's.
template <typename T>
void Col2ImPlan<T>::AddTaps(const Task& task, int64_t dim,
                            const int64_t* position, int64_t line, int64_t tap,
                            const T* products) const {
  if (dim == rank_) return AddLine(task, line, tap, products);
  const ConvolutionDim& d = desc_.dims[dim];
  const Range range = task.outputs[dim];
  for (int64_t w = 0; w < d.kernel; ++w) {
    const int64_t output = position[dim] * d.base_dilation - PlaceOf(d, 0, w);
    if (output < range.first || output >= range.end) continue;
    AddTaps(task, dim + 1, position, line * range.size() + output - range.first,
            tap * d.kernel + w, products);
  }
}

// Adds the products of a line with one line of the kernel.
template <typename T>
void Col2ImPlan<T>::AddLine(const Task& task, int64_t line, int64_t tap,
                            const T* products) const {
  const int64_t holes = last_.base_dilation, features = desc_.out_features;
  const Range outputs = task.outputs[rank_], inputs = task.inputs[rank_];
  for (int64_t w = 0; w < last_.kernel; ++w) {
    // Input i meets output number i * holes + offset of the block, which is
    // number i + shift of its phase.
    const int64_t offset = -PlaceOf(last_, 0, w) - outputs.first;
    const int64_t shift = FloorOfRatio(offset, holes);
    const int64_t phase = offset - shift * holes;
    const int64_t count = CeilOfRatio(outputs.size() - phase, holes);
    const int64_t first = std::max(inputs.first, -shift);
    const int64_t end = std::min(inputs.end, count - shift);
    if (first >= end) continue;
    add_rows_(features, end - first,
              products + (tap * last_.kernel + w) * features * columns_ +
                  first - inputs.first,
              columns_,
              task.sums + ((line * holes + phase) * features) * sum_stride_ +
                  first + shift,
              sum_stride_);
  }
}

// Stores the lines of output that `line` of the dimensions before `dim`
// selects, whose sums are those of line `sum`.
template <typename T>
void Col2ImPlan<T>::Store(const Task& task, int64_t dim, int64_t line,
                          int64_t sum) const {
  const Range range = task.outputs[dim];
  if (dim == rank_) {
    return StoreLine(task.sums + sum * last_.base_dilation *
                                     desc_.out_features * sum_stride_,
                     range.size(), task.line,
                     task.out + (line * last_.output + range.first) *
                                    desc_.out_features *
                                    primitive_util::ByteWidth(desc_.out));
  }
  for (int64_t i = range.first; i < range.end; ++i) {
    Store(task, dim + 1, line * desc_.dims[dim].output + i,
          sum * range.size() + i - range.first);
  }
}

// Stores `count` positions, whose sums lie by phase and feature.
template <typename T>
void Col2ImPlan<T>::StoreLine(const T* sums, int64_t count, T* line,
                              char* out) const {
  const int64_t holes = last_.base_dilation, features = desc_.out_features;
  if (holes * features == 1) return convert_sums_(sums, out, count);
  for (int64_t phase = 0; phase < std::min(holes, count); ++phase) {
    const int64_t positions = CeilOfRatio(count - phase, holes);
    for (int64_t f = 0; f < features; ++f) {
      T* const to = line + phase * features + f;
      const T* const from = sums + (phase * features + f) * sum_stride_;
      for (int64_t i = 0; i < positions; ++i) {
        to[i * holes * features] = from[i];
      }
    }
  }
  convert_sums_(line, out, count * features);
}

}  // namespace

bool HasFewFeatures(const ConvolutionDesc& desc) {
  const ConvolutionSizes sizes(desc);
  if (sizes.groups > 1 || !SumsFloats(desc) || desc.in_features < 2 ||
      desc.in_features < desc.out_features ||
      desc.out_features > kMostFeatures || sizes.taps <= 1 ||
      sizes.taps * desc.out_features > kMostRows) {
    return false;
  }
  double computed = 1;
  for (const ConvolutionDim& dim : desc.dims) {
    if (dim.stride != 1) return false;
    computed *= static_cast<double>(InputOf(dim, {0, dim.output}).size()) *
                dim.base_dilation / dim.output;
  }
  return computed <= kMostComputed;
}

std::unique_ptr<const ConvolutionPlan> PlanFewFeatures(
    const ConvolutionDesc& desc, const KernelTarget& target) {
  const ProductKind kind =
      ProductKindOf(desc.kernel, desc.input, desc.out, target.caches);
  if (kind.sum == F32) return std::make_unique<Col2ImPlan<float>>(desc, target);
  return std::make_unique<Col2ImPlan<double>>(desc, target);
}

}  // namespace xla::cpu
