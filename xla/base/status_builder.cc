// Puts the pieces of a streamed error together.
#include "xla/base/status_builder.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/errors.h"

namespace xla {

absl::Status StatusBuilder::Build() && {
  if (text_ == nullptr || status_.ok()) return std::move(status_);
  const std::string text = text_->str();
  if (text.empty()) return std::move(status_);
  return WithMessage(status_,
                     status_.message().empty()
                         ? text
                         : absl::StrCat(status_.message(), separator_, text));
}

StatusBuilder RetCheckFailure(const char* file, int line,
                              const char* condition) {
  return StatusBuilder(
      absl::InternalError(absl::StrCat("RET_CHECK failure (", file, ":", line,
                                       ") ", condition)),
      /*separator=*/" ");
}

}  // namespace xla
