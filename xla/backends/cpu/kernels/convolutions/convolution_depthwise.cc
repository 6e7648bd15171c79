// Depthwise convolutions: vectors over features, with the sums of several
// neighbouring positions in registers.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "xla/backends/cpu/kernels/convolutions/convolution_algorithms.h"
#include "xla/backends/cpu/kernels/convolutions/convolution_taps.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/backends/cpu/kernels/vector/element_runs.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// The multiplications, if few taps share what is read from memory, and the
// elements converted, per nanosecond.
constexpr double kMultiplyRate = 16;
constexpr double kConvertRate = 4;
// The positions of a piece of a line, which begins with some that meet padding
// or what another piece has read: at least so many.
constexpr int64_t kMinPiece = 4 * kMaxPositions;
// The bytes of results after which `finish` is called.
constexpr int64_t kFinishedBytes = 8 << 10;

// Copies `count` elements of `width` bytes, 4 or 8, which are `from_step` and
// `to_step` elements apart.
template <typename T>
void CopyStepsAs(int64_t count, const char* from, int64_t from_step, char* to,
                 int64_t to_step) {
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * to_step * sizeof(T), from + i * from_step * sizeof(T),
                sizeof(T));
  }
}
void CopySteps(int width, int64_t count, const char* from, int64_t from_step,
               char* to, int64_t to_step) {
  width == sizeof(float)
      ? CopyStepsAs<float>(count, from, from_step, to, to_step)
      : CopyStepsAs<double>(count, from, from_step, to, to_step);
}

// Lines are divided into pieces, whose input stays in the second cache until
// the next line's piece has read it. Input of other types than that of sums is
// converted line by line; scratch keeps those that further lines meet, too.
class DepthwisePlan : public ConvolutionPlan {
 public:
  DepthwisePlan(const ConvolutionDesc& desc, const KernelTarget& target);

  size_t ScratchBytes(int num_threads) const override {
    return kernel_bytes_ + WorkerSlots(tasks_, num_threads) * slot_bytes_;
  }
  void Run(const void* input, const void* kernel, void* out, void* scratch,
           ParallelRunner& runner) const override {
    RunLines(input, kernel, out, scratch, runner, /*finish=*/nullptr);
  }
  void RunAndFinish(const void* input, const void* kernel, void* out,
                    void* scratch, ParallelRunner& runner,
                    const TileFinish& finish) const override {
    RunLines(input, kernel, out, scratch, runner, &finish);
  }

 private:
  friend class PieceRunner;

  void RunLines(const void* input, const void* kernel, void* out, void* scratch,
                ParallelRunner& runner, const TileFinish* finish) const;
  void DivideLines(const KernelTarget& target);
  void PackKernel(const char* kernel, char* packed, char* slots,
                  ParallelRunner& runner) const;

  const ConvolutionDesc desc_;
  const ConvolutionSizes sizes_;
  PrimitiveType sum_;
  int width_;                        // bytes of a sum
  std::vector<TapKernels> kernels_;  // by phase
  RunConverter convert_input_, convert_kernel_, convert_sums_;
  bool converts_input_, packs_kernel_, stores_directly_;
  int64_t rank_;  // of the dimensions before the last one, which may be missing
  ConvolutionDim last_;
  std::vector<LinePhase> phases_;
  int64_t lines_;           // of a batch item
  int64_t tap_lines_;       // lines of the kernel
  int64_t kept_lines_;      // converted lines of input in scratch
  int64_t pieces_, piece_;  // of a line, and the positions of the longest
  int64_t tasks_, pack_tasks_;
  // Scratch holds the kernel as [output feature of a group][element][group],
  // and for each slot lines of taps, masks, converted lines with their numbers,
  // and the sums of a piece by group and by output feature.
  size_t kernel_bytes_, tap_bytes_, mask_bytes_, number_bytes_, line_bytes_,
      sum_bytes_, row_bytes_, slot_bytes_;
};

