// The tables, and which one is a processor's.
#include "xla/backends/cpu/cost/machine_costs.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_split.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {
namespace {

constexpr MachineCosts kTables[] = {
    {
#include "xla/backends/cpu/cost/machines/znver4.inc"
    },
    // For any other processor, the last.
    {
#include "xla/backends/cpu/cost/machines/default.inc"
    },
};

}  // namespace

NumberKind NumberKindOf(PrimitiveType type) {
  switch (type) {
    case BF16:
      return NumberKind::kBf16;
    case C64:
      return NumberKind::kC64;
    case C128:
      return NumberKind::kC128;
    case F64:
      return NumberKind::kF64;
    case F32:
      return NumberKind::kF32;
    default:
      break;
  }
  if (primitive_util::IsFloatingPointType(type)) return NumberKind::kF16;
  if (!primitive_util::IsArrayType(type)) return NumberKind::kInt8;
  const int bits = primitive_util::BitWidth(type);
  return bits <= 8    ? NumberKind::kInt8
         : bits <= 16 ? NumberKind::kInt16
         : bits <= 32 ? NumberKind::kInt32
                      : NumberKind::kInt64;
}

int RegisterBytesOf(NumberKind kind) {
  switch (kind) {
    case NumberKind::kInt8:
      return 1;
    case NumberKind::kInt16:
      return 2;
    case NumberKind::kInt32:
    case NumberKind::kBf16:
    case NumberKind::kF16:
    case NumberKind::kF32:
    case NumberKind::kC64:
      return 4;
    case NumberKind::kInt64:
    case NumberKind::kF64:
    case NumberKind::kC128:
      return 8;
  }
  return 8;
}

absl::Span<const MachineCosts> AllMachineCosts() { return kTables; }

const MachineCosts& MachineCostsFor(absl::string_view cpu) {
  for (const MachineCosts& table : kTables) {
    if (table.cpus.empty() ||
        absl::c_linear_search(absl::StrSplit(table.cpus, ','), cpu)) {
      return table;
    }
  }
  return *std::prev(std::end(kTables));
}

}  // namespace xla::cpu
