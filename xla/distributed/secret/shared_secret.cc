// Reads the file, and makes proofs.
#include "xla/distributed/secret/shared_secret.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/byte_fields.h"

namespace xla::distributed {
namespace {

constexpr size_t kMostBytes = 1 << 16;
// The version of the proofs.
constexpr absl::string_view kFormat = "tessera proof 1";

class File {
 public:
  explicit File(const std::string& path)
      : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  int fd() const { return fd_; }

 private:
  const int fd_;
};

absl::Status CheckOwner(const struct stat& info) {
  if (!S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError("it is not a plain file");
  }
  if (info.st_uid != geteuid() && info.st_uid != 0) {
    return absl::PermissionDeniedError("it belongs to another user");
  }
  if ((info.st_mode & 077) != 0) {
    return absl::PermissionDeniedError(
        "others than its owner may read or write it: chmod 600");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadSecret(const std::string& path) {
  const File file(path);
  struct stat info;
  if (file.fd() < 0 || fstat(file.fd(), &info) != 0) {
    return absl::NotFoundError(std::strerror(errno));
  }
  // Of the open file, which nobody can exchange meanwhile.
  absl::Status status = CheckOwner(info);
  if (!status.ok()) return status;
  std::string secret(kMostBytes + 1, '\0');
  size_t size = 0;
  while (size < secret.size()) {
    const ssize_t got =
        read(file.fd(), secret.data() + size, secret.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return absl::NotFoundError(std::strerror(errno));
    if (got == 0) break;
    size += got;
  }
  if (size > kMostBytes) return absl::InvalidArgumentError("it is too long");
  while (size > 0 && (secret[size - 1] == '\n' || secret[size - 1] == '\r')) {
    --size;
  }
  if (size == 0) return absl::InvalidArgumentError("it is empty");
  secret.resize(size);
  return secret;
}

}  // namespace

absl::StatusOr<Nonce> MakeNonce() {
  Nonce nonce;
  if (getentropy(nonce.data(), nonce.size()) == 0) return nonce;
  return absl::InternalError(
      absl::StrCat("the system has no random numbers: ", std::strerror(errno)));
}

absl::StatusOr<std::shared_ptr<const SharedSecret>> SharedSecret::Read(
    const std::string& file) {
  absl::StatusOr<std::string> secret = ReadSecret(file);
  if (!secret.ok()) {
    return absl::Status(secret.status().code(),
                        absl::StrCat("the secret's file ", file, ": ",
                                     secret.status().message()));
  }
  return std::make_shared<const SharedSecret>(*std::move(secret));
}

SharedSecret::~SharedSecret() {
  explicit_bzero(secret_.data(), secret_.size());
}

Digest SharedSecret::Prove(absl::string_view purpose, absl::string_view job,
                           const Challenge& prover,
                           const Challenge& verifier) const {
  // Each text comes with its length, so that no two lists of fields have the
  // same bytes.
  ByteWriter writer(kFormat.size() + purpose.size() + job.size() +
                    2 * sizeof(Challenge) + 64);
  writer.Text(kFormat);
  writer.Text(purpose);
  writer.Text(job);
  for (const Challenge* side : {&prover, &verifier}) {
    writer.Number(side->process);
    writer.Text({reinterpret_cast<const char*>(side->nonce.data()),
                 side->nonce.size()});
  }
  return HmacSha256(secret_, std::move(writer).Take());
}

bool SharedSecret::Check(const Digest& proof, absl::string_view purpose,
                         absl::string_view job, const Challenge& prover,
                         const Challenge& verifier) const {
  return AreEqualInConstantTime(proof, Prove(purpose, job, prover, verifier));
}

}  // namespace xla::distributed
