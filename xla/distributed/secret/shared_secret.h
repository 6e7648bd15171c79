// SharedSecret: what the processes of a job know and nobody else.
#ifndef XLA_DISTRIBUTED_SECRET_SHARED_SECRET_H_
#define XLA_DISTRIBUTED_SECRET_SHARED_SECRET_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/distributed/secret/hmac.h"

namespace xla::distributed {

// A number that is used once.
using Nonce = std::array<uint8_t, 32>;
// Random; from the system. Errors: Internal, with the system's reason.
absl::StatusOr<Nonce> MakeNonce();

// One side of a handshake.
struct Challenge {
  int64_t process = 0;
  Nonce nonce = {};
};

class SharedSecret {
 public:
  // Reads `file`; line ends after the secret do not count. Errors: NotFound if
  // it cannot be read, PermissionDenied if it belongs to another user or others
  // may read or write it, InvalidArgument if it is empty or no plain file.
  static absl::StatusOr<std::shared_ptr<const SharedSecret>> Read(
      const std::string& file);
  explicit SharedSecret(std::string secret) : secret_(std::move(secret)) {}
  ~SharedSecret();
  SharedSecret(const SharedSecret&) = delete;
  SharedSecret& operator=(const SharedSecret&) = delete;

  // Proves to `verifier` that `prover` knows the secret. `purpose` says what
  // kind of connection it is for, `job` which job.
  Digest Prove(absl::string_view purpose, absl::string_view job,
               const Challenge& prover, const Challenge& verifier) const;
  // Whether `proof` is what Prove returns.
  bool Check(const Digest& proof, absl::string_view purpose,
             absl::string_view job, const Challenge& prover,
             const Challenge& verifier) const;

 private:
  std::string secret_;
};

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_SECRET_SHARED_SECRET_H_
