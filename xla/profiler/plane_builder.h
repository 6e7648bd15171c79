// PlaneBuilder: fills an XPlane; gives ids to names of events, stats and
// strings.
#ifndef XLA_PROFILER_PLANE_BUILDER_H_
#define XLA_PROFILER_PLANE_BUILDER_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "xla/base/text/utf8.h"
#include "xla/proto/xplane.pb.h"

namespace xla {

class PlaneBuilder {
 public:
  // `plane` is empty and must outlive this.
  PlaneBuilder(profiler::XPlane* plane, int64_t id, absl::string_view name)
      : plane_(plane) {
    plane->set_id(id);
    plane->set_name(ValidUtf8(name));
  }

  // Adds a line whose events have times after `begin_ns`.
  profiler::XLine* AddLine(int64_t id, absl::string_view name,
                           int64_t begin_ns) {
    profiler::XLine* line = plane_->add_lines();
    line->set_id(id);
    line->set_display_id(id);
    line->set_name(ValidUtf8(name));
    line->set_timestamp_ns(begin_ns);
    return line;
  }

  // Reverses the order of the lines after the first `kept` ones.
  void ReverseLinesAfter(int kept) {
    std::reverse(plane_->mutable_lines()->pointer_begin() + kept,
                 plane_->mutable_lines()->pointer_end());
  }

  // Adds an event of `metadata` to `line`; times are nanoseconds since the Unix
  // epoch.
  static profiler::XEvent* AddEvent(profiler::XLine* line, int64_t metadata,
                                    int64_t begin_ns, int64_t end_ns) {
    constexpr int64_t kPicoseconds = 1000;
    profiler::XEvent* event = line->add_events();
    event->set_metadata_id(metadata);
    event->set_offset_ps((begin_ns - line->timestamp_ns()) * kPicoseconds);
    event->set_duration_ps((end_ns - begin_ns) * kPicoseconds);
    return event;
  }

  // Adds metadata of events with the next free id.
  profiler::XEventMetadata& NewEvent(absl::string_view name) {
    return NewEvent(plane_->event_metadata_size() + 1, name);
  }
  // The same with the id `id`, which no other has.
  profiler::XEventMetadata& NewEvent(int64_t id, absl::string_view name) {
    profiler::XEventMetadata& metadata =
        (*plane_->mutable_event_metadata())[id];
    metadata.set_id(id);
    metadata.set_name(ValidUtf8(name));
    return metadata;
  }

  // Add a stat to a plane, an event or metadata of events. Empty text, numbers
  // that are not above 0 and numbers that are not finite are left out.
  template <typename Owner>
  void AddText(Owner& owner, absl::string_view name, absl::string_view text) {
    if (!text.empty()) NewStat(owner, name)->set_ref_value(IdOf(text));
  }
  template <typename Owner>
  void AddBytes(Owner& owner, absl::string_view name, std::string bytes) {
    NewStat(owner, name)->set_bytes_value(std::move(bytes));
  }
  template <typename Owner>
  void AddInteger(Owner& owner, absl::string_view name, int64_t value) {
    NewStat(owner, name)->set_int64_value(value);
  }
  template <typename Owner>
  void AddCount(Owner& owner, absl::string_view name, double value) {
    // Counts of flops and bytes are integers for XProf.
    if (value > 0 && value < 9e18) {
      NewStat(owner, name)
          ->set_uint64_value(static_cast<uint64_t>(std::llround(value)));
    }
  }
  template <typename Owner>
  void AddNumber(Owner& owner, absl::string_view name, double value) {
    if (value > 0 && std::isfinite(value)) {
      NewStat(owner, name)->set_double_value(value);
    }
  }
  void AddNumber(absl::string_view name, double value) {
    AddNumber(*plane_, name, value);
  }
  void AddInteger(absl::string_view name, int64_t value) {
    AddInteger(*plane_, name, value);
  }
  void AddText(absl::string_view name, absl::string_view text) {
    AddText(*plane_, name, text);
  }

 private:
  template <typename Owner>
  profiler::XStat* NewStat(Owner& owner, absl::string_view name) {
    profiler::XStat* stat = owner.add_stats();
    stat->set_metadata_id(IdOf(name));
    return stat;
  }

  // The id of the stat metadata of this name.
  int64_t IdOf(absl::string_view name) {
    auto [it, is_new] = ids_.try_emplace(name, ids_.size() + 1);
    if (is_new) {
      profiler::XStatMetadata& metadata =
          (*plane_->mutable_stat_metadata())[it->second];
      metadata.set_id(it->second);
      metadata.set_name(ValidUtf8(name));
    }
    return it->second;
  }

  profiler::XPlane* const plane_;
  absl::flat_hash_map<std::string, int64_t> ids_;
};

}  // namespace xla

#endif  // XLA_PROFILER_PLANE_BUILDER_H_
