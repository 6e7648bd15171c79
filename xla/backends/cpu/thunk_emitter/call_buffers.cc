// Copies operands and results for the targets of custom calls.
#include "xla/backends/cpu/thunk_emitter/call_buffers.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "xla/backends/array_memory.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/kernel_thunk.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/strided_copy.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

// Arrays without elements and tokens point to this: some targets refuse null.
alignas(64) char no_bytes[64];

bool IsSmall(const Shape& shape) {
  return primitive_util::IsSubByteNonPredType(shape.element_type());
}

bool SameLayout(const Shape& a, const Shape& b) {
  return !a.IsArray() || a.rank() < 2 ||
         LayoutUtil::Equal(a.layout(), b.layout());
}

void Relay(const Shape& from_shape, const char* from, const Shape& to_shape,
           char* to) {
  StridedCopy(LiteralElementBytes(from_shape.element_type()),
              from_shape.dimensions(), from, DenseStrides(from_shape), to,
              DenseStrides(to_shape));
}

void PackInPlace(const Shape& shape, char* data) {
  const int bits = primitive_util::BitWidth(shape.element_type());
  const int per_byte = 8 / bits;
  const int64_t count = ShapeUtil::ElementsIn(shape);
  for (int64_t i = 0; i < count; i += per_byte) {
    int byte = 0;
    for (int64_t j = i; j < std::min(i + per_byte, count); ++j) {
      byte |= (data[j] & ((1 << bits) - 1)) << ((j - i) * bits);
    }
    data[i / per_byte] = static_cast<char>(byte);
  }
}

void Unpack(const Shape& shape, const char* from, char* to) {
  const int bits = primitive_util::BitWidth(shape.element_type());
  const int per_byte = 8 / bits;
  const int64_t count = ShapeUtil::ElementsIn(shape);
  for (int64_t i = 0; i < count; ++i) {
    const auto byte = static_cast<uint8_t>(from[i / per_byte]);
    to[i] =
        static_cast<char>(byte >> (i % per_byte * bits) & ((1 << bits) - 1));
  }
}

}  // namespace

BufferUses UsesOf(absl::Span<const CallLeaf> operands,
                  absl::Span<const CallLeaf> results) {
  BufferUses uses;
  for (const CallLeaf& operand : operands) uses.Read(operand.slice);
  for (const CallLeaf& result : results) uses.Write(result.slice);
  return uses;
}

CallBuffers::CallBuffers(const DeviceRun& run,
                         absl::Span<const CallLeaf> operands,
                         absl::Span<const CallLeaf> results, bool pack)
    : run_(run),
      operand_leaves_(operands),
      result_leaves_(results),
      pack_(pack) {
  for (const CallLeaf& result : results) AddResult(result);
  for (size_t i = 0; i < operands.size(); ++i) AddOperand(static_cast<int>(i));
}

bool CallBuffers::NeedsCopy(const CallLeaf& leaf) const {
  return !SameLayout(leaf.actual, leaf.wanted) ||
         (pack_ && IsSmall(leaf.actual));
}

void CallBuffers::Export(const CallLeaf& leaf, const char* from,
                         char* to) const {
  Relay(leaf.actual, from, leaf.wanted, to);
  if (pack_ && IsSmall(leaf.wanted)) PackInPlace(leaf.wanted, to);
}

void CallBuffers::Import(const CallLeaf& leaf, const char* from,
                         char* to) const {
  if (!pack_ || !IsSmall(leaf.wanted)) {
    Relay(leaf.wanted, from, leaf.actual, to);
    return;
  }
  std::vector<char> unpacked(ElementsBytes(leaf.wanted));
  Unpack(leaf.wanted, from, unpacked.data());
  Relay(leaf.wanted, unpacked.data(), leaf.actual, to);
}

void CallBuffers::AddResult(const CallLeaf& result) {
  const int64_t bytes = ElementsBytes(result.wanted);
  if (bytes == 0) {
    results_.push_back(no_bytes);
    return;
  }
  char* place = run_.At(result.slice);
  if (result.alias >= 0) {
    const CallLeaf& operand = operand_leaves_[result.alias];
    if (SameLayout(operand.actual, result.actual)) {
      CopyBytes(run_.runner(), run_.At(operand.slice), place, bytes);
    } else {
      Relay(operand.actual, run_.At(operand.slice), result.actual, place);
    }
  }
  if (NeedsCopy(result)) {
    result_copies_.push_back({&result, std::make_unique<char[]>(bytes)});
    char* copy = result_copies_.back().data.get();
    if (result.alias >= 0) Export(result, place, copy);
    place = copy;
  }
  results_.push_back(place);
}

void CallBuffers::AddOperand(int index) {
  const CallLeaf& operand = operand_leaves_[index];
  const int64_t bytes = ElementsBytes(operand.wanted);
  if (bytes == 0) {
    operands_.push_back(no_bytes);
    return;
  }
  for (size_t i = 0; i < result_leaves_.size(); ++i) {
    if (result_leaves_[i].alias == index &&
        SameLayout(result_leaves_[i].wanted, operand.wanted)) {
      operands_.push_back(results_[i]);
      return;
    }
  }
  char* place = run_.At(operand.slice);
  if (NeedsCopy(operand)) {
    operand_copies_.push_back(std::make_unique<char[]>(bytes));
    Export(operand, place, operand_copies_.back().get());
    place = operand_copies_.back().get();
  }
  operands_.push_back(place);
}

void CallBuffers::Finish() {
  for (const Copy& copy : result_copies_) {
    Import(*copy.leaf, copy.data.get(), run_.At(copy.leaf->slice));
  }
}

}  // namespace xla::cpu
