// Reads and writes structs of callers, which may be of earlier or later
// versions of tessera.h: their struct_size says how many bytes there are.
#ifndef XLA_CAPI_STRUCTS_H_
#define XLA_CAPI_STRUCTS_H_

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "xla/capi/arguments.h"

namespace xla::capi {

// Errors: InvalidArgument if there is no struct, or its size is not that of
// one.
template <typename Struct>
absl::Status CheckStruct(const Struct* s, const char* name) {
  if (s == nullptr) return NullError(name);
  // No struct of any version comes near this size.
  constexpr size_t kMost = 4096;
  if (s->struct_size >= sizeof(size_t) && s->struct_size <= kMost) {
    return absl::OkStatus();
  }
  return ArgumentError(
      absl::StrCat(name, ".struct_size is ", s->struct_size,
                   "; it must be sizeof(the struct), as TESSERA_INIT sets it"));
}

// Returns the struct, with zeros for members that the caller's version lacks.
// Null stands for a struct of zeros. Errors: those of CheckStruct;
// InvalidArgument if a member that this version lacks is not zero.
template <typename Struct>
absl::StatusOr<Struct> ReadStruct(const Struct* s, const char* name) {
  Struct read = {};
  if (s == nullptr) return read;
  absl::Status valid = CheckStruct(s, name);
  if (!valid.ok()) return valid;
  const char* bytes = reinterpret_cast<const char*>(s);
  for (size_t i = sizeof(Struct); i < s->struct_size; ++i) {
    if (bytes[i] == 0) continue;
    return ArgumentError(absl::StrCat(
        name, " has a member at byte ", i, " that is set, but this library ",
        "knows only ", sizeof(Struct), ": it is older than the program"));
  }
  std::memcpy(static_cast<void*>(&read), s,
              std::min(sizeof(Struct), s->struct_size));
  return read;
}

// Writes the members that the caller's version has; later ones become zero.
template <typename Struct>
absl::Status WriteStruct(Struct value, Struct* out) {
  absl::Status valid = CheckStruct(out, "out");
  if (!valid.ok()) return valid;
  value.struct_size = out->struct_size;
  char* bytes = reinterpret_cast<char*>(out);
  const size_t known = std::min(sizeof(Struct), value.struct_size);
  std::memcpy(bytes, &value, known);
  std::memset(bytes + known, 0, value.struct_size - known);
  return absl::OkStatus();
}

}  // namespace xla::capi

#endif  // XLA_CAPI_STRUCTS_H_
