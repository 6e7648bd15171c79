// A value that is often worth keeping, and its readers.
#include "tests/fuzz/families/program_readers.h"

#include "tests/fuzz/families/program_elementwise.h"
#include "tests/fuzz/families/program_movement.h"
#include "tests/fuzz/families/program_reduction.h"

namespace xla::fuzz {

bool AddReaders(ProgramWriter& w) {
  const Value* found =
      w.Find([](const Value& value) { return value.rank() > 1; });
  if (found == nullptr) return false;
  Value a = *found;
  // Mostly a value that an op has just made, with at least two dimensions.
  if (w.random().Chance(0.8) && AddElementwiseOf(w, a) &&
      w.values().back().dims == a.dims) {
    a = w.values().back();
  }
  bool added = false;
  for (int64_t i = w.random().In(2, 4); i > 0; --i) {
    switch (w.random().Below(4)) {
      case 0:
        added |= AddElementwiseOf(w, a);
        break;
      case 1:
      case 2:
        added |= AddMovementOf(w, a);
        break;
      default:
        added |= AddReduce(w, a);
        break;
    }
  }
  return added;
}

}  // namespace xla::fuzz
