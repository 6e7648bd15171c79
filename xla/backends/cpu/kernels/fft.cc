// Divides transforms of arrays into those of lines, a few side by side, and
// copies lines from and to the arrays.
#include "xla/backends/cpu/kernels/fft.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/backends/cpu/kernels/fft_line.h"
#include "xla/base/checked_math.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// The complex numbers transformed per nanosecond.
constexpr double kElementRate = 0.5;
// The most lines that are transformed side by side: a vector of 512 bits of
// F32. There are fewer if together they would have more complex numbers than
// the limits below, with which both buffers take about half of an L1 cache for
// rows and half of an L2 cache for columns. Single lines run other code than
// several, with other last bits, so these limits are the same on all
// processors.
constexpr int64_t kMaxLines = 16;
constexpr int64_t kRowElements = 1 << 10;
constexpr int64_t kColumnElements = 1 << 16;

// A transform of complex arrays [outer, length, inner] along the middle.
template <typename T>
struct Pass {
  const FftLine<T>* line;
  int64_t outer, inner;
  int64_t lines;  // side by side
  bool inverse;
  T factor;

  int64_t groups() const {
    return inner == 1 ? CeilOfRatio(outer, lines)
                      : outer * CeilOfRatio(inner, lines);
  }
};

// Finds which of several lines side by side have only zero imaginary parts.
class RealLines {
 public:
  // `im` holds the imaginary parts of `lines` lines: element j of line l is at
  // j * lines + l.
  template <typename T>
  RealLines(const T* im, int64_t length, int64_t lines) : lines_(lines) {
    is_real_.fill(true);
    any_ = true;
    for (int64_t j = 0; any_ && j < length; ++j, im += lines) {
      any_ = false;
      for (int64_t l = 0; l < lines; ++l) {
        is_real_[l] = is_real_[l] && im[l] == 0;
        any_ = any_ || is_real_[l];
      }
    }
  }

  // Makes their transforms z exactly conjugate-symmetric, which rounding would
  // prevent for lengths with large prime factors.
  template <typename T>
  void MakeSymmetric(SplitComplex<T> z, int64_t length) const {
    if (!any_) return;
    for (int64_t k = 0; 2 * k <= length; ++k) {
      const int64_t mirror = k == 0 ? 0 : length - k;
      for (int64_t l = 0; l < lines_; ++l) {
        if (!is_real_[l]) continue;
        const int64_t from = k * lines_ + l, to = mirror * lines_ + l;
        z.re[to] = z.re[from];
        z.im[to] = from == to ? T{0} : -z.im[from];
      }
    }
  }

 private:
  const int64_t lines_;
  std::array<bool, kMaxLines> is_real_;
  bool any_;
};

template <typename T>
class PlanOf : public FftPlan {
 public:
  PlanOf(const FftDesc& desc, const KernelTarget& target);

  size_t ScratchBytes(int num_threads) const override {
    return array_bytes_ + WorkerSlots(max_tasks_, num_threads) * slot_bytes_;
  }
  void Run(const void* in, void* out, void* scratch,
           ParallelRunner& runner) const override;

 private:
  // The buffers of a task.
  struct Buffers {
    SplitComplex<T> data, other;
  };
  Buffers BuffersAt(char* slots, int64_t slot) const {
    T* memory = reinterpret_cast<T*>(slots + slot * slot_bytes_);
    return {{memory, memory + buffer_size_},
            {memory + 2 * buffer_size_, memory + 3 * buffer_size_}};
  }

  const FftLine<T>* LineOf(int64_t length);
  int64_t LinesOf(const FftLine<T>& line, bool rows) const;
  // Calls run(group, buffers) for each group; a task takes successive groups.
  template <typename F>
  void ForGroups(int64_t groups, int64_t group_elements, char* slots,
                 ParallelRunner& runner, const F& run) const;
  void RunComplex(const Pass<T>& pass, const T* in, T* out, char* slots,
                  ParallelRunner& runner) const;
  void RunRealRows(const T* in, T* out, char* slots,
                   ParallelRunner& runner) const;
  void RunToRealRows(const T* in, T* out, char* slots,
                     ParallelRunner& runner) const;

  const FftDesc desc_;
  const FftStages<T>& stages_;
  const int64_t task_elements_;
  bool is_empty_ = false;
  std::vector<std::unique_ptr<FftLine<T>>> lines_;
  std::vector<Pass<T>> passes_;  // of complex arrays, in order
  // These are for the last dimension of real transforms.
  const FftLine<T>* real_line_ = nullptr;
  int64_t real_rows_ = 0;
  std::vector<T> real_re_, real_im_;  // exp(-2 pi i k / n)
  T factor_ = 1;
  int64_t buffer_size_ = 0;  // reals in half a buffer
  size_t array_bytes_ = 0, slot_bytes_ = 0;
  int64_t max_tasks_ = 1;
};

