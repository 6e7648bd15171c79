// Factors lengths and runs the stages.
#include "xla/backends/cpu/kernels/fft_line.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

namespace xla::cpu {
namespace {

// Returns indices into kFftRadices of radices whose product is n; none if n has
// other prime factors.
std::vector<int> Factor(int64_t n) {
  std::vector<int> factors;
  const int64_t twos = n == 0 ? 0 : std::countr_zero(static_cast<uint64_t>(n));
  // Uses as few stages as possible, and prefers 4 and 4 to 8 and 2.
  int64_t eights = twos / 3;
  if (twos % 3 == 1 && eights > 0) --eights;
  int64_t rest = n >> twos;
  for (int64_t i = 0; i < eights; ++i) factors.push_back(0);
  for (int64_t left = twos - 3 * eights; left > 0; left -= 2) {
    factors.push_back(left >= 2 ? 1 : 2);
  }
  for (size_t r = 3; r < kFftRadices.size(); ++r) {
    for (; rest % kFftRadices[r] == 0 && rest > 1; rest /= kFftRadices[r]) {
      factors.push_back(static_cast<int>(r));
    }
  }
  return rest > 1 ? std::vector<int>() : factors;
}

}  // namespace

template <typename T>
void UnitRoot(int64_t k, int64_t n, T* re, T* im) {
  // The angle is reduced to [0, pi / 4], where the functions are most exact.
  k %= n;
  bool negate_im = true;
  if (2 * k > n) {
    k = n - k;
    negate_im = false;
  }
  const bool negate_re = 4 * k > n;
  const auto quarter = negate_re ? n - 2 * k : 2 * k;  // of pi / n
  const bool swap = 4 * quarter > n;
  // The angle is quarter * pi / n, or pi / 2 minus that.
  const double angle = swap ? std::numbers::pi *
                                  (0.5 * static_cast<double>(n - 2 * quarter)) /
                                  static_cast<double>(n)
                            : std::numbers::pi * static_cast<double>(quarter) /
                                  static_cast<double>(n);
  double cosine = std::cos(angle), sine = std::sin(angle);
  if (swap) std::swap(cosine, sine);
  *re = static_cast<T>(negate_re ? -cosine : cosine);
  *im = static_cast<T>(negate_im ? -sine : sine);
}
template void UnitRoot<float>(int64_t, int64_t, float*, float*);
template void UnitRoot<double>(int64_t, int64_t, double*, double*);

template <typename T>
FftLine<T>::FftLine(int64_t length)
    : length_(length), stages_(FftStagesOf<T>()) {
  if (length <= 1) return;
  const std::vector<int> factors = Factor(length);
  if (factors.empty()) {
    PrepareConvolution();
    return;
  }
  int64_t n = length;
  for (int index : factors) {
    const int radix = kFftRadices[index];
    Step step;
    step.radix = index;
    step.m = n / radix;
    step.roots_re.resize((radix - 1) * step.m);
    step.roots_im.resize((radix - 1) * step.m);
    for (int q = 1; q < radix; ++q) {
      for (int64_t p = 0; p < step.m; ++p) {
        const int64_t at = (q - 1) * step.m + p;
        UnitRoot(p * q, n, &step.roots_re[at], &step.roots_im[at]);
      }
    }
    steps_.push_back(std::move(step));
    n /= radix;
  }
}

template <typename T>
int64_t FftLine<T>::buffer_length() const {
  return longer_ != nullptr ? longer_->length() : std::max<int64_t>(length_, 1);
}

// With j k = (j^2 + k^2 - (k - j)^2) / 2, a transform is a convolution with the
// conjugate of exp(-pi i j^2 / n) between two products with it.
template <typename T>
void FftLine<T>::PrepareConvolution() {
  const int64_t n = length_;
  longer_ = std::make_unique<FftLine>(
      static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * n - 1))));
  const int64_t size = longer_->length();
  chirp_re_.resize(n);
  chirp_im_.resize(n);
  std::vector<T> memory(4 * size, T{0});
  SplitComplex<T> filter = {memory.data(), memory.data() + size};
  int64_t square = 0;  // j^2 modulo 2 n
  for (int64_t j = 0; j < n; ++j) {
    UnitRoot(square, 2 * n, &chirp_re_[j], &chirp_im_[j]);
    for (int64_t at : {j, j == 0 ? 0 : size - j}) {
      filter.re[at] = chirp_re_[j] / static_cast<T>(size);
      filter.im[at] = -chirp_im_[j] / static_cast<T>(size);
    }
    square = (square + 2 * j + 1) % (2 * n);
  }
  filter = longer_->Run(
      filter, {memory.data() + 2 * size, memory.data() + 3 * size}, 1);
  filter_re_.assign(filter.re, filter.re + size);
  filter_im_.assign(filter.im, filter.im + size);
}

template <typename T>
SplitComplex<T> FftLine<T>::Convolve(SplitComplex<T> data,
                                     SplitComplex<T> other,
                                     int64_t lines) const {
  const int64_t size = longer_->length();
  stages_.multiply(data, length_, lines, chirp_re_.data(), chirp_im_.data(),
                   data);
  std::fill(data.re + length_ * lines, data.re + size * lines, T{0});
  std::fill(data.im + length_ * lines, data.im + size * lines, T{0});
  SplitComplex<T> result = longer_->Run(data, other, lines);
  if (result.re != data.re) std::swap(data, other);
  stages_.multiply(data, size, lines, filter_re_.data(), filter_im_.data(),
                   data);
  // The inverse transform swaps real and imaginary parts.
  const SplitComplex<T> back =
      longer_->Run({data.im, data.re}, {other.im, other.re}, lines);
  result = {back.im, back.re};
  stages_.multiply(result, length_, lines, chirp_re_.data(), chirp_im_.data(),
                   result);
  return result;
}

template <typename T>
SplitComplex<T> FftLine<T>::Run(SplitComplex<T> data, SplitComplex<T> other,
                                int64_t lines) const {
  if (longer_ != nullptr) return Convolve(data, other, lines);
  int64_t s = lines;
  for (const Step& step : steps_) {
    const auto& run = s == 1 ? stages_.firsts : stages_.stages;
    run[step.radix](step.m, s, data, other, step.roots_re.data(),
                    step.roots_im.data());
    s *= kFftRadices[step.radix];
    std::swap(data, other);
  }
  return data;
}

template class FftLine<float>;
template class FftLine<double>;

}  // namespace xla::cpu
