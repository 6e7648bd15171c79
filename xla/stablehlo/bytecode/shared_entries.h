// Attributes that the dialects vhlo and stablehlo write in the same way.
#ifndef XLA_STABLEHLO_BYTECODE_SHARED_ENTRIES_H_
#define XLA_STABLEHLO_BYTECODE_SHARED_ENTRIES_H_

#include <cstdint>

#include "absl/types/span.h"
#include "xla/stablehlo/bytecode/attribute_pool.h"

namespace xla::stablehlo {

enum class Enumeration {
  kComparisonDirection,
  kComparisonType,
  kFftType,
  kPrecision,
  kRngAlgorithm,
  kRngDistribution,
  kTranspose,
  kResultAccuracyMode,
  kCustomCallApiVersion,
};

// Sets `out` to the name of the enumerator whose number is next.
void ReadEnumerator(EntryReader& in, Enumeration enumeration, Attribute& out);

// Each sets `out` to a dictionary.
void ReadOutputOperandAlias(EntryReader& in, Attribute& out);
void ReadResultAccuracy(EntryReader& in, Attribute& out);
void ReadSubAxis(EntryReader& in, Attribute& out);
// `axes` is an attribute; `device_ids` is null, or dense<> of i64.
void SetMesh(EntryReader& in, const Attribute* axes,
             const Attribute* device_ids, Attribute& out);

// Adds a copy of the attribute, or an integer or a float, to the arena.
const Attribute* NewAttribute(EntryReader& in, const Attribute& attribute);
const Attribute* NewInteger(EntryReader& in, int64_t value);
const Attribute* NewFloat(EntryReader& in, double value);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_BYTECODE_SHARED_ENTRIES_H_
