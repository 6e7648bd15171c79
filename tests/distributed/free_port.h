// FreePort: a port of this machine for a test.
#ifndef TESTS_DISTRIBUTED_FREE_PORT_H_
#define TESTS_DISTRIBUTED_FREE_PORT_H_

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <random>

namespace xla::distributed {

// A port that nobody listens at, below those that the system gives to other
// connections before the test listens at it.
inline int FreePort() {
  std::random_device random;
  while (true) {
    const int port = 12000 + static_cast<int>(random() % 20000);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int bound =
        bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address));
    close(fd);
    if (bound == 0) return port;
  }
}

}  // namespace xla::distributed

#endif  // TESTS_DISTRIBUTED_FREE_PORT_H_
