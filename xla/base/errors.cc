// Rewrites the messages of errors.
#include "xla/base/errors.h"

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace xla {

absl::Status WithMessage(const absl::Status& status,
                         absl::string_view message) {
  absl::Status result(status.code(), message);
  status.ForEachPayload([&](absl::string_view url, const absl::Cord& payload) {
    result.SetPayload(url, payload);
  });
  return result;
}

absl::Status AddStatus(const absl::Status& status, absl::string_view context) {
  return WithMessage(status, absl::StrCat(context, ": ", status.message()));
}

absl::Status AppendStatus(const absl::Status& status,
                          absl::string_view context) {
  return WithMessage(status, absl::StrCat(status.message(), ": ", context));
}

}  // namespace xla
