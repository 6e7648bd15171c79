// HMAC, the secret's file, and handshakes: between processes over each
// transport, with the store of process 0, and against strangers.
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/distributed/cluster.h"
#include "tests/distributed/free_port.h"
#include "xla/base/stable_hash.h"
#include "xla/distributed/communicator.h"
#include "xla/distributed/handshake.h"
#include "xla/distributed/rendezvous/open_store.h"
#include "xla/distributed/rendezvous/sockets.h"
#include "xla/distributed/rendezvous/store_handshake.h"
#include "xla/distributed/rendezvous/tcp_store.h"
#include "xla/distributed/secret/hmac.h"
#include "xla/distributed/secret/shared_secret.h"

namespace xla::distributed {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Hex(const Digest& digest) {
  return absl::BytesToHexString(
      {reinterpret_cast<const char*>(digest.data()), digest.size()});
}

// The cases of RFC 4231, section 4.
TEST(HmacTest, HasTheValuesOfTheStandard) {
  std::string counted;
  for (char c = 1; c <= 25; ++c) counted.push_back(c);
  const struct {
    std::string key;
    std::string message;
    std::string digest;  // its beginning
  } cases[] = {
      {std::string(20, '\x0b'), "Hi There",
       "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
      {"Jefe", "what do ya want for nothing?",
       "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
      {std::string(20, '\xaa'), std::string(50, '\xdd'),
       "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
      {counted, std::string(50, '\xcd'),
       "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"},
      {std::string(20, '\x0c'), "Test With Truncation",
       "a3b6167473100ee06e0c796c2955552b"},
      {std::string(131, '\xaa'),
       "Test Using Larger Than Block-Size Key - Hash Key First",
       "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
      {std::string(131, '\xaa'),
       "This is a test using a larger than block-size key and a larger than "
       "block-size data. The key needs to be hashed before being used by the "
       "HMAC algorithm.",
       "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Hex(HmacSha256(c.key, c.message)).substr(0, c.digest.size()),
              c.digest);
  }
  EXPECT_EQ(Hex(Sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(HmacTest, ComparesAllBytes) {
  const Digest digest = Sha256("a");
  EXPECT_TRUE(AreEqualInConstantTime(digest, Digest(digest)));
  for (size_t i = 0; i < digest.size(); ++i) {
    Digest other = digest;
    other[i] ^= 0x80;
    EXPECT_FALSE(AreEqualInConstantTime(digest, other));
  }
}

class SecretTest : public testing::Test {
 protected:
  SecretTest() {
    folder_ = testing::TempDir() + "tessera_secret_XXXXXX";
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
  }
  ~SecretTest() override {
    for (const std::string& file : files_) unlink(file.c_str());
    rmdir(folder_.c_str());
  }
  std::string Write(const std::string& text, mode_t mode = 0600) {
    files_.push_back(folder_ + "/" + std::to_string(files_.size()));
    std::ofstream(files_.back(), std::ios::binary) << text;
    chmod(files_.back().c_str(), mode);
    return files_.back();
  }
  std::string folder_;
  std::vector<std::string> files_;
};

TEST_F(SecretTest, AFileIsRefusedThatOthersRead) {
  for (const mode_t mode : {0640, 0604, 0620, 0602, 0610, 0601, 0777}) {
    const auto secret = SharedSecret::Read(Write("word", mode));
    EXPECT_TRUE(absl::IsPermissionDenied(secret.status())) << mode;
    EXPECT_THAT(secret.status().message(),
                AllOf(HasSubstr(files_.back()), HasSubstr("chmod 600"),
                      Not(HasSubstr("word"))));
  }
  EXPECT_TRUE(SharedSecret::Read(Write("word", 0400)).ok());
}

TEST_F(SecretTest, AFileIsRefusedThatHasNoSecret) {
  for (const char* text : {"", "\n", "\r\n\n"}) {
    const auto secret = SharedSecret::Read(Write(text));
    EXPECT_TRUE(absl::IsInvalidArgument(secret.status()));
    EXPECT_THAT(secret.status().message(), HasSubstr("it is empty"));
  }
  EXPECT_TRUE(absl::IsInvalidArgument(
      SharedSecret::Read(Write(std::string(70000, 'x'))).status()));
  EXPECT_TRUE(absl::IsNotFound(SharedSecret::Read(folder_ + "/none").status()));
  EXPECT_THAT(SharedSecret::Read(folder_).status().message(),
              HasSubstr("not a plain file"));
  EXPECT_FALSE(SharedSecret::Read("/dev/null").ok());
}

TEST_F(SecretTest, LineEndsDoNotCount) {
  const auto a = SharedSecret::Read(Write("word"));
  const auto b = SharedSecret::Read(Write("word\r\n"));
  const auto c = SharedSecret::Read(Write("word "));
  ASSERT_TRUE(a.ok() && b.ok() && c.ok());
  EXPECT_EQ((*a)->Prove("x", "", {}, {}), (*b)->Prove("x", "", {}, {}));
  EXPECT_NE((*a)->Prove("x", "", {}, {}), (*c)->Prove("x", "", {}, {}));
}

TEST(SharedSecretTest, AProofCountsForOneHandshakeOnly) {
  const SharedSecret secret("word");
  const Challenge a = {1, MakeNonce().value()};
  const Challenge b = {2, MakeNonce().value()};
  const Digest proof = secret.Prove("purpose", "job", a, b);
  EXPECT_TRUE(secret.Check(proof, "purpose", "job", a, b));
  // Reflected, and moved to another place.
  EXPECT_FALSE(secret.Check(proof, "purpose", "job", b, a));
  EXPECT_FALSE(secret.Check(proof, "purpos", "ejob", a, b));
  EXPECT_FALSE(secret.Check(proof, "purpose", "jo", a, b));
  EXPECT_FALSE(secret.Check(proof, "purpose", "job", {3, a.nonce}, b));
  EXPECT_FALSE(secret.Check(proof, "purpose", "job", a, {1, b.nonce}));
  // Replayed: nonces differ.
  EXPECT_FALSE(
      secret.Check(proof, "purpose", "job", a, {2, MakeNonce().value()}));
  EXPECT_FALSE(
      secret.Check(proof, "purpose", "job", {1, MakeNonce().value()}, b));
  EXPECT_FALSE(SharedSecret("words").Check(proof, "purpose", "job", a, b));
}

Topology JobOf(int processes, uint64_t incarnation = 7) {
  Topology topology;
  for (int p = 0; p < processes; ++p) {
    topology.processes.push_back(ProcessDescription::OfThis("loopback", 1));
    topology.processes.back().incarnation = incarnation;
  }
  return topology;
}

TEST(HandshakeTest, AllWhoKnowTheSecretPass) {
  LoopbackHub hub(4);
  const Topology job = JobOf(4);
  OnThreads(4, [&](int p) {
    const auto transport = hub.MakeTransport(p);
    const absl::Status status = ProveToAll(
        *transport, SharedSecret("word"), job, absl::Now() + absl::Seconds(20));
    EXPECT_TRUE(status.ok()) << status;
  });
}

// The statuses of three processes whose last one has another secret or job.
std::vector<absl::Status> StatusesWith(const char* secret, const Topology& job,
                                       const Topology& job_of_last) {
  LoopbackHub hub(3);
  std::vector<absl::Status> statuses(3);
  std::vector<std::unique_ptr<Transport>> transports;
  for (int p = 0; p < 3; ++p) transports.push_back(hub.MakeTransport(p));
  OnThreads(3, [&](int p) {
    statuses[p] =
        ProveToAll(*transports[p], SharedSecret(p == 2 ? secret : "word"),
                   p == 2 ? job_of_last : job, absl::Now() + absl::Seconds(20));
    // The connections are closed.
    EXPECT_FALSE(transports[p]->Send((p + 1) % 3, 1, "x").ok());
  });
  return statuses;
}

TEST(HandshakeTest, BothSidesSayWhoDoesNotKnowTheSecret) {
  const Topology job = JobOf(3);
  const auto statuses = StatusesWith("drow", job, job);
  for (int p = 0; p < 3; ++p) {
    EXPECT_TRUE(absl::IsPermissionDenied(statuses[p])) << statuses[p];
    EXPECT_THAT(statuses[p].message(),
                AllOf(HasSubstr(p == 2 ? "process 0 does not know the job's "
                                         "secret"
                                       : "process 2 does not know the job's "
                                         "secret"),
                      Not(HasSubstr("word")), Not(HasSubstr("drow"))));
  }
}

TEST(HandshakeTest, BothSidesSayThatTheirJobsDiffer) {
  const auto statuses = StatusesWith("word", JobOf(3), JobOf(3, 8));
  for (const absl::Status& status : statuses) {
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    EXPECT_THAT(status.message(), HasSubstr("sees other processes"));
  }
}

// Receives and sends the messages of a handshake between processes 0 and 1 as
// process 1, whatever they hold.
class Stranger {
 public:
  explicit Stranger(LoopbackHub& hub) : transport_(hub.MakeTransport(1)) {}
  static uint64_t Key(int round) {
    return StableMix(StableHash("handshake"), round);
  }
  std::string Get(int round, size_t size) {
    std::string message(size, '\0');
    auto receive = transport_->Receive(0, Key(round), absl::MakeSpan(message));
    if (!receive.ok() || !(*receive)->Wait(Soon()).ok()) return "";
    return message;
  }
  void Put(int round, absl::string_view message) {
    auto send = transport_->Send(0, Key(round), message);
    if (send.ok()) (*send)->Wait(Soon()).IgnoreError();
  }

 private:
  static absl::Time Soon() { return absl::Now() + absl::Seconds(5); }
  std::unique_ptr<Transport> transport_;
};

absl::Status MeetStranger(
    absl::Duration timeout,
    const std::function<void(LoopbackHub& hub)>& stranger) {
  LoopbackHub hub(2);
  absl::Status status;
  OnThreads(2, [&](int p) {
    if (p == 1) return stranger(hub);
    const auto transport = hub.MakeTransport(0);
    status = ProveToAll(*transport, SharedSecret("word"), JobOf(2),
                        absl::Now() + timeout);
  });
  return status;
}

constexpr size_t kHelloBytes = 80, kProofBytes = 40, kVerdictBytes = 16;

TEST(HandshakeTest, AReflectedHandshakeIsRefused) {
  for (const bool changes_number : {false, true}) {
    const absl::Status status =
        MeetStranger(absl::Seconds(20), [&](LoopbackHub& hub) {
          Stranger stranger(hub);
          std::string hello = stranger.Get(0, kHelloBytes);
          if (changes_number) hello[8] = 1;
          stranger.Put(0, hello);
          stranger.Put(1, stranger.Get(1, kProofBytes));
          std::string verdict = stranger.Get(2, kVerdictBytes);
          verdict.replace(8, 8, 8, '\xff');
          stranger.Put(2, verdict);
        });
    EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
  }
}

TEST(HandshakeTest, OtherBytesAreRefused) {
  const absl::Status status =
      MeetStranger(absl::Seconds(20), [](LoopbackHub& hub) {
        Stranger stranger(hub);
        const size_t sizes[] = {kHelloBytes, kProofBytes, kVerdictBytes};
        for (int round = 0; round < 3; ++round) {
          std::string taken;
          OnThreads(2, [&](int side) {
            if (side == 0) {
              stranger.Put(round, std::string(sizes[round], '\x7f'));
            } else {
              taken = stranger.Get(round, sizes[round]);
            }
          });
        }
      });
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(status.message(), HasSubstr("no part of a handshake"));
}

TEST(HandshakeTest, MessagesOfOtherSizesAreErrors) {
  for (const size_t size : {size_t{1}, kHelloBytes - 1, size_t{100000}}) {
    const absl::Status status =
        MeetStranger(absl::Seconds(20), [&](LoopbackHub& hub) {
          Stranger(hub).Put(0, std::string(size, 'x'));
        });
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(status.message(),
                HasSubstr("waiting for process 1 to prove that it knows"));
  }
}

TEST(HandshakeTest, AMissingAnswerIsAnErrorAfterTheTimeout) {
  LoopbackHub hub(2);
  const auto silent = hub.MakeTransport(1);
  const auto transport = hub.MakeTransport(0);
  const absl::Status status =
      ProveToAll(*transport, SharedSecret("word"), JobOf(2),
                 absl::Now() + absl::Milliseconds(30));
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_THAT(status.message(), HasSubstr("process 1 to prove"));
}

class EngineSecretTest : public SecretTest {
 protected:
  // Connects processes with these files over Gloo; fewer if it is missing.
  std::vector<absl::Status> Connect(const std::vector<std::string>& files) {
    const auto store = std::make_shared<MemoryStore>();
    std::vector<absl::Status> statuses(files.size());
    std::vector<std::shared_ptr<Communicator>> processes(files.size());
    OnThreads(static_cast<int>(files.size()), [&](int p) {
      CommunicatorOptions options;
      options.process = p;
      options.num_processes = static_cast<int>(files.size());
      options.connect_timeout = absl::Seconds(20);
      options.secret_file = files[p];
      auto connected = Communicator::Connect(options, store);
      statuses[p] = connected.status();
      if (connected.ok()) processes[p] = *std::move(connected);
    });
    return statuses;
  }
  static bool IsMissing(const std::vector<absl::Status>& statuses) {
    return absl::IsUnimplemented(statuses[0]);
  }
};

TEST_F(EngineSecretTest, ProcessesWithOneSecretConnect) {
  const auto statuses =
      Connect({Write("word"), Write("word\n"), Write("word")});
  if (IsMissing(statuses)) GTEST_SKIP() << "the engine is not installed";
  for (const absl::Status& status : statuses)
    EXPECT_TRUE(status.ok()) << status;
}

TEST_F(EngineSecretTest, ProcessesWithOtherSecretsDoNotConnect) {
  const auto statuses = Connect({Write("word"), Write("word"), Write("drow")});
  if (IsMissing(statuses)) GTEST_SKIP() << "the engine is not installed";
  for (int p = 0; p < 3; ++p) {
    EXPECT_FALSE(statuses[p].ok());
    EXPECT_THAT(statuses[p].message(),
                AllOf(HasSubstr("secret"), Not(HasSubstr("word")),
                      Not(HasSubstr("drow"))));
  }
  EXPECT_TRUE(absl::IsPermissionDenied(statuses[2])) << statuses[2];
  EXPECT_THAT(statuses[2].message(),
              HasSubstr("does not know the job's secret"));
}

TEST_F(EngineSecretTest, OneSideWithoutSecretIsNoticedAtOnce) {
  const absl::Time begin = absl::Now();
  const auto statuses = Connect({Write("word"), ""});
  for (const absl::Status& status : statuses) {
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    EXPECT_THAT(status.message(), HasSubstr("with secret_file"));
  }
  EXPECT_LT(absl::Now() - begin, absl::Seconds(15));
}

TEST_F(EngineSecretTest, AFileThatCannotBeUsedIsAnErrorBeforeAnythingElse) {
  const auto statuses = Connect({Write("word", 0644), Write("")});
  EXPECT_TRUE(absl::IsPermissionDenied(statuses[0])) << statuses[0];
  EXPECT_TRUE(absl::IsInvalidArgument(statuses[1])) << statuses[1];
}

class StoreSecretTest : public testing::Test {
 protected:
  static std::shared_ptr<const SharedSecret> Secret(const char* text) {
    return std::make_shared<const SharedSecret>(text);
  }
  absl::Status OpenOther(std::shared_ptr<const SharedSecret> secret) {
    return TcpStore::Open(address_, 1, absl::Seconds(5), std::move(secret))
        .status();
  }
  const std::string port_ = std::to_string(FreePort());
  const std::string address_ = "127.0.0.1:" + port_;
};

TEST_F(StoreSecretTest, ServesThoseWhoKnowIt) {
  const auto server =
      TcpStore::Open(address_, 0, absl::Seconds(5), Secret("word"));
  ASSERT_TRUE(server.ok()) << server.status();
  const auto client =
      TcpStore::Open(address_, 1, absl::Seconds(5), Secret("word"));
  ASSERT_TRUE(client.ok()) << client.status();
  EXPECT_TRUE((*client)->Put("k", std::string(100000, 'v')).ok());
  EXPECT_EQ((*server)->Get("k", absl::Seconds(5)).value().size(), 100000);
  EXPECT_TRUE(absl::IsNotFound((*client)->TryGet("other").status()));
}

TEST_F(StoreSecretTest, BothSidesSayWhoDoesNotKnowIt) {
  const auto server =
      TcpStore::Open(address_, 0, absl::Seconds(5), Secret("word"));
  ASSERT_TRUE(server.ok()) << server.status();
  const absl::Status other = OpenOther(Secret("drow"));
  EXPECT_TRUE(absl::IsPermissionDenied(other)) << other;
  EXPECT_THAT(other.message(),
              AllOf(HasSubstr(address_), HasSubstr("does not know"),
                    Not(HasSubstr("word")), Not(HasSubstr("drow"))));
  const absl::Status none = OpenOther(nullptr);
  EXPECT_TRUE(absl::IsPermissionDenied(none)) << none;
  EXPECT_THAT(none.message(), HasSubstr("set secret_file"));
  const absl::Status mine =
      (*server)->Get("k", absl::Milliseconds(200)).status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(mine)) << mine;
  EXPECT_THAT(mine.message(), HasSubstr("the store refused 2 connections"));
}

TEST_F(StoreSecretTest, AStoreWithoutSecretSaysSo) {
  const auto server = TcpStore::Open(address_, 0, absl::Seconds(5));
  ASSERT_TRUE(server.ok()) << server.status();
  const absl::Status status = OpenOther(Secret("word"));
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(status.message(), HasSubstr("has no secret to compare"));
}

TEST_F(StoreSecretTest, HostileBytesEndInAStatus) {
  const auto server =
      TcpStore::Open(address_, 0, absl::Seconds(5), Secret("word"));
  ASSERT_TRUE(server.ok()) << server.status();
  for (const uint32_t magic : {kStoreHandshakeMagic, kStoreMagic, 0xffffffff}) {
    for (const size_t size :
         {size_t{0}, size_t{20}, size_t{44}, size_t{4096}}) {
      auto socket = ConnectTo("127.0.0.1", port_);
      ASSERT_TRUE(socket.ok());
      std::string bytes(4 + size, '\xff');
      std::memcpy(bytes.data(), &magic, sizeof(magic));
      socket->Write(bytes.data(), bytes.size(), absl::Seconds(1)).IgnoreError();
    }
  }
  // Nothing of that has reached the store, which still works.
  EXPECT_TRUE((*server)->Put("k", "v").ok());
}

// A server that answers with these bytes.
absl::Status AnswerWith(const std::string& port, const std::string& answer) {
  auto listener = ListenAt("127.0.0.1", port);
  EXPECT_TRUE(listener.ok()) << listener.status();
  absl::Status status;
  OnThreads(2, [&](int side) {
    if (side == 0) {
      auto socket = AcceptFrom(*listener, absl::Seconds(10));
      ASSERT_TRUE(socket.ok() && socket->fd() >= 0);
      socket->Write(answer.data(), answer.size(), absl::Seconds(1))
          .IgnoreError();
      char byte;
      for (int i = 0; i < 48; ++i) {
        socket->Read(&byte, 1, absl::Seconds(5)).IgnoreError();
      }
      return;
    }
    auto socket = ConnectTo("127.0.0.1", port);
    ASSERT_TRUE(socket.ok());
    status = ProveToStore(*socket, SharedSecret("word"), "address", 1);
  });
  return status;
}

TEST_F(StoreSecretTest, AStoreThatIsNoneIsAnError) {
  EXPECT_TRUE(absl::IsDataLoss(AnswerWith(port_, std::string(72, 'x'))));
  ReplyHead long_reply;
  long_reply.code = 7;
  long_reply.bytes = ~uint64_t{0};
  std::string bytes(reinterpret_cast<const char*>(&long_reply),
                    sizeof(long_reply));
  EXPECT_TRUE(absl::IsDataLoss(AnswerWith(port_, bytes)));
  EXPECT_TRUE(absl::IsUnavailable(AnswerWith(port_, "")));
  // A hello with a wrong proof.
  bytes.assign(72, '\0');
  std::memcpy(bytes.data(), &kStoreHandshakeMagic, 4);
  const absl::Status status = AnswerWith(port_, bytes);
  EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
}

}  // namespace
}  // namespace xla::distributed
