// FreePort: a port of this machine for a test.
#ifndef TESTS_DISTRIBUTED_FREE_PORT_H_
#define TESTS_DISTRIBUTED_FREE_PORT_H_

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace xla::distributed {

// A port that nobody listens at; 0 if there is none.
inline int FreePort() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(fd, generic, size) == 0) getsockname(fd, generic, &size);
  close(fd);
  return ntohs(address.sin_port);
}

}  // namespace xla::distributed

#endif  // TESTS_DISTRIBUTED_FREE_PORT_H_