template <typename T>
const FftLine<T>* PlanOf<T>::LineOf(int64_t length) {
  for (const auto& line : lines_) {
    if (line->length() == length) return line.get();
  }
  lines_.push_back(std::make_unique<FftLine<T>>(length));
  return lines_.back().get();
}

template <typename T>
int64_t PlanOf<T>::LinesOf(const FftLine<T>& line, bool rows) const {
  const int64_t room =
      (rows ? kRowElements : kColumnElements) / line.buffer_length();
  // A few rows side by side are no faster than one after the other.
  if (rows) return room >= kMaxLines ? kMaxLines : 1;
  return std::clamp<int64_t>(room, 1, kMaxLines);
}

template <typename T>
PlanOf<T>::PlanOf(const FftDesc& desc, const KernelTarget& target)
    : desc_(desc),
      stages_(FftStagesOf<T>()),
      task_elements_(target.TaskUnits(kElementRate)) {
  const int rank = static_cast<int>(desc.lengths.size());
  const bool inverse = desc.type == IFFT || desc.type == IRFFT;
  const bool real = desc.type == RFFT || desc.type == IRFFT;
  int64_t elements = desc.batch;  // complex
  double product = 1;
  absl::InlinedVector<int64_t, 3> sizes = desc.lengths;
  if (real && sizes.back() > 0) sizes.back() = sizes.back() / 2 + 1;
  for (int d = 0; d < rank; ++d) {
    elements *= sizes[d];
    product *= static_cast<double>(desc.lengths[d]);
  }
  is_empty_ = elements == 0;
  if (is_empty_) return;
  if (inverse) factor_ = static_cast<T>(1 / product);
  int64_t inner = 1;
  for (int d = rank - 1; d >= 0; --d) {
    if (d < rank - 1 || !real) {
      const FftLine<T>* line = LineOf(desc.lengths[d]);
      passes_.push_back({line, elements / (sizes[d] * inner), inner,
                         LinesOf(*line, inner == 1), inverse, T{1}});
      buffer_size_ =
          std::max(buffer_size_, line->buffer_length() * passes_.back().lines);
    }
    inner *= sizes[d];
  }
  if (real) {
    const int64_t n = desc.lengths.back();
    real_rows_ = elements / sizes.back();
    // Lines of even length are computed as complex lines of half the length.
    real_line_ = LineOf(n % 2 == 0 ? n / 2 : n);
    buffer_size_ = std::max(buffer_size_, real_line_->buffer_length());
    for (int64_t k = 0; n % 2 == 0 && k <= n / 2; ++k) {
      T re, im;
      UnitRoot(k, n, &re, &im);
      real_re_.push_back(re);
      real_im_.push_back(im);
    }
    if (desc.type == IRFFT && rank > 1) {
      array_bytes_ = RoundUpTo(elements * 2 * sizeof(T), 64);
    }
  } else {
    passes_.back().factor = factor_;
  }
  slot_bytes_ = RoundUpTo(4 * buffer_size_ * sizeof(T), 64);
  max_tasks_ = std::max<int64_t>(elements / task_elements_, 1);
}

template <typename T>
template <typename F>
void PlanOf<T>::ForGroups(int64_t groups, int64_t group_elements, char* slots,
                          ParallelRunner& runner, const F& run) const {
  const int64_t tasks =
      std::clamp<int64_t>(groups * group_elements / task_elements_, 1,
                          std::min(groups, max_tasks_));
  ForEachRange(runner, groups, tasks,
               [&](int64_t first, int64_t last, int64_t slot) {
                 const Buffers buffers = BuffersAt(slots, slot);
                 for (int64_t g = first; g < last; ++g) run(g, buffers);
               });
}

template <typename T>
void PlanOf<T>::RunComplex(const Pass<T>& pass, const T* in, T* out,
                           char* slots, ParallelRunner& runner) const {
  const int64_t length = pass.line->length();
  const auto run = [&](int64_t group, const Buffers& buffers) {
    int64_t first, count, row_stride;
    if (pass.inner == 1) {
      first = group * pass.lines * length;
      count = std::min(pass.lines, pass.outer - group * pass.lines);
      row_stride = length;
    } else {
      const int64_t blocks = CeilOfRatio(pass.inner, pass.lines);
      const int64_t column = group % blocks * pass.lines;
      first = group / blocks * length * pass.inner + column;
      count = std::min(pass.lines, pass.inner - column);
      row_stride = 1;
    }
    SplitComplex<T> data = buffers.data, other = buffers.other;
    // An inverse transform swaps real and imaginary parts before and after.
    if (pass.inverse) {
      std::swap(data.re, data.im);
      std::swap(other.re, other.im);
    }
    stages_.split(in + 2 * first, count, row_stride, length, pass.inner, data);
    if (pass.inverse) {
      std::swap(data.re, data.im);
      std::swap(other.re, other.im);
    }
    const RealLines real(pass.inverse ? data.re : data.im, length, count);
    SplitComplex<T> result = pass.line->Run(data, other, count);
    if (pass.inverse) std::swap(result.re, result.im);
    real.MakeSymmetric(result, length);
    stages_.join(result, count, row_stride, length, pass.inner, pass.factor,
                 out + 2 * first);
  };
  ForGroups(pass.groups(), length * pass.lines, slots, runner, run);
}

