// tsl::core::Bitmap: a fixed number of bits, under the name that programs know.
#ifndef XLA_CORE_ARRAY_BITMAP_H_
#define XLA_CORE_ARRAY_BITMAP_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tsl::core {

// A value. The number of a bit is less than bits().
class Bitmap {
 public:
  Bitmap() = default;
  // Holds `n` zeros.
  explicit Bitmap(size_t n) { Reset(n); }

  size_t bits() const { return bits_; }
  void Reset(size_t n) {
    bits_ = n;
    words_.assign((n + kWordBits - 1) / kWordBits, 0);
  }
  bool get(size_t i) const { return (words_[i / kWordBits] & Mask(i)) != 0; }
  void set(size_t i) { words_[i / kWordBits] |= Mask(i); }
  void clear(size_t i) { words_[i / kWordBits] &= ~Mask(i); }

  // Returns the first zero that is not before `start`, or bits().
  size_t FirstUnset(size_t start) const {
    for (size_t i = start; i < bits_; ++i) {
      if (!get(i)) return i;
    }
    return bits_;
  }
  bool IsAllSet() const { return CountOnes() == bits_; }
  size_t CountOnes() const {
    size_t count = 0;
    for (uint64_t word : words_) count += std::popcount(word);
    return count;
  }
  // Returns a character for each bit, the first one first.
  std::string ToString() const {
    std::string text;
    for (size_t i = 0; i < bits_; ++i) text += get(i) ? '1' : '0';
    return text;
  }

 private:
  static constexpr size_t kWordBits = 64;

  static uint64_t Mask(size_t i) { return uint64_t{1} << (i % kWordBits); }

  size_t bits_ = 0;
  std::vector<uint64_t> words_;  // bits from bits_ on are zeros
};

}  // namespace tsl::core

#endif  // XLA_CORE_ARRAY_BITMAP_H_
