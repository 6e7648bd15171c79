// AttributePool: the attributes and types of an artifact, each made on first
// use and then shared. vhlo_entries.cc, builtin_entries.cc and sdy_entries.cc
// define what the codes of each dialect mean.
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

  // Returns null for a malformed one; status() then says why.
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
  // Returns the first error.
  const absl::Status& status() const { return status_; }

  const BytecodeFile& file() const { return file_; }
  Arena& arena() { return arena_; }

 private:
  friend class EntryReader;

  template <typename T>
  struct Slot {
    const T* value = nullptr;
    bool active = false;  // being read
    // The nodes below it, counting shared ones once for each use.
    uint32_t weight = 1;
  };

  const Type* ReadType(uint64_t index);
  const Attribute* ReadAttribute(uint64_t index);
  // Returns whether the slot may be read now, and then marks it as active.
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

// Reads the content of one entry as dialects write it. After the first error
// all reads return empty values.
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
  absl::string_view String();  // from the string section
  absl::Span<const int64_t> SignedVarints();
  double Double();  // stored as the signed varint of its bits
  // Reads an integer of `width` bits (at most 64), written as MLIR writes
  // APInt.
  uint64_t Bits(int width);

  // These return null on errors.
  const Type* TypeReference() { return TypeNumber(Varint()); }
  const Attribute* AttributeReference() { return AttributeNumber(Varint()); }
  // Returns null also if there is none. Encoded as index * 2 + 1, or 0 for
  // none.
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

// Each sets the reader to failed if the entry is malformed.
void ReadVhloAttribute(EntryReader& in, Attribute& out);
void ReadVhloType(EntryReader& in, Type& out);
void ReadBuiltinAttribute(EntryReader& in, Attribute& out);
void ReadBuiltinType(EntryReader& in, Type& out);
// Attributes and types of the stablehlo dialect, which occur inside builtin
// ones.
void ReadStableHloAttribute(EntryReader& in, Attribute& out);
void ReadStableHloType(EntryReader& in, Type& out);
void ReadSdyAttribute(EntryReader& in, Attribute& out);

// Parts that vhlo and builtin share.

// Sets `out` to `scalar` as a type outside tensors; PRIMITIVE_TYPE_INVALID
// fails.
void SetScalar(EntryReader& in, PrimitiveType scalar, Type& out);
// Sets `out` to a tensor of elements of a scalar, index or quantized type.
// `encoding` is null or made by TypeExtensionBounds.
void SetTensor(EntryReader& in, absl::Span<const int64_t> dimensions,
               const Type* element, const Attribute* encoding, Type& out);
// Sets `out` to dense<...> of a tensor type from MLIR's raw data: a single
// element is a splat; i1 is packed (one byte 0xff: all true), or one per byte.
void SetElements(EntryReader& in, const Type* type, absl::string_view data,
                 Attribute& out);
// Reads an integer or float of the type that was read; its value is next.
void ReadInteger(EntryReader& in, Attribute& out);
void ReadFloat(EntryReader& in, Attribute& out);

// Sets `out` to a dictionary of names, which are string attributes, and values.
void SetDictionary(EntryReader& in, Attribute& out);

Attribute IntegersAttribute(absl::Span<const int64_t> integers);
// Sets `out` to a dictionary of those fields that have values.
void SetFields(EntryReader& in, absl::Span<const NamedAttribute> fields,
               Attribute& out);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_BYTECODE_ATTRIBUTE_POOL_H_
