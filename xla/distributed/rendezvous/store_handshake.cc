// Three messages of fixed size; a refusal is a reply, as to a request.
#include "xla/distributed/rendezvous/store_handshake.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"

namespace xla::distributed {
namespace {

constexpr absl::string_view kServerPurpose = "server of the store";
constexpr absl::string_view kClientPurpose = "client of the store";
constexpr absl::Duration kHandshakePatience = absl::Seconds(10);
// The longest text of a refusal.
constexpr uint64_t kMostTextBytes = 4096;

struct ClientHello {
  uint32_t magic = kStoreHandshakeMagic;
  uint32_t padding = 0;
  int64_t process = 0;
  Nonce nonce = {};
};
struct ServerHello {
  uint32_t magic = kStoreHandshakeMagic;
  uint32_t padding = 0;
  Nonce nonce = {};
  Digest proof = {};
};

template <typename Message>
absl::Status Write(Socket& socket, const Message& message) {
  return socket.Write(&message, sizeof(message), kHandshakePatience);
}

// Reads what follows the magic number, which has been read.
template <typename Message>
absl::Status ReadRest(Socket& socket, Message* message) {
  return socket.Read(reinterpret_cast<char*>(message) + sizeof(uint32_t),
                     sizeof(*message) - sizeof(uint32_t), kHandshakePatience);
}

// Reads a reply instead of a hello, and returns the error that it holds.
absl::Status ReadRefusal(Socket& socket, const std::string& address) {
  ReplyHead head;
  TF_RETURN_IF_ERROR(ReadRest(socket, &head));
  if (head.code == 0 || head.bytes > kMostTextBytes) {
    return absl::DataLossError(
        absl::StrCat("what listens at ", address, " is no store"));
  }
  std::string text(head.bytes, '\0');
  TF_RETURN_IF_ERROR(socket.Read(text.data(), text.size(), kHandshakePatience));
  return absl::Status(static_cast<absl::StatusCode>(head.code), text);
}

}  // namespace

absl::Status WriteReply(Socket& socket, const absl::Status& status,
                        absl::string_view text) {
  if (!status.ok()) text = status.message();
  ReplyHead head;
  head.code = static_cast<uint32_t>(status.code());
  head.bytes = text.size();
  TF_RETURN_IF_ERROR(Write(socket, head));
  return socket.Write(text.data(), text.size(), kHandshakePatience);
}

absl::Status ProveToStore(Socket& socket, const SharedSecret& secret,
                          const std::string& address, int process) {
  ClientHello mine;
  mine.process = process;
  TF_ASSIGN_OR_RETURN(mine.nonce, MakeNonce());
  TF_RETURN_IF_ERROR(Write(socket, mine));
  ServerHello theirs;
  TF_RETURN_IF_ERROR(
      socket.Read(&theirs.magic, sizeof(theirs.magic), kHandshakePatience));
  if (theirs.magic == kStoreMagic) return ReadRefusal(socket, address);
  if (theirs.magic != kStoreHandshakeMagic) {
    return absl::DataLossError(
        absl::StrCat("what listens at ", address, " is no store"));
  }
  TF_RETURN_IF_ERROR(ReadRest(socket, &theirs));
  const Challenge client = {process, mine.nonce};
  const Challenge server = {0, theirs.nonce};
  if (!secret.Check(theirs.proof, kServerPurpose, address, server, client)) {
    return absl::PermissionDeniedError(absl::StrCat(
        "what listens at ", address, " does not know the job's secret"));
  }
  return Write(socket, secret.Prove(kClientPurpose, address, client, server));
}

absl::Status ProveToClient(Socket& socket, const SharedSecret* secret,
                           const std::string& address) {
  ClientHello theirs;
  TF_RETURN_IF_ERROR(ReadRest(socket, &theirs));
  const std::string who = absl::StrCat("a connection that says it is process ",
                                       theirs.process, "'s");
  if (secret == nullptr) {
    const absl::Status none = absl::FailedPreconditionError(absl::StrCat(
        "the store at ", address,
        " has no secret to compare: set secret_file in all processes"));
    TF_RETURN_IF_ERROR(WriteReply(socket, none, ""));
    return AddStatus(none, who);
  }
  ServerHello mine;
  TF_ASSIGN_OR_RETURN(mine.nonce, MakeNonce());
  const Challenge client = {theirs.process, theirs.nonce};
  const Challenge server = {0, mine.nonce};
  mine.proof = secret->Prove(kServerPurpose, address, server, client);
  TF_RETURN_IF_ERROR(Write(socket, mine));
  Digest proof;
  const absl::Status read =
      socket.Read(proof.data(), proof.size(), kHandshakePatience);
  if (!read.ok()) {
    return absl::PermissionDeniedError(absl::StrCat(
        who, ": it did not prove that it knows the job's secret, as one does ",
        "that has another: ", read.message()));
  }
  if (secret->Check(proof, kClientPurpose, address, client, server)) {
    return absl::OkStatus();
  }
  const absl::Status refusal = absl::PermissionDeniedError(
      absl::StrCat("process ", theirs.process, " does not know the secret of ",
                   "the store at ", address));
  TF_RETURN_IF_ERROR(WriteReply(socket, refusal, ""));
  return AddStatus(refusal, who);
}

}  // namespace xla::distributed
