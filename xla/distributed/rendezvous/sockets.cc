// Thin wrappers of the system's calls.
#include "xla/distributed/rendezvous/sockets.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"

namespace xla::distributed {
namespace {

absl::Status SystemError(absl::string_view what) {
  return absl::UnavailableError(absl::StrCat(what, ": ", std::strerror(errno)));
}

using Addresses = std::unique_ptr<addrinfo, void (*)(addrinfo*)>;

absl::StatusOr<Addresses> Resolve(const std::string& host,
                                  const std::string& port) {
  addrinfo hints = {};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
  if (error != 0) {
    return absl::UnavailableError(
        absl::StrCat(host, ":", port, ": ", gai_strerror(error)));
  }
  return Addresses(found, freeaddrinfo);
}

// Waits until `events` are there.
absl::Status Await(int fd, short events, absl::Duration patience) {
  pollfd poller = {fd, events, 0};
  const int ready =
      poll(&poller, 1, static_cast<int>(absl::ToInt64Milliseconds(patience)));
  if (ready > 0) return absl::OkStatus();
  if (ready == 0) return absl::DeadlineExceededError("no data in time");
  if (errno == EINTR) return absl::OkStatus();
  return SystemError("poll");
}

}  // namespace

Socket::~Socket() {
  if (fd_ >= 0) close(fd_);
}

absl::Status Socket::Write(const void* data, size_t size,
                           absl::Duration patience) {
  const char* from = static_cast<const char*>(data);
  while (size > 0) {
    TF_RETURN_IF_ERROR(Await(fd_, POLLOUT, patience));
    const ssize_t sent = send(fd_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent < 0) return SystemError("send");
    from += sent;
    size -= sent;
  }
  return absl::OkStatus();
}

absl::Status Socket::Read(void* data, size_t size, absl::Duration patience) {
  char* to = static_cast<char*>(data);
  while (size > 0) {
    TF_RETURN_IF_ERROR(Await(fd_, POLLIN, patience));
    const ssize_t got = recv(fd_, to, size, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return SystemError("recv");
    if (got == 0) return absl::UnavailableError("the connection was closed");
    to += got;
    size -= got;
  }
  return absl::OkStatus();
}

absl::StatusOr<Socket> ListenAt(const std::string& host,
                                const std::string& port) {
  TF_ASSIGN_OR_RETURN(const Addresses addresses, Resolve(host, port));
  absl::Status status = absl::UnavailableError("there is no address");
  for (const addrinfo* a = addresses.get(); a != nullptr; a = a->ai_next) {
    Socket listener(socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, 0));
    const int on = 1;
    setsockopt(listener.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(listener.fd(), a->ai_addr, a->ai_addrlen) == 0 &&
        listen(listener.fd(), SOMAXCONN) == 0) {
      return listener;
    }
    status = SystemError(absl::StrCat("listening at ", host, ":", port));
  }
  return status;
}

absl::StatusOr<Socket> ConnectTo(const std::string& host,
                                 const std::string& port) {
  TF_ASSIGN_OR_RETURN(const Addresses addresses, Resolve(host, port));
  absl::Status status = absl::UnavailableError("there is no address");
  for (const addrinfo* a = addresses.get(); a != nullptr; a = a->ai_next) {
    Socket connection(socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, 0));
    if (connect(connection.fd(), a->ai_addr, a->ai_addrlen) == 0) {
      const int on = 1;
      setsockopt(connection.fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
      return connection;
    }
    status = SystemError(absl::StrCat("connecting to ", host, ":", port));
  }
  return status;
}

absl::StatusOr<Socket> AcceptFrom(const Socket& listener,
                                  absl::Duration timeout) {
  absl::Status ready = Await(listener.fd(), POLLIN, timeout);
  if (absl::IsDeadlineExceeded(ready)) return Socket();
  TF_RETURN_IF_ERROR(ready);
  const int fd = accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC);
  // The peer may have left again.
  return fd < 0 ? Socket() : Socket(fd);
}

}  // namespace xla::distributed