DepthwisePlan::DepthwisePlan(const ConvolutionDesc& desc,
                             const KernelTarget& target)
    : desc_(desc), sizes_(desc) {
  sum_ = ProductKindOf(desc.input, desc.kernel, desc.out, target.caches).sum;
  width_ = primitive_util::ByteWidth(sum_);
  convert_input_ = RunConverterOf(desc.input, sum_);
  convert_kernel_ = RunConverterOf(desc.kernel, sum_);
  convert_sums_ = RunConverterOf(sum_, desc.out);
  converts_input_ = desc.input != sum_;
  packs_kernel_ = desc.kernel != sum_ || sizes_.group_out != 1;
  stores_directly_ = desc.out == sum_ && sizes_.group_out == 1;
  rank_ = std::max<int64_t>(desc.dims.size(), 1) - 1;
  last_ = desc.dims.empty() ? ConvolutionDim{} : desc.dims.back();
  phases_ = LinePhasesOf(last_);
  for (const LinePhase& phase : phases_) {
    kernels_.push_back(TapKernelsOf(sum_, phase));
  }
  lines_ = tap_lines_ = kept_lines_ = 1;
  for (int64_t d = 0; d < rank_; ++d) {
    const ConvolutionDim& dim = desc.dims[d];
    lines_ *= dim.output;
    tap_lines_ *= dim.kernel;
    kept_lines_ *= LinesMet(dim, dim.kernel, dim.window_dilation);
  }
  DivideLines(target);
  pack_tasks_ = std::clamp<int64_t>(
      sizes_.taps * desc.out_features / target.TaskUnits(kConvertRate), 1,
      std::max<int64_t>(sizes_.taps, 1));
  kernel_bytes_ = packs_kernel_
                      ? RoundUpTo(sizes_.taps * desc.out_features * width_, 64)
                      : 0;
  tap_bytes_ = RoundUpTo(tap_lines_ * sizeof(TapLine), 64);
  mask_bytes_ = RoundUpTo(last_.kernel, 64);
  number_bytes_ =
      converts_input_ ? RoundUpTo(kept_lines_ * sizeof(int64_t), 64) : 0;
  sum_bytes_ =
      stores_directly_ ? 0 : RoundUpTo(piece_ * desc.out_features * width_, 64);
  row_bytes_ =
      sizes_.group_out == 1 ? 0 : RoundUpTo(desc.out_features * width_, 64);
  slot_bytes_ = tap_bytes_ + mask_bytes_ + number_bytes_ +
                kept_lines_ * line_bytes_ + sum_bytes_ + row_bytes_;
}

// Pieces are as long as their input, and that of the lines that they share it
// with, takes half of the second cache, but shorter where there would not be
// enough for all threads.
void DepthwisePlan::DivideLines(const KernelTarget& target) {
  const int64_t line = last_.output;
  const int64_t position_bytes =
      CeilOfRatio(last_.stride, last_.base_dilation) * desc_.in_features *
      width_ * (kept_lines_ + 1);
  const int64_t fitting = std::max(
      target.caches.l2_bytes / 2 / std::max<int64_t>(position_bytes, 1),
      kMinPiece);
  const int64_t all_lines = sizes_.out_batch * lines_;
  const double work = 1.0 * all_lines * line * sizes_.taps * desc_.out_features;
  const int64_t wanted = static_cast<int64_t>(
      std::min(work / target.TaskUnits(kMultiplyRate), 1e15));
  pieces_ =
      std::max(CeilOfRatio(line, fitting),
               std::min(CeilOfRatio(wanted, all_lines), line / kMinPiece));
  pieces_ = std::max<int64_t>(pieces_, 1);
  piece_ = CeilOfRatio(line, pieces_);
  if (piece_ > kMaxPositions && pieces_ > 1) {
    piece_ = RoundUpTo(piece_, kMaxPositions);
    pieces_ = CeilOfRatio(line, piece_);
  }
  tasks_ = std::clamp<int64_t>(wanted, 1, all_lines * pieces_);
  line_bytes_ = 0;
  if (!converts_input_) return;
  int64_t inputs = 0;
  for (int64_t i = 0; i < pieces_; ++i) {
    const InputRange range =
        InputsOf(last_, i * piece_, std::min((i + 1) * piece_, line));
    inputs = std::max(inputs, range.end - range.begin);
  }
  line_bytes_ = RoundUpTo(inputs * desc_.in_features * width_, 64);
}

void DepthwisePlan::PackKernel(const char* kernel, char* packed, char* slots,
                               ParallelRunner& runner) const {
  const int64_t group_out = sizes_.group_out;
  const int64_t row_bytes =
      desc_.out_features * primitive_util::ByteWidth(desc_.kernel);
  const auto pack = [&](int64_t first, int64_t last, int64_t slot) {
    if (group_out == 1) {
      convert_kernel_(kernel + first * row_bytes,
                      packed + first * desc_.out_features * width_,
                      (last - first) * desc_.out_features);
      return;
    }
    char* const row = slots + (slot + 1) * slot_bytes_ - row_bytes_;
    for (int64_t t = first; t < last; ++t) {
      convert_kernel_(kernel + t * row_bytes, row, desc_.out_features);
      for (int64_t j = 0; j < group_out; ++j) {
        CopySteps(width_, sizes_.groups, row + j * width_, group_out,
                  packed + (j * sizes_.taps + t) * sizes_.groups * width_, 1);
      }
    }
  };
  ForEachRange(runner, sizes_.taps, std::min(pack_tasks_, tasks_), pack);
}

