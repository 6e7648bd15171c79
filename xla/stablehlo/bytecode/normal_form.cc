// Implements the marks of op_table.h.
#include "xla/stablehlo/bytecode/normal_form.h"

#include <algorithm>

#include "xla/base/errors.h"

namespace xla::stablehlo {
namespace {

using Kind = Attribute::Kind;

bool IsZero(const Attribute* number) {
  return number != nullptr && number->integer == 0 && number->real == 0;
}

bool SaysNothing(const Attribute& value) {
  switch (value.kind) {
    case Kind::kType:
      return value.type->kind == Type::Kind::kNone;
    case Kind::kElements:
      return value.data.empty();
    case Kind::kDictionary: {  // result_accuracy
      const Attribute* mode = value.Field("mode");
      return mode != nullptr && mode->text == "DEFAULT" &&
             IsZero(value.Field("atol")) && IsZero(value.Field("rtol")) &&
             IsZero(value.Field("ulps"));
    }
    default:
      return false;
  }
}

bool AllZero(const Attribute& value) {
  return value.kind == Kind::kElements &&
         std::all_of(value.data.begin(), value.data.end(),
                     [](char byte) { return byte == 0; });
}

const Attribute* AsSymbol(const Attribute& value, Arena& arena) {
  if (value.kind == Kind::kString) {
    Attribute* symbol = arena.New<Attribute>(value);
    symbol->kind = Kind::kSymbol;
    return symbol;
  }
  if (value.kind != Kind::kArray) return &value;
  absl::Span<const Attribute*> elements =
      arena.NewArray<const Attribute*>(value.elements.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    const Attribute& element = *value.elements[i];
    elements[i] =
        element.kind == Kind::kString ? AsSymbol(element, arena) : &element;
  }
  Attribute* symbols = arena.New<Attribute>(value);
  symbols->elements = elements;
  return symbols;
}

}  // namespace

absl::StatusOr<const Attribute*> NormalProperty(const PropertyRow& row,
                                                const Attribute* value,
                                                Arena& arena) {
  if (row.added) {
    Attribute* empty = arena.New<Attribute>();
    empty->kind = Kind::kIntegers;
    return empty;
  }
  if (value == nullptr) return nullptr;
  if (value->kind == Kind::kUnknown) {
    return InvalidArgumentStrCat("property ", row.name,
                                 " has a value of an unknown kind");
  }
  if (row.symbol) return AsSymbol(*value, arena);
  if (row.left_out && SaysNothing(*value)) return nullptr;
  if (row.gone) {
    if (AllZero(*value)) return nullptr;
    return InvalidArgumentStrCat("property ", row.name, " must be all zeros");
  }
  return value;
}

}  // namespace xla::stablehlo
