// The tokens of threads.
#include "xla/base/control/cancellation.h"

#include <type_traits>

#include "absl/strings/str_cat.h"

namespace xla {

// Generated code loads the two members as a pointer and a 64-bit number.
static_assert(std::is_standard_layout_v<CancellationToken>);
static_assert(sizeof(CancellationToken) == 16);
static_assert(sizeof(std::atomic<uint64_t>) == 8 &&
              std::atomic<uint64_t>::is_always_lock_free);

constinit const std::atomic<uint64_t> CancellationToken::kNeverCancelled{0};

constinit CancellationSource CancellationSource::of_process_;

constinit thread_local internal::ThreadWork internal::thread_work;

namespace {

constinit const CancellationToken never_cancelled;

}  // namespace

const CancellationToken* TesseraCancellationToken() {
  const CancellationToken* const current = internal::thread_work.token;
  return current == nullptr ? &never_cancelled : current;
}

absl::Status RunCancelled(absl::string_view name, absl::string_view place) {
  return absl::CancelledError(
      absl::StrCat("run of ", name, " cancelled at ", place));
}

}  // namespace xla