// Computes pieces of lines of output.
class PieceRunner {
 public:
  PieceRunner(const DepthwisePlan& plan, const char* input, const char* kernel,
              char* out, char* scratch, const TileFinish* finish)
      : plan_(plan),
        desc_(plan.desc_),
        input_(input),
        kernel_(kernel),
        out_(out),
        finish_(finish),
        taps_(reinterpret_cast<TapLine*>(scratch)),
        masks_(reinterpret_cast<uint8_t*>(scratch + plan.tap_bytes_)),
        numbers_(reinterpret_cast<int64_t*>(scratch + plan.tap_bytes_ +
                                            plan.mask_bytes_)),
        kept_(scratch + plan.tap_bytes_ + plan.mask_bytes_ +
              plan.number_bytes_),
        sums_(kept_ + plan.kept_lines_ * plan.line_bytes_),
        row_(sums_ + plan.sum_bytes_),
        feature_bytes_(plan.sizes_.groups * plan.width_),
        output_(plan.rank_) {}

  // Runs units [first, last), each of which is a piece of a line. The lines of
  // one batch item are neighbours if they are cut at the same places.
  void Run(int64_t first, int64_t last) {
    piece_number_ = -1;
    for (int64_t unit = first; unit < last; ++unit) {
      const int64_t line = unit % plan_.lines_;
      const int64_t pieces = unit / plan_.lines_;
      if (pieces != piece_number_) StartPiece(pieces);
      OutputPosition(desc_, plan_.rank_, line, output_.data());
      RunPiece((item_ * plan_.lines_ + line) * plan_.last_.output + first_);
    }
    FlushFinish();
  }

 private:
  void StartPiece(int64_t number) {
    piece_number_ = number;
    item_ = number / plan_.pieces_;
    first_ = number % plan_.pieces_ * plan_.piece_;
    last_ = std::min(first_ + plan_.piece_, plan_.last_.output);
    if (!plan_.converts_input_) return;
    inputs_ = InputsOf(plan_.last_, first_, last_);
    std::fill_n(numbers_, plan_.kept_lines_, -1);
  }

  // Adds the lines of taps of dimensions from `d` on; `input` and `tap` are the
  // linear positions in the dimensions before, and `kept` the place of the line
  // among those in scratch.
  void FindLines(int64_t d, int64_t input, int64_t tap, int64_t kept) {
    if (d == plan_.rank_) {
      taps_[count_++] = {InputLine(input, kept),
                         kernel_ + tap * plan_.last_.kernel * feature_bytes_};
      return;
    }
    const ConvolutionDim& dim = desc_.dims[d];
    const int64_t ring = LinesMet(dim, dim.kernel, dim.window_dilation);
    for (int64_t w = 0; w < dim.kernel; ++w) {
      const int64_t at = InputPosition(dim, output_[d], w);
      if (at < 0) continue;
      FindLines(d + 1, input * dim.input + at, tap * dim.kernel + w,
                kept * ring + at % ring);
    }
  }

  // Returns input line number `line`, from where position 0 would be.
  const char* InputLine(int64_t line, int64_t kept) {
    if (!plan_.converts_input_) {
      return input_ + line * plan_.last_.input * feature_bytes_;
    }
    char* const to = kept_ + kept * plan_.line_bytes_;
    if (numbers_[kept] != line) {
      numbers_[kept] = line;
      const int64_t from =
          (line * plan_.last_.input + inputs_.begin) * desc_.in_features;
      plan_.convert_input_(
          input_ + from * primitive_util::ByteWidth(desc_.input), to,
          (inputs_.end - inputs_.begin) * desc_.in_features);
    }
    return to - inputs_.begin * feature_bytes_;
  }

  // `position` is the number of the piece's first position among all.
  void RunPiece(int64_t position) {
    count_ = 0;
    FindLines(0, item_, 0, 0);
    char* const to = out_ + position * desc_.out_features *
                                primitive_util::ByteWidth(desc_.out);
    const int64_t positions = last_ - first_;
    if (plan_.stores_directly_) {
      SumPiece(0, to);
    } else if (plan_.sizes_.group_out == 1) {
      SumPiece(0, sums_);
      plan_.convert_sums_(sums_, to, positions * desc_.out_features);
    } else {
      RunGroups(to);
    }
    if (finish_ == nullptr) return;
    if (position != finish_begin_ + finish_rows_) {
      FlushFinish();
      finish_begin_ = position;
    }
    finish_rows_ += positions;
    if (finish_rows_ * desc_.out_features *
            primitive_util::ByteWidth(desc_.out) >=
        kFinishedBytes) {
      FlushFinish();
    }
  }