template <typename T>
void PlanOf<T>::RunRealRows(const T* in, T* out, char* slots,
                            ParallelRunner& runner) const {
  const int64_t n = desc_.lengths.back(), half = n / 2;
  const auto run = [&](int64_t row, const Buffers& buffers) {
    const T* from = in + row * n;
    T* to = out + row * 2 * (half + 1);
    if (n % 2 != 0) {
      std::copy(from, from + n, buffers.data.re);
      std::fill(buffers.data.im, buffers.data.im + n, T{0});
      const SplitComplex<T> z = real_line_->Run(buffers.data, buffers.other, 1);
      z.im[0] = 0;
      return stages_.join(z, 1, 1, half + 1, 1, T{1}, to);
    }
    stages_.split(from, 1, 1, half, 1, buffers.data);
    const SplitComplex<T> z = real_line_->Run(buffers.data, buffers.other, 1);
    stages_.take_apart(z, half, real_re_.data(), real_im_.data(), to);
  };
  ForGroups(real_rows_, half + 1, slots, runner, run);
}

template <typename T>
void PlanOf<T>::RunToRealRows(const T* in, T* out, char* slots,
                              ParallelRunner& runner) const {
  const int64_t n = desc_.lengths.back(), half = n / 2;
  const auto run = [&](int64_t row, const Buffers& buffers) {
    const T* from = in + row * 2 * (half + 1);
    T* to = out + row * n;
    const SplitComplex<T>& x = buffers.data;
    // For the inverse, parts are swapped throughout: x.im holds real parts.
    if (n % 2 != 0) {
      for (int64_t k = 0; k <= half; ++k) {
        const int64_t mirror = k == 0 ? 0 : n - k;
        x.im[mirror] = from[2 * k];
        x.re[mirror] = -from[2 * k + 1];
        x.im[k] = from[2 * k];
        x.re[k] = k == 0 ? 0 : from[2 * k + 1];
      }
      const SplitComplex<T> z = real_line_->Run(x, buffers.other, 1);
      for (int64_t j = 0; j < n; ++j) to[j] = z.im[j] * factor_;
      return;
    }
    stages_.put_together(from, half, real_re_.data(), real_im_.data(),
                         {x.im, x.re});
    const SplitComplex<T> z = real_line_->Run(x, buffers.other, 1);
    stages_.join({z.im, z.re}, 1, 1, half, 1, factor_, to);
  };
  ForGroups(real_rows_, half + 1, slots, runner, run);
}

template <typename T>
void PlanOf<T>::Run(const void* in, void* out, void* scratch,
                    ParallelRunner& runner) const {
  if (is_empty_) return;
  const T* from = static_cast<const T*>(in);
  T* to = static_cast<T*>(out);
  char* slots = static_cast<char*>(scratch) + array_bytes_;
  switch (desc_.type) {
    case RFFT:
      RunRealRows(from, to, slots, runner);
      from = to;
      break;
    case IRFFT:
      if (!passes_.empty()) to = static_cast<T*>(scratch);
      break;
    default:
      break;
  }
  for (const Pass<T>& pass : passes_) {
    RunComplex(pass, from, to, slots, runner);
    from = to;
  }
  if (desc_.type == IRFFT) {
    RunToRealRows(from, static_cast<T*>(out), slots, runner);
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<const FftPlan>> FftPlan::Make(
    const FftDesc& desc, const KernelTarget& target) {
  if (desc.lengths.empty() || desc.lengths.size() > 3) {
    return absl::InvalidArgumentError(
        absl::StrCat("fft: one to three lengths, got ", desc.lengths.size()));
  }
  double elements = static_cast<double>(desc.batch);
  bool negative = desc.batch < 0;
  for (int64_t length : desc.lengths) {
    elements *= static_cast<double>(std::max<int64_t>(length, 1));
    negative = negative || length < 0;
  }
  // The tables of a plan are as long as its lengths, which limits these.
  const int64_t longest =
      *std::max_element(desc.lengths.begin(), desc.lengths.end());
  if (negative || elements > 0x1p50 || longest > (int64_t{1} << 32)) {
    return absl::InvalidArgumentError(
        absl::StrCat("fft: lengths ", absl::StrJoin(desc.lengths, ","),
                     " with batch ", desc.batch, " are negative or too large"));
  }
  const VectorLevelScope scope(target.vector_level);
  if (desc.wide) return std::make_unique<const PlanOf<double>>(desc, target);
  return std::make_unique<const PlanOf<float>>(desc, target);
}

}  // namespace xla::cpu
