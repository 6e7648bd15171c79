// TcpStore: a key-value store that process 0 serves at an address.
#ifndef XLA_DISTRIBUTED_RENDEZVOUS_TCP_STORE_H_
#define XLA_DISTRIBUTED_RENDEZVOUS_TCP_STORE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "xla/distributed/rendezvous/key_value_store.h"
#include "xla/distributed/secret/shared_secret.h"

namespace xla::distributed {

// Without a secret, anyone who reaches the address can read and write the
// store. With one, both sides of each connection prove that they know it first.
class TcpStore : public KeyValueStore {
 public:
  // `address` is "HOST:PORT", the same in all processes: a name or number of
  // process 0's host. Process 0 listens there, and serves until its store is
  // destroyed; the others wait until it does. Errors: InvalidArgument for what
  // is no address; Unavailable if process 0 cannot listen; DeadlineExceeded;
  // PermissionDenied or FailedPrecondition if process 0 has another secret, or
  // only one of both sides has one.
  static absl::StatusOr<std::unique_ptr<TcpStore>> Open(
      const std::string& address, int process, absl::Duration timeout,
      std::shared_ptr<const SharedSecret> secret = nullptr);
  ~TcpStore() override;

  absl::Status Put(absl::string_view key, absl::string_view value) override;
  absl::StatusOr<std::string> Get(absl::string_view key,
                                  absl::Duration timeout) override;
  absl::StatusOr<std::string> TryGet(absl::string_view key) override;

  class Server;

 private:
  TcpStore(std::string host, std::string port, int process,
           std::shared_ptr<const SharedSecret> secret);
  std::string address() const;
  absl::Status AwaitServer(absl::Duration timeout);
  // `request` is a kind of request.
  absl::StatusOr<std::string> Ask(uint32_t request, absl::string_view key,
                                  absl::string_view value,
                                  absl::Duration timeout);

  const std::string host_;
  const std::string port_;
  const int process_;
  const std::shared_ptr<const SharedSecret> secret_;
  std::unique_ptr<Server> server_;  // of process 0
};

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_RENDEZVOUS_TCP_STORE_H_
