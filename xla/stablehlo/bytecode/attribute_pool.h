// AttributePool: the attributes and types of an artifact, each made on first
// use and then shared. What each dialect's codes mean is in
// vhlo_entries.cc, builtin_entries.cc and sdy_entries.cc.
#ifndef XLA_STABLEHLO_BYTECODE_ATTRIBUTE_POOL_H_
#define XLA_STABLEHLO_BYTECODE_ATTRIBUTE_POOL_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/stablehlo/bytecode/byte_cursor.h"
#include "xla/stablehlo/bytecode/bytecode_file.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

class AttributePool {
 public:
  // Both must outlive the pool; nodes go to the arena.
  AttributePool(const BytecodeFile& file, Arena& arena);

  // Null for a malformed one; status() then says why.
  const Type* TypeAt(uint64_t index) {
    if (index < types_.size() && types_[index].value != nullptr) {
      return types_[index].value;
    }
    return ReadType(index);
  }
  const Attribute* AttributeAt(uint64_t index) {
    if (index < attributes_.size() && attributes_[index].value != nullptr) {
      return attributes_[index].value;
    }
    return ReadAttribute(index);
  }
  // The first error.
  const absl::Status& status() const { return status_; }

  const BytecodeFile& file() const { return file_; }
  Arena& arena() { return arena_; }

 private:
  friend class EntryReader;

  template <typename T>
  struct Slot {
    const T* value = nullptr;
    bool active = false;  // being read
    // Nodes below it, where shared ones count once for each use.
    uint32_t weight = 1;
  };

  const Type* ReadType(uint64_t index);
  const Attribute* ReadAttribute(uint64_t index);
  // Whether the slot may be read now; then it is active.
  template <typename T>
  bool Enter(std::vector<Slot<T>>& slots, uint64_t index, const char* what);
  void SetError(absl::string_view message);

  const BytecodeFile& file_;
  Arena& arena_;
  std::vector<Slot<Type>> types_;
  std::vector<Slot<Attribute>> attributes_;
  int depth_ = 0;
  absl::Status status_;
};

// Reads the content of one entry, as dialects write it. All reads give empty
// values after the first error.
class EntryReader {
 public:
  EntryReader(AttributePool& pool, absl::string_view data)
      : pool_(pool), cursor_(data) {}

  bool ok() const { return cursor_.ok(); }
  bool AtEnd() const { return cursor_.remaining() == 0; }
  uint32_t weight() const { return weight_; }
  Arena& arena() { return pool_.arena_; }

  void Fail(absl::string_view message);

  uint8_t Byte() { return cursor_.Byte(); }
  uint64_t Varint() { return cursor_.Varint(); }
  int64_t SignedVarint() { return cursor_.SignedVarint(); }
  size_t Count() { return cursor_.Count(); }
  absl::string_view Blob() { return cursor_.Bytes(cursor_.Varint()); }
  absl::string_view String();  // of the string section
  absl::Span<const int64_t> SignedVarints();
  double Double();  // its bits as signed varint
  // An integer of so many bits (at most 64) as MLIR writes APInt.
  uint64_t Bits(int width);

  // Null on errors.
  const Type* TypeReference() { return TypeNumber(Varint()); }
  const Attribute* AttributeReference() { return AttributeNumber(Varint()); }
  // Null also if there is none: index * 2 + 1, else 0.
  const Attribute* OptionalAttributeReference();
  absl::Span<const Type* const> Types();
  absl::Span<const Attribute* const> Attributes();

 private:
  const Type* TypeNumber(uint64_t index);
  const Attribute* AttributeNumber(uint64_t index);

  AttributePool& pool_;
  ByteCursor cursor_;
  uint32_t weight_ = 1;
};

// Each sets the reader to failed where the entry is malformed.
void ReadVhloAttribute(EntryReader& in, Attribute& out);
void ReadVhloType(EntryReader& in, Type& out);
void ReadBuiltinAttribute(EntryReader& in, Attribute& out);
void ReadBuiltinType(EntryReader& in, Type& out);
// The stablehlo dialect's, which occur inside builtin ones.
void ReadStableHloAttribute(EntryReader& in, Attribute& out);
void ReadStableHloType(EntryReader& in, Type& out);
void ReadSdyAttribute(EntryReader& in, Attribute& out);

// Parts that both vhlo and builtin have.

// `scalar` as a type outside tensors; PRIMITIVE_TYPE_INVALID fails.
void SetScalar(EntryReader& in, PrimitiveType scalar, Type& out);
// A tensor of elements of a scalar, index or quantized type. `encoding` null,
// or as TypeExtensionBounds makes it.
void SetTensor(EntryReader& in, absl::Span<const int64_t> dimensions,
               const Type* element, const Attribute* encoding, Type& out);
// dense<...> of a tensor type from MLIR's raw data: one element alone is a
// splat; i1 is packed (one byte 0xff: all true), or one to a byte.
void SetElements(EntryReader& in, const Type* type, absl::string_view data,
                 Attribute& out);
// An integer or float of the type that was read, its value next.
void ReadInteger(EntryReader& in, Attribute& out);
void ReadFloat(EntryReader& in, Attribute& out);

// A dictionary of names, which are string attributes, and values.
void SetDictionary(EntryReader& in, Attribute& out);

Attribute IntegersAttribute(absl::Span<const int64_t> integers);
// A dictionary of the fields with values.
void SetFields(EntryReader& in, absl::Span<const NamedAttribute> fields,
               Attribute& out);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_BYTECODE_ATTRIBUTE_POOL_H_
