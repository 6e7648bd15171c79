// Locations of MLIR's builtin dialect, without recursion: a stack in a program
// is as deep as its author likes. Source of the codes: MLIR's
// BuiltinDialectBytecode.td.
#include "xla/stablehlo/bytecode/location_reader.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"

namespace xla::stablehlo {
namespace {

using LocationKind = LocationAttr::Kind;

enum class LocationCode : uint64_t {
  kCallSite = 10,
  kFileLineCol = 11,
  kFused = 12,
  kFusedWithMetadata = 13,
  kName = 14,
  kUnknown = 15,
  kFileLineColRange = 22,
};

int32_t LineNumber(ByteCursor& in) {
  return static_cast<int32_t>(
      std::min<uint64_t>(in.Varint(), std::numeric_limits<int32_t>::max()));
}

}  // namespace

void LocationReader::ReadText(ByteCursor& in, LocationAttr& out) {
  const uint64_t index = in.Varint();
  const Attribute* text = in.ok() ? pool_.AttributeAt(index) : nullptr;
  if (text == nullptr || text->kind != Attribute::Kind::kString) {
    return in.Fail();
  }
  out.text = text->text;
}

// A range states as many numbers as it needs: line, column, then the column of
// the end, or its line and column.
void LocationReader::ReadLineNumbers(ByteCursor& in, LocationAttr& out) {
  const uint64_t count = in.Varint();
  if (count > 4) return in.Fail();
  int32_t numbers[4] = {};
  for (uint64_t i = 0; i < count; ++i) numbers[i] = LineNumber(in);
  out.line = out.end_line = numbers[0];
  out.column = out.end_column = numbers[1];
  if (count == 3) out.end_column = numbers[2];
  if (count == 4) {
    out.end_line = numbers[2];
    out.end_column = numbers[3];
  }
}

void LocationReader::ReadFields(ByteCursor& in, LocationAttr& out,
                                std::vector<uint64_t>& parts) {
  const auto read_parts = [&](size_t count) {
    for (size_t i = 0; i < count && in.ok(); ++i) parts.push_back(in.Varint());
  };
  switch (static_cast<LocationCode>(in.Varint())) {
    case LocationCode::kCallSite:
      out.kind = LocationKind::kCallSite;
      return read_parts(2);
    case LocationCode::kFileLineCol:
      out.kind = LocationKind::kFileLineCol;
      ReadText(in, out);
      out.line = out.end_line = LineNumber(in);
      out.column = out.end_column = LineNumber(in);
      return;
    case LocationCode::kFileLineColRange:
      out.kind = LocationKind::kFileLineCol;
      ReadText(in, out);
      return ReadLineNumbers(in, out);
    case LocationCode::kFused:
    case LocationCode::kFusedWithMetadata:  // which follows and is not kept
      out.kind = LocationKind::kFused;
      return read_parts(in.Count());
    case LocationCode::kName:
      out.kind = LocationKind::kName;
      ReadText(in, out);
      return read_parts(1);
    case LocationCode::kUnknown:
      return;
    default:
      return in.Fail();
  }
}

absl::StatusOr<const LocationAttr*> LocationReader::Read(uint64_t index) {
  std::vector<uint64_t> stack = {index};
  std::vector<uint64_t> numbers;
  std::vector<const LocationAttr*> parts;
  while (!stack.empty()) {
    const uint64_t at = stack.back();
    if (at >= slots_.size()) {
      return InvalidArgumentStrCat("location ", at, " of ", slots_.size(),
                                   " does not exist");
    }
    if (slots_[at].value != nullptr) {
      stack.pop_back();
      continue;
    }
    const BytecodeFile::Entry& entry = file_.attributes[at];
    LocationAttr location;
    numbers.clear();
    // Other dialects may have locations too.
    if (!entry.is_text && file_.dialects[entry.dialect] == "builtin") {
      ByteCursor in(entry.data);
      ReadFields(in, location, numbers);
      if (!in.ok()) {
        return InvalidArgumentStrCat("location ", at, " at byte ",
                                     entry.data.data() - file_.begin,
                                     " is malformed");
      }
    }
    parts.clear();
    const size_t depth = stack.size();
    for (uint64_t number : numbers) {
      const Slot part = number < slots_.size() ? slots_[number] : Slot();
      if (part.active) {
        return InvalidArgumentStrCat("location ", number, " contains itself");
      }
      parts.push_back(part.value);
      if (part.value == nullptr) stack.push_back(number);
    }
    if (stack.size() > depth) {
      slots_[at].active = true;
      continue;
    }
    location.parts = pool_.arena().Copy(parts);
    location.Complete();
    slots_[at] = {pool_.arena().New(location), false};
    stack.pop_back();
  }
  return Known(slots_[index].value);
}

}  // namespace xla::stablehlo
