// Three rounds, in each of which every process sends one message of fixed size
// to every other: a random number, a proof, and what became of it. The rounds
// go on after a refusal, so that both sides of it have an error that says why.
#include "xla/distributed/handshake.h"

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/stable_hash.h"
#include "xla/base/status_macros.h"
#include "xla/distributed/secret/hmac.h"

namespace xla::distributed {
namespace {

constexpr uint64_t kHandshakeMagic = 0x31534853534554;  // "TESSHS1"
constexpr absl::string_view kPurpose = "between processes";

struct Hello {
  uint64_t magic = kHandshakeMagic;
  int64_t process = 0;
  Nonce nonce = {};
  Digest job = {};  // not secret: it tells another job from a wrong secret
};
struct Proof {
  uint64_t magic = kHandshakeMagic;
  Digest digest = {};
};
struct Verdict {
  uint64_t magic = kHandshakeMagic;
  int64_t refused = -1;  // the number of a process
};

Digest DigestOf(const Topology& job) {
  std::string all;
  for (const ProcessDescription& process : job.processes) {
    const std::string one = process.Serialize();
    absl::StrAppend(&all, one.size(), ":", one);
  }
  return Sha256(all);
}

class Handshake {
 public:
  Handshake(Transport& transport, const SharedSecret& secret,
            const Topology& job, absl::Time deadline)
      : transport_(transport),
        secret_(secret),
        job_(DigestOf(job)),
        deadline_(deadline),
        refusals_(transport.num_processes()) {}

  absl::Status Run() {
    const int count = transport_.num_processes();
    const int self = transport_.process();
    std::vector<Hello> hellos(count);
    for (Hello& hello : hellos) {
      hello.process = self;
      hello.job = job_;
      TF_ASSIGN_OR_RETURN(hello.nonce, MakeNonce());
    }
    std::vector<Hello> their_hellos(count);
    TF_RETURN_IF_ERROR(Exchange(0, hellos, &their_hellos));
    std::vector<Proof> proofs(count), expected(count), their_proofs(count);
    for (int p = 0; p < count; ++p) {
      const Challenge mine = {self, hellos[p].nonce};
      const Challenge theirs = {p, their_hellos[p].nonce};
      proofs[p].digest = secret_.Prove(kPurpose, job(), mine, theirs);
      expected[p].digest = secret_.Prove(kPurpose, job(), theirs, mine);
    }
    TF_RETURN_IF_ERROR(Exchange(1, proofs, &their_proofs));
    Verdict verdict;
    for (int p = 0; p < count; ++p) {
      if (p == self) continue;
      refusals_[p] = Judge(
          p, their_hellos[p],
          AreEqualInConstantTime(their_proofs[p].digest, expected[p].digest));
      if (!refusals_[p].ok() && verdict.refused < 0) verdict.refused = p;
    }
    std::vector<Verdict> verdicts(count, verdict), their_verdicts(count);
    for (int p = 0; p < count; ++p) {
      if (!refusals_[p].ok()) verdicts[p].refused = p;
    }
    TF_RETURN_IF_ERROR(Exchange(2, verdicts, &their_verdicts));
    return Outcome(their_verdicts);
  }

 private:
  absl::string_view job() const {
    return {reinterpret_cast<const char*>(job_.data()), job_.size()};
  }

  // Sends mine[p] to process p, and gets what it sends. What has another magic
  // number becomes a refusal.
  template <typename Message>
  absl::Status Exchange(uint64_t round, std::vector<Message>& mine,
                        std::vector<Message>* theirs) {
    const uint64_t key = StableMix(StableHash("handshake"), round);
    std::vector<std::unique_ptr<Transfer>> sends(mine.size());
    std::vector<std::unique_ptr<Transfer>> receives(mine.size());
    absl::Status status;
    int peer = 0;
    for (size_t i = 0; i < mine.size() && status.ok(); ++i) {
      peer = static_cast<int>(i);
      if (peer == transport_.process()) continue;
      status =
          Begin(peer, key, mine[i], &(*theirs)[i], &receives[i], &sends[i]);
    }
    for (auto* transfers : {&receives, &sends}) {
      for (size_t i = 0; i < mine.size() && status.ok(); ++i) {
        peer = static_cast<int>(i);
        if ((*transfers)[i] != nullptr) {
          status = (*transfers)[i]->Wait(deadline_);
        }
      }
    }
    if (!status.ok()) {
      status = Explain(status, peer);
      // Before the memory of what is under way goes away.
      transport_.Abort(status.message());
      return status;
    }
    for (size_t i = 0; i < mine.size(); ++i) {
      if ((*theirs)[i].magic == kHandshakeMagic || !refusals_[i].ok()) continue;
      refusals_[i] = absl::DataLossError(absl::StrCat(
          "process ", i, " sent something that is no part of a handshake"));
    }
    return absl::OkStatus();
  }

  template <typename Message>
  absl::Status Begin(int peer, uint64_t key, const Message& mine,
                     Message* theirs, std::unique_ptr<Transfer>* receive,
                     std::unique_ptr<Transfer>* send) {
    TF_ASSIGN_OR_RETURN(
        *receive,
        transport_.Receive(peer, key,
                           {reinterpret_cast<char*>(theirs), sizeof(*theirs)}));
    TF_ASSIGN_OR_RETURN(
        *send,
        transport_.Send(peer, key,
                        {reinterpret_cast<const char*>(&mine), sizeof(mine)}));
    return absl::OkStatus();
  }

  static absl::Status Explain(const absl::Status& status, int peer) {
    return WithMessage(
        status, absl::StrCat("waiting for process ", peer,
                             " to prove that it knows the job's secret: ",
                             status.message()));
  }

  absl::Status Judge(int peer, const Hello& hello, bool proof_is_right) const {
    if (!refusals_[peer].ok()) return refusals_[peer];
    if (hello.process != peer) {
      return absl::PermissionDeniedError(
          absl::StrCat("process ", peer, " says that it is another one"));
    }
    if (hello.job != job_) {
      return absl::FailedPreconditionError(
          absl::StrCat("process ", peer,
                       " sees other processes in the job than this one: the ",
                       "key-value store does not give all the same"));
    }
    if (proof_is_right) return absl::OkStatus();
    return absl::PermissionDeniedError(
        absl::StrCat("process ", peer, " does not know the job's secret"));
  }

  absl::Status Outcome(const std::vector<Verdict>& theirs) {
    const int self = transport_.process();
    absl::Status status;
    for (const absl::Status& refusal : refusals_) {
      if (status.ok()) status = refusal;
    }
    for (size_t p = 0; p < theirs.size() && status.ok(); ++p) {
      if (static_cast<int>(p) == self || theirs[p].refused < 0) continue;
      status = absl::PermissionDeniedError(absl::StrCat(
          "process ", p, " refuses ",
          theirs[p].refused == self
              ? "this one"
              : absl::StrCat("process ", theirs[p].refused),
          ", which does not prove to it that it knows the job's secret"));
    }
    if (!status.ok()) transport_.Abort(status.message());
    return status;
  }

  Transport& transport_;
  const SharedSecret& secret_;
  const Digest job_;
  const absl::Time deadline_;
  std::vector<absl::Status> refusals_;  // by process
};

}  // namespace

absl::Status ProveToAll(Transport& transport, const SharedSecret& secret,
                        const Topology& job, absl::Time deadline) {
  return Handshake(transport, secret, job, deadline).Run();
}

}  // namespace xla::distributed