  void FlushFinish() {
    if (finish_ != nullptr && finish_rows_ > 0) {
      finish_->function(finish_begin_, finish_rows_, 0, desc_.out_features);
    }
    finish_begin_ += finish_rows_;
    finish_rows_ = 0;
  }

  // Computes several output features of each group: one after the other, since
  // features of a kind are neighbours in the packed kernel.
  void RunGroups(char* to) {
    const int64_t group_out = plan_.sizes_.group_out;
    const int64_t feature = plan_.piece_ * feature_bytes_;
    for (int64_t j = 0; j < group_out; ++j) {
      SumPiece(j * plan_.sizes_.taps * feature_bytes_, sums_ + j * feature);
    }
    const int64_t out_bytes =
        desc_.out_features * primitive_util::ByteWidth(desc_.out);
    for (int64_t p = 0; p < last_ - first_; ++p) {
      for (int64_t j = 0; j < group_out; ++j) {
        CopySteps(plan_.width_, plan_.sizes_.groups,
                  sums_ + j * feature + p * feature_bytes_, 1,
                  row_ + j * plan_.width_, group_out);
      }
      plan_.convert_sums_(row_, to + p * out_bytes, desc_.out_features);
    }
  }

  // Writes the sums of the piece with the kernel from byte `kernel` on.
  void SumPiece(int64_t kernel, char* to) {
    TapBlock block = {};
    block.lines = taps_;
    block.count = count_;
    block.kernel_start = kernel;
    block.channels = plan_.sizes_.groups;
    block.input_step = block.kernel_step = block.out_step = feature_bytes_;
    for (size_t i = 0; i < plan_.phases_.size(); ++i) {
      const LinePhase& phase = plan_.phases_[i];
      const int64_t end = phase.PositionsBefore(last_);
      for (int64_t j = phase.PositionsBefore(first_); j < end;) {
        const int64_t count = std::min<int64_t>(kMaxPositions, end - j);
        const int64_t at = phase.first_output + j * phase.output_step - first_;
        block.out = to + at * feature_bytes_;
        FindMasks(plan_.last_, phase, j, count, masks_);
        RunTaps(plan_.kernels_[i], plan_.last_, phase, j, count, block, masks_);
        j += count;
      }
    }
  }

  const DepthwisePlan& plan_;
  const ConvolutionDesc& desc_;
  const char* const input_;
  const char* const kernel_;
  char* const out_;
  const TileFinish* const finish_;
  TapLine* const taps_;
  uint8_t* const masks_;
  int64_t* const numbers_;  // of the converted lines
  char* const kept_;        // those lines
  char* const sums_;
  char* const row_;
  const int64_t feature_bytes_;  // of the features of a position
  absl::InlinedVector<int64_t, 3> output_;
  int64_t piece_number_ = -1;  // of all pieces of all batch items
  int64_t item_ = 0, first_ = 0, last_ = 0;
  InputRange inputs_ = {0, 0};
  int64_t count_ = 0;
  // Rows of the result that are written but not finished.
  int64_t finish_begin_ = 0, finish_rows_ = 0;
};

void DepthwisePlan::RunLines(const void* input, const void* kernel, void* out,
                             void* scratch, ParallelRunner& runner,
                             const TileFinish* finish) const {
  char* const packed = static_cast<char*>(scratch);
  char* const slots = packed + kernel_bytes_;
  const char* weights = static_cast<const char*>(kernel);
  if (packs_kernel_) {
    PackKernel(weights, packed, slots, runner);
    weights = packed;
  }
  const int64_t units = sizes_.out_batch * pieces_ * lines_;
  ForEachRange(
      runner, units, tasks_, [&](int64_t first, int64_t last, int64_t slot) {
        PieceRunner(*this, static_cast<const char*>(input), weights,
                    static_cast<char*>(out), slots + slot * slot_bytes_, finish)
            .Run(first, last);
      });
}

}  // namespace

bool IsDepthwise(const ConvolutionDesc& desc) {
  return desc.feature_groups != 1 && ConvolutionSizes(desc).group_in == 1 &&
         SumsFloats(desc);
}

std::unique_ptr<const ConvolutionPlan> PlanDepthwise(
    const ConvolutionDesc& desc, const KernelTarget& target) {
  return std::make_unique<DepthwisePlan>(desc, target);
}

}  // namespace xla::cpu
