// Frames and their comparison.
#include "xla/distributed/message.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace xla::distributed {
namespace {

constexpr uint64_t kMagic = 0x31474d5241535354;  // "TSSARMG1"

// Leaves a zero at the end.
template <size_t kSize>
void CopyText(absl::string_view text, char (&to)[kSize]) {
  std::memcpy(to, text.data(), std::min(text.size(), kSize - 1));
}

template <size_t kSize>
absl::string_view TextOf(const char (&from)[kSize]) {
  return {from, strnlen(from, kSize - 1)};
}

}  // namespace

std::string Operation::ToString() const {
  std::string text = absl::StrCat(name, " (", op, " of ", bytes, " bytes");
  if (!type.empty()) absl::StrAppend(&text, " of ", type);
  if (channel > 0) absl::StrAppend(&text, ", channel ", channel);
  return absl::StrCat(text, channel == kNoProgram ? ", key " : ", run ", run,
                      ")");
}

Frame::Frame(const Operation& operation) : Frame() {
  magic = kMagic;
  key = operation.key;
  program = operation.program;
  run = operation.run;
  channel = operation.channel;
  payload_bytes = operation.bytes;
  CopyText(operation.op, op);
  CopyText(operation.type, type);
  CopyText(operation.name, name);
}

Operation Frame::operation() const {
  return {key,
          program,
          run,
          channel,
          payload_bytes,
          std::string(TextOf(op)),
          std::string(TextOf(type)),
          std::string(TextOf(name))};
}

absl::Status Frame::CheckAgainst(const Operation& mine, int peer) const {
  if (magic != kMagic) {
    return absl::DataLossError(
        absl::StrCat(mine.ToString(), ": process ", peer,
                     " sent something that is no message of a collective"));
  }
  const Frame expected(mine);
  if (std::memcmp(this, &expected, offsetof(Frame, name)) == 0) {
    return absl::OkStatus();
  }
  absl::string_view program_differs;
  if (program != expected.program) {
    program_differs = mine.channel == kNoProgram ? "; their shapes differ"
                                                 : "; their programs differ";
  }
  return absl::InvalidArgumentError(
      absl::StrCat(mine.ToString(), ": process ", peer, " is at ",
                   operation().ToString(), program_differs));
}

}  // namespace xla::distributed
