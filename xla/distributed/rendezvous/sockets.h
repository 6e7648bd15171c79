// The sockets of TcpStore: whole messages with time limits.
#ifndef XLA_DISTRIBUTED_RENDEZVOUS_SOCKETS_H_
#define XLA_DISTRIBUTED_RENDEZVOUS_SOCKETS_H_

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace xla::distributed {

// Owns a file descriptor.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Socket();

  int fd() const { return fd_; }
  // Fail with Unavailable, or DeadlineExceeded if no byte moves for `patience`.
  absl::Status Write(const void* data, size_t size, absl::Duration patience);
  absl::Status Read(void* data, size_t size, absl::Duration patience);

 private:
  int fd_ = -1;
};

// Errors: Unavailable, with the system's reason.
absl::StatusOr<Socket> ListenAt(const std::string& host,
                                const std::string& port);
absl::StatusOr<Socket> ConnectTo(const std::string& host,
                                 const std::string& port);
// Waits for a connection; a null socket if none comes in time.
absl::StatusOr<Socket> AcceptFrom(const Socket& listener,
                                  absl::Duration timeout);

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_RENDEZVOUS_SOCKETS_H_
