// LocationReader: the locations of ops in an artifact. Each is read when an op
// first has it, and shared.
#ifndef XLA_STABLEHLO_BYTECODE_LOCATION_READER_H_
#define XLA_STABLEHLO_BYTECODE_LOCATION_READER_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/stablehlo/bytecode/attribute_pool.h"
#include "xla/stablehlo/bytecode/byte_cursor.h"
#include "xla/stablehlo/bytecode/bytecode_file.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

class LocationReader {
 public:
  // Both must outlive the reader; nodes go to the pool's arena.
  LocationReader(const BytecodeFile& file, AttributePool& pool)
      : file_(file), pool_(pool), slots_(file.attributes.size()) {}

  // Returns the location that is attribute `index` of the file; null if it is
  // unknown. Errors: InvalidArgument for attributes that are no locations, and
  // for malformed ones.
  absl::StatusOr<const LocationAttr*> At(uint64_t index) {
    if (index < slots_.size() && slots_[index].value != nullptr) {
      return Known(slots_[index].value);
    }
    return Read(index);
  }

 private:
  struct Slot {
    const LocationAttr* value = nullptr;
    bool active = false;  // its parts are being read
  };
  static const LocationAttr* Known(const LocationAttr* location) {
    return location->kind == LocationAttr::Kind::kUnknown ? nullptr : location;
  }
  absl::StatusOr<const LocationAttr*> Read(uint64_t index);
  // Sets `out` and the numbers of its parts. Fails `in` if it is malformed.
  void ReadFields(ByteCursor& in, LocationAttr& out,
                  std::vector<uint64_t>& parts);
  void ReadLineNumbers(ByteCursor& in, LocationAttr& out);
  // Reads a reference to a string attribute.
  void ReadText(ByteCursor& in, LocationAttr& out);

  const BytecodeFile& file_;
  AttributePool& pool_;
  std::vector<Slot> slots_;
};

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_BYTECODE_LOCATION_READER_H_
