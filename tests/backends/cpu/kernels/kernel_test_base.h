// Shared by the tests of kernels: arrays of any type, scratch that is checked
// for overruns, runners with several threads.
#ifndef TESTS_BACKENDS_CPU_KERNELS_KERNEL_TEST_BASE_H_
#define TESTS_BACKENDS_CPU_KERNELS_KERNEL_TEST_BASE_H_

#include <atomic>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"
#include "xla/base/convert_value.h"
#include "xla/core/primitive_types.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// Runs tasks in no fixed order on `threads` threads.
class ThreadRunner : public ParallelRunner {
 public:
  explicit ThreadRunner(int threads) : threads_(threads) {}
  int num_threads() const override { return threads_; }
  void ParallelFor(int64_t count,
                   absl::FunctionRef<void(int64_t)> fn) override {
    std::atomic<int64_t> next = 0;
    const auto work = [&] {
      for (int64_t i; (i = next++) < count;) fn(count - 1 - i);
    };
    std::vector<std::thread> threads;
    for (int i = 1; i < threads_; ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
  }

 private:
  const int threads_;
};

// Processors with other caches and tasks than any real one, for plans that must
// give the same bits.
inline std::vector<KernelTarget> UnusualTargets() {
  KernelTarget small, large;
  small.caches = {.l1_bytes = 4 << 10, .l2_bytes = 64 << 10};
  small.task_ns = 1000;
  large.caches = {.l1_bytes = 1 << 20, .l2_bytes = 64 << 20};
  large.task_ns = 1 << 20;
  return {small, large};
}

// Returns numbers between -1 and 1.
template <typename T>
std::vector<T> RandomElements(int64_t count, int seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> values(-1, 1);
  std::vector<T> data(count);
  for (T& value : data) value = static_cast<T>(values(random));
  return data;
}

// Aligned memory that knows whether the bytes behind it were written.
class Memory {
 public:
  explicit Memory(size_t bytes)
      : bytes_(bytes),
        data_(static_cast<char*>(
            ::operator new(bytes + kGuard, std::align_val_t{64}))) {
    std::memset(data_, 0x5a, bytes_ + kGuard);
  }
  ~Memory() {
    for (size_t i = 0; i < kGuard; ++i) {
      if (data_[bytes_ + i] != 0x5a) {
        ADD_FAILURE() << "byte " << i << " behind the end was written";
        break;
      }
    }
    ::operator delete(data_, std::align_val_t{64});
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void* data() const { return data_; }
  size_t size() const { return bytes_; }
  template <typename T>
  T* as() const {
    return reinterpret_cast<T*>(data_);
  }

 private:
  static constexpr size_t kGuard = 256;
  size_t bytes_;
  char* data_;
};

// An array of a type known at run time.
class Elements : public Memory {
 public:
  Elements(PrimitiveType type, int64_t count)
      : Memory(count * primitive_util::ByteWidth(type)),
        type_(type),
        count_(count) {}

  PrimitiveType type() const { return type_; }
  int64_t count() const { return count_; }

  template <typename Wide>
  Wide Get(int64_t i) const {
    return primitive_util::ArrayTypeSwitch<Wide>(
        [&](auto constant) {
          using T = primitive_util::NativeTypeOf<decltype(constant)::value>;
          return ConvertValue<Wide>(as<T>()[i]);
        },
        type_);
  }
  // All elements, for references that read each of them often.
  template <typename Wide>
  std::vector<Wide> Values() const {
    std::vector<Wide> values(count_);
    for (int64_t i = 0; i < count_; ++i) values[i] = Get<Wide>(i);
    return values;
  }
  template <typename Wide>
  void Set(int64_t i, Wide value) {
    primitive_util::ArrayTypeSwitch<void>(
        [&](auto constant) {
          using T = primitive_util::NativeTypeOf<decltype(constant)::value>;
          as<T>()[i] = ConvertValue<T>(value);
        },
        type_);
  }

  // Small integers for integer types, multiples of 1/4 for others.
  void Randomize(int seed) {
    std::mt19937 random(seed);
    for (int64_t i = 0; i < count_; ++i) {
      const int a = static_cast<int>(random() % 17) - 8;
      const int b = static_cast<int>(random() % 17) - 8;
      if (primitive_util::IsComplexType(type_)) {
        Set(i, complex128(a / 4.0, b / 4.0));
      } else if (primitive_util::IsFloatingPointType(type_)) {
        Set(i, a / 4.0);
      } else {
        const int64_t value = int64_t{a} * (1 + b);
        // Large unsigned numbers would not be exact in floats.
        const bool is_unsigned = primitive_util::IsUnsignedIntegralType(type_);
        Set(i, is_unsigned ? std::abs(value) : value);
      }
    }
  }

 private:
  PrimitiveType type_;
  int64_t count_;
};

}  // namespace xla::cpu

#endif  // TESTS_BACKENDS_CPU_KERNELS_KERNEL_TEST_BASE_H_
