// LocationAttr: which line of the user's program an op comes from, and how the
// framework calls it, as MLIR's location attributes say it. (Location, in ir.h,
// is the place of an op in the StableHLO source.)
#ifndef XLA_STABLEHLO_IR_LOCATION_ATTR_H_
#define XLA_STABLEHLO_IR_LOCATION_ATTR_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace xla::stablehlo {

// Ops share locations and locations share parts: what follows all parts of one
// may visit a part very often, and nesting may be as deep as the source is
// long. The bits below make it possible to follow one path only.
struct LocationAttr {
  enum class Kind {
    kUnknown,      // loc(unknown), and those of dialects that are not known
    kFileLineCol,  // loc("f.py":3:4), loc("f.py":3:4 to 5:6): text is the file
    kName,         // loc("add"(child)): text is the name; without part: unknown
    kCallSite,     // loc(callsite(callee at caller))
    kFused,        // loc(fused[a, b]); its metadata is not kept
  };
  Kind kind = Kind::kUnknown;
  absl::string_view text;
  int32_t line = 0;
  int32_t column = 0;
  int32_t end_line = 0;
  int32_t end_column = 0;
  absl::Span<const LocationAttr* const> parts;
  bool has_line = false;   // a kFileLineCol is in it
  bool has_frame = false;  // a frame is in it

  // Sets the bits from those of the parts: to be called once, when all other
  // fields are set.
  void Complete();

  // Returns whether this is a frame of a stack: the name of a function and the
  // line in it.
  bool IsFrame() const {
    return kind == Kind::kName && !parts.empty() &&
           parts[0]->kind == Kind::kFileLineCol;
  }
  // Returns the line of the op itself, of the innermost frame; null if none is
  // known. Takes time proportional to the depth.
  const LocationAttr* InnermostLine() const;
  // Returns "f.py:3", that line; empty if none is known.
  std::string LineToString() const;
};

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_IR_LOCATION_ATTR_H_
