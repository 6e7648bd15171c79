// PjRtLayout: the layout of one array as the API passes it, and its text form.
#ifndef XLA_PJRT_PJRT_LAYOUT_H_
#define XLA_PJRT_PJRT_LAYOUT_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/core/layout.h"

namespace xla {

// Immutable.
class PjRtLayout {
 public:
  explicit PjRtLayout(Layout layout) : layout_(std::move(layout)) {}
  // Parses the text that Serialize returns, "{1,0}". Errors: InvalidArgument.
  static absl::StatusOr<std::shared_ptr<const PjRtLayout>> Deserialize(
      absl::string_view serialized);

  const Layout& xla_layout() const { return layout_; }
  std::string Serialize() const { return layout_.ToString(); }
  std::string ToString() const { return layout_.ToString(); }
  bool operator==(const PjRtLayout& other) const {
    return layout_ == other.layout_;
  }
  template <typename H>
  friend H AbslHashValue(H h, const PjRtLayout& layout) {
    return H::combine(std::move(h), layout.layout_);
  }

 private:
  Layout layout_;
};

}  // namespace xla

#endif  // XLA_PJRT_PJRT_LAYOUT_H_
