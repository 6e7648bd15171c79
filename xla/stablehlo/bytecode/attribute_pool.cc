// Looks up and shares attributes and types, and limits their size.
#include "xla/stablehlo/bytecode/attribute_pool.h"

#include <bit>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"

namespace xla::stablehlo {
namespace {

// The deepest nesting of attributes in attributes and of types in types: bounds
// the recursion of readers.
constexpr int kMaxDepth = 64;
// The most nodes below one, counting shared nodes once per use: readers walk
// the tree without noticing shared parts. Attributes of a function have a part
// for each argument.
constexpr uint32_t kMaxWeight = 1 << 20;
constexpr uint32_t kMaxTypeWeight = 1 << 16;

}  // namespace

AttributePool::AttributePool(const BytecodeFile& file, Arena& arena)
    : file_(file),
      arena_(arena),
      types_(file.types.size()),
      attributes_(file.attributes.size()) {}

void AttributePool::SetError(absl::string_view message) {
  if (status_.ok()) status_ = absl::InvalidArgumentError(message);
}

template <typename T>
bool AttributePool::Enter(std::vector<Slot<T>>& slots, uint64_t index,
                          const char* what) {
  if (!status_.ok()) return false;
  if (index >= slots.size()) {
    SetError(absl::StrCat(what, " ", index, " of ", slots.size(),
                          " does not exist"));
    return false;
  }
  if (slots[index].active) {
    SetError(absl::StrCat(what, " ", index, " contains itself"));
    return false;
  }
  if (depth_ >= kMaxDepth) {
    SetError(absl::StrCat(what, " ", index, " is nested more than ", kMaxDepth,
                          " deep"));
    return false;
  }
  slots[index].active = true;
  return true;
}

const Type* AttributePool::ReadType(uint64_t index) {
  if (!Enter(types_, index, "type")) return nullptr;
  const BytecodeFile::Entry& entry = file_.types[index];
  const absl::string_view dialect = file_.dialects[entry.dialect];
  EntryReader reader(*this, entry.data);
  Type* type = arena_.New<Type>();
  ++depth_;
  if (entry.is_text ||
      (dialect != "vhlo" && dialect != "builtin" && dialect != "stablehlo")) {
    type->kind = Type::Kind::kUnknown;
    type->text =
        entry.is_text ? entry.data.substr(0, entry.data.find('\0')) : dialect;
  } else if (dialect == "vhlo") {
    ReadVhloType(reader, *type);
  } else if (dialect == "builtin") {
    ReadBuiltinType(reader, *type);
  } else {
    ReadStableHloType(reader, *type);
  }
  --depth_;
  types_[index].active = false;
  if (!reader.ok()) {
    SetError(absl::StrCat("type ", index, " of dialect ", dialect, " at byte ",
                          entry.data.data() - file_.begin, " is malformed"));
    return nullptr;
  }
  types_[index].weight = reader.weight();
  return types_[index].value = type;
}

const Attribute* AttributePool::ReadAttribute(uint64_t index) {
  if (!Enter(attributes_, index, "attribute")) return nullptr;
  const BytecodeFile::Entry& entry = file_.attributes[index];
  const absl::string_view dialect = file_.dialects[entry.dialect];
  EntryReader reader(*this, entry.data);
  Attribute* attribute = arena_.New<Attribute>();
  ++depth_;
  if (entry.is_text) {
    attribute->kind = Attribute::Kind::kUnknown;
    attribute->text = entry.data.substr(0, entry.data.find('\0'));
  } else if (dialect == "vhlo") {
    ReadVhloAttribute(reader, *attribute);
  } else if (dialect == "builtin") {
    ReadBuiltinAttribute(reader, *attribute);
  } else if (dialect == "sdy") {
    ReadSdyAttribute(reader, *attribute);
  } else if (dialect == "stablehlo") {
    ReadStableHloAttribute(reader, *attribute);
  } else {
    attribute->kind = Attribute::Kind::kUnknown;
  }
  --depth_;
  attributes_[index].active = false;
  if (!reader.ok()) {
    SetError(absl::StrCat("attribute ", index, " of dialect ", dialect,
                          " at byte ", entry.data.data() - file_.begin,
                          " is malformed"));
    return nullptr;
  }
  attributes_[index].weight = reader.weight();
  return attributes_[index].value = attribute;
}

void EntryReader::Fail(absl::string_view message) {
  if (cursor_.ok()) pool_.SetError(message);
  cursor_.Fail();
}

absl::string_view EntryReader::String() {
  const uint64_t index = Varint();
  if (!ok() || index >= pool_.file_.strings.size()) {
    cursor_.Fail();
    return "";
  }
  return pool_.file_.strings[index];
}

absl::Span<const int64_t> EntryReader::SignedVarints() {
  absl::Span<int64_t> values = arena().NewArray<int64_t>(Count());
  for (int64_t& value : values) value = SignedVarint();
  return values;
}

double EntryReader::Double() { return std::bit_cast<double>(SignedVarint()); }

uint64_t EntryReader::Bits(int width) {
  uint64_t bits = width <= 8 ? Byte() : static_cast<uint64_t>(SignedVarint());
  if (width < 64) bits &= (uint64_t{1} << width) - 1;
  return bits;
}

const Type* EntryReader::TypeNumber(uint64_t index) {
  const Type* type = ok() ? pool_.TypeAt(index) : nullptr;
  if (type == nullptr) {
    cursor_.Fail();
    return nullptr;
  }
  weight_ += pool_.types_[index].weight;
  if (weight_ > kMaxWeight || pool_.types_[index].weight > kMaxTypeWeight) {
    Fail("a type has too many parts");
  }
  return type;
}

const Attribute* EntryReader::AttributeNumber(uint64_t index) {
  const Attribute* attribute = ok() ? pool_.AttributeAt(index) : nullptr;
  if (attribute == nullptr) {
    cursor_.Fail();
    return nullptr;
  }
  weight_ += pool_.attributes_[index].weight;
  if (weight_ > kMaxWeight) Fail("an attribute has too many parts");
  return attribute;
}

const Attribute* EntryReader::OptionalAttributeReference() {
  const uint64_t index = Varint();
  return index & 1 ? AttributeNumber(index >> 1) : nullptr;
}

absl::Span<const Type* const> EntryReader::Types() {
  absl::Span<const Type*> types = arena().NewArray<const Type*>(Count());
  for (const Type*& type : types) {
    type = TypeReference();
    if (type == nullptr) return {};
  }
  return types;
}

absl::Span<const Attribute* const> EntryReader::Attributes() {
  absl::Span<const Attribute*> attributes =
      arena().NewArray<const Attribute*>(Count());
  for (const Attribute*& attribute : attributes) {
    attribute = AttributeReference();
    if (attribute == nullptr) return {};
  }
  return attributes;
}

}  // namespace xla::stablehlo
