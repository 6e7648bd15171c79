// Writes and reads the parts that all thunks have.
#include "xla/backends/cpu/thunks/thunk_archive.h"

#include "absl/strings/str_cat.h"

namespace xla::cpu {

absl::Status Thunk::Write(ThunkWriter& writer) const {
  return absl::UnimplementedError(absl::StrCat(
      name(), ": a program that is compiled ahead of time has no ", kind()));
}

void ThunkWriter::WriteNumber(int64_t number) {
  // Seven bits a byte, the sign in the lowest one.
  uint64_t bits = (static_cast<uint64_t>(number) << 1) ^
                  static_cast<uint64_t>(number >> 63);
  while (bits >= 0x80) {
    bytes_.push_back(static_cast<char>(bits | 0x80));
    bits >>= 7;
  }
  bytes_.push_back(static_cast<char>(bits));
}

int64_t ThunkReader::ReadNumber() {
  uint64_t bits = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (left_.empty()) break;
    const auto byte = static_cast<unsigned char>(left_.front());
    left_.remove_prefix(1);
    bits |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) {
      return static_cast<int64_t>(bits >> 1) ^ -static_cast<int64_t>(bits & 1);
    }
  }
  failed_ = true;
  return 0;
}

int64_t ThunkReader::ReadCount() {
  const int64_t count = ReadNumber();
  if (count >= 0 && count <= static_cast<int64_t>(left_.size())) return count;
  failed_ = true;
  return 0;
}

void ThunkWriter::Write(KernelFunction function) {
  if (function == nullptr) return WriteNumber(-1);
  const int64_t number = kernel_number_(function);
  if (number < 0) {
    status_.Update(absl::InternalError("a thunk calls an unknown function"));
  }
  WriteNumber(number);
}

void ThunkReader::Read(KernelFunction& function) {
  const int64_t number = ReadNumber();
  function = number < 0 ? nullptr : program_->Kernel(number);
  if (number >= 0 && function == nullptr) failed_ = true;
}

void ThunkWriter::Write(const std::string& text) {
  WriteNumber(static_cast<int64_t>(text.size()));
  bytes_ += text;
}

void ThunkReader::Read(std::string& text) {
  const int64_t size = ReadCount();
  text = std::string(left_.substr(0, size));
  left_.remove_prefix(size);
}

void ThunkWriter::Write(const BufferUses& uses) {
  WriteNumber(static_cast<int64_t>(uses.size()));
  for (const BufferUse& use : uses) (*this)(use.slice, use.kind);
}

void ThunkReader::Read(BufferUses& uses) {
  for (int64_t i = ReadCount(); i > 0; --i) {
    BufferUse use;
    (*this)(use.slice, use.kind);
    uses.Add(use);
  }
}

void ThunkWriter::Begin(ThunkRecord record, const Thunk& thunk) {
  thunks_.insert({&thunk, static_cast<int64_t>(thunks_.size())});
  (*this)(record, thunk.name(), thunk.scratch_from());
}

void ThunkWriter::WriteReference(const Thunk* thunk) {
  if (thunk == nullptr) return WriteNumber(-1);
  const auto it = thunks_.find(thunk);
  if (it == thunks_.end()) {
    status_.Update(absl::InternalError(
        absl::StrCat(thunk->name(), " runs after a thunk that refers to it")));
    return;
  }
  WriteNumber(it->second);
}

const Thunk* ThunkReader::ReadReference() {
  const int64_t number = ReadNumber();
  if (number < 0) return nullptr;
  if (number < static_cast<int64_t>(thunks_.size())) return thunks_[number];
  failed_ = true;
  return nullptr;
}

absl::Status ThunkWriter::WriteSequence(const ThunkSequence& thunks) {
  WriteNumber(static_cast<int64_t>(thunks.size()));
  for (const std::unique_ptr<Thunk>& thunk : thunks) {
    if (absl::Status status = thunk->Write(*this); !status.ok()) return status;
    if (!status_.ok()) return status_;
  }
  return absl::OkStatus();
}

absl::Status ThunkReader::status() const {
  return failed_ ? absl::InvalidArgumentError("the list of thunks is damaged")
                 : absl::OkStatus();
}

}  // namespace xla::cpu
