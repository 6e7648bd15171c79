// The tree of operations that both readers of StableHLO make and the conversion
// to HLO reads: MLIR's structure, as far as StableHLO needs it.
//
// It has one form for all sources. Whatever the version of an artifact or the
// spelling of a text, ops have the names and attributes of the newest
// StableHLO, with the fields of struct attributes (dimension numbers, channel
// handles, dot algorithms) directly among the attributes of the op, under the
// names that VHLO gives them:
//   dot_general   lhs_batching_dimensions, rhs_contracting_dimensions, ...
//   convolution   input_batch_dimension, kernel_spatial_dimensions, ...
//   all_reduce    replica_groups, channel_id, use_global_device_ids
// Terminators of all dialects are called "return".
#ifndef XLA_STABLEHLO_IR_IR_H_
#define XLA_STABLEHLO_IR_IR_H_

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/primitive_types.h"
#include "xla/stablehlo/ir/location_attr.h"

namespace xla::stablehlo {

struct Attribute;
struct Op;

// The size of a dimension whose size the type does not state.
inline constexpr int64_t kDynamic = INT64_MIN;

// `!quant.uniform<i8:f32:axis, {scale:zero_point, ...}>`: value = (stored -
// zero_point) * scale. There is one scale for all elements, one for each index
// of `axis`, or one for each block of the dimensions `axes`.
struct QuantizedType {
  PrimitiveType storage_type;
  PrimitiveType expressed_type;
  int64_t storage_min;
  int64_t storage_max;
  int64_t axis = -1;               // -1: per tensor (or blocked)
  absl::Span<const int64_t> axes;  // sub-channel: dimensions and block sizes
  absl::Span<const int64_t> block_sizes;
  absl::Span<const double> scales;
  absl::Span<const int64_t> zero_points;
};

struct Type {
  enum class Kind {
    kTensor,    // element_type, dimensions, bounds, quantized
    kScalar,    // element_type: i32, f64, ... outside a tensor
    kIndex,     // index
    kToken,     // !stablehlo.token
    kTuple,     // elements
    kFuture,    // !stablehlo.future: elements
    kFunction,  // elements -> results
    kNone,      // none
    kUnknown,   // a type of an unknown dialect: text
  };
  Kind kind = Kind::kNone;
  PrimitiveType element_type = PRIMITIVE_TYPE_INVALID;
  absl::Span<const int64_t> dimensions;  // kDynamic where "?"
  // Empty, or for each dimension the bound of a dynamic one, else kDynamic.
  absl::Span<const int64_t> bounds;
  const QuantizedType* quantized = nullptr;  // of quantized elements, else null
  absl::Span<const Type* const> elements;
  absl::Span<const Type* const> results;
  absl::string_view text;

  bool IsStatic() const;  // also of the elements of tuples
  std::string ToString() const;
};

struct NamedAttribute {
  absl::string_view name;
  const Attribute* value;
};

struct Attribute {
  enum class Kind {
    kUnit,
    kBool,     // integer: 0 or 1
    kInteger,  // integer, type; sign extended
    kFloat,    // real, type
    kString,   // text
    kSymbol,   // text: name without @
    kType,     // type
    kEnum,     // text: StableHLO's name, such as "EQ" or "TRANSPOSE"
    // integers: array<i64: ...>, array<i1: ...>; type: kScalar of the elements,
    // null for i64.
    kIntegers,
    kArray,       // elements; array<f32: ...> too, of kFloat with their type
    kDictionary,  // fields; structs such as result_accuracy, output aliases
    kElements,    // dense<...>: type (a tensor), data, splat
    kUnknown,     // of an unknown dialect: text, if it has any
  };
  Kind kind = Kind::kUnit;
  int64_t integer = 0;
  double real = 0;
  const Type* type = nullptr;
  absl::string_view text;
  absl::Span<const int64_t> integers;
  absl::Span<const Attribute* const> elements;
  absl::Span<const NamedAttribute> fields;
  // kElements: row-major, as literals hold elements: little-endian, types below
  // 8 bits and i1 one to a byte, complex as (real, imaginary). A single element
  // if `splat`. Not aligned.
  absl::string_view data;
  bool splat = false;

  // Returns the field of a dictionary, or null.
  const Attribute* Field(absl::string_view name) const;
};

// The place in the source where an op begins.
struct Location {
  bool text = false;
  int32_t line = 0;      // from 1
  int32_t column = 0;    // from 1
  int32_t op_index = 0;  // for bytecode: counts ops in order, from 0
  int64_t byte_offset = 0;

  // Returns "line 3, column 5" or "op 12 at byte 345".
  std::string ToString() const;
};

// An op's result or a block's argument.
struct Value {
  const Type* type = nullptr;
  int32_t id = 0;  // dense: unique in the module, below Module::num_values
};

struct Block {
  absl::Span<Value> arguments;
  // For each argument, null if the source does not say; or empty.
  absl::Span<const LocationAttr* const> argument_locations;
  absl::Span<Op* const> ops;

  // Returns the last op if it is a terminator ("return"), else null.
  const Op* Terminator() const;
};

struct Region {
  absl::Span<Block* const> blocks;
};

struct Op {
  // Examples: "stablehlo.add", "func.func", "func.call", "return", "chlo.erf",
  // "sdy.mesh", "builtin.module".
  absl::string_view name;
  Location location;
  const LocationAttr* loc = nullptr;  // null: the source does not say
  absl::Span<const Value* const> operands;
  absl::Span<Value> results;
  // Inherent and discardable attributes together, each name once, in no order.
  absl::Span<const NamedAttribute> attributes;
  absl::Span<const Region> regions;

  const Attribute* Find(absl::string_view attribute) const;
  // Returns the place in the source, and the line of the user's program if it
  // is known: "line 3, column 5 (f.py:7)".
  std::string Place() const;
  // Returns the only block of a region; null if there is none.
  const Block* Body(size_t region = 0) const;
};

// Owns the memory of a module's nodes, all freed together.
class Arena {
 public:
  // Copies `value`; nodes are trivially destructible.
  template <typename T>
  T* New(const T& value = {}) {
    return new (resource_.allocate(sizeof(T), alignof(T))) T(value);
  }
  template <typename T>
  absl::Span<T> NewArray(size_t size) {
    if (size == 0) return {};
    T* data = static_cast<T*>(resource_.allocate(size * sizeof(T), alignof(T)));
    for (size_t i = 0; i < size; ++i) new (data + i) T();
    return absl::MakeSpan(data, size);
  }
  template <typename Range>
  auto Copy(const Range& range) {
    using T = std::decay_t<decltype(*range.begin())>;
    absl::Span<T> copy = NewArray<T>(range.size());
    std::copy(range.begin(), range.end(), copy.begin());
    return copy;
  }
  absl::string_view CopyString(absl::string_view text);

 private:
  std::pmr::monotonic_buffer_resource resource_{64 << 10};
};

// A whole program. `source` is kept, so that nodes may point into it.
struct Module {
  std::string source;
  Arena arena;
  const Op* root = nullptr;  // a "builtin.module" with one region
  int32_t num_values = 0;
};

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_IR_IR_H_
