// Calls the native code around products.
#include "xla/backends/cpu/thunks/library/product_parts.h"

#include "xla/base/checked_math.h"

namespace xla::cpu {
namespace {

// Rows that are a page apart are not foreseen by hardware prefetchers, so what
// is computed of elements at the same places is asked for so many rows ahead.
constexpr int64_t kRowsAhead = 8;

}  // namespace

Epilogue::Call::Call(const Epilogue& epilogue, const DeviceRun& run,
                     Slice result)
    : epilogue_(epilogue) {
  for (size_t i = 0; i < epilogue.operands.size(); ++i) {
    arrays_.push_back(run.At(static_cast<int64_t>(i) == epilogue.block
                                 ? result
                                 : epilogue.operands[i]));
    const int64_t element_bytes = epilogue.element_bytes[i];
    if (element_bytes == 0) continue;
    operands_.push_back(
        {arrays_.back(), epilogue.columns * element_bytes, element_bytes});
  }
}

void Epilogue::Call::operator()(int64_t row, int64_t rows, int64_t column,
                                int64_t columns) const {
  const int64_t step = epilogue_.step;
  const int64_t steps = CeilOfRatio(epilogue_.columns, step);
  if (columns == epilogue_.columns) {
    return epilogue_.function(arrays_.data(), row * steps,
                              (row + rows) * steps);
  }
  const int64_t first = column / step;
  const int64_t last = CeilOfRatio(column + columns, step);
  for (int64_t r = row; r < row + rows; ++r) {
    epilogue_.function(arrays_.data(), r * steps + first, r * steps + last);
  }
}

Prologue::Call::Call(const Prologue& prologue, const DeviceRun& run)
    : prologue_(prologue) {
  for (const Slice& slice : prologue.reads) arrays_.push_back(run.At(slice));
  arrays_.push_back(nullptr);
}

void Prologue::Call::operator()(int64_t row, int64_t column, int64_t columns,
                                void* to) const {
  const int64_t step = prologue_.step;
  const int64_t steps = CeilOfRatio(prologue_.row, step);
  const int64_t first = row * prologue_.row + column;
  for (size_t i = 0; i < prologue_.ahead_bytes.size(); ++i) {
    const int64_t width = prologue_.ahead_bytes[i];
    if (width == 0) continue;
    // May lie behind the array.
    const uintptr_t ahead = reinterpret_cast<uintptr_t>(arrays_[i]) +
                            (first + kRowsAhead * prologue_.row) * width;
    for (int64_t at = 0; at < columns * width; at += 64) {
      __builtin_prefetch(reinterpret_cast<const void*>(ahead + at));
    }
  }
  auto arrays = arrays_;
  // The code writes to the places of the elements in the whole array.
  arrays.back() = reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(to) -
                                          first * prologue_.width);
  prologue_.function(arrays.data(), row * steps + column / step,
                     row * steps + CeilOfRatio(column + columns, step));
}

}  // namespace xla::cpu
