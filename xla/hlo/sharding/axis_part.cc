// Compares parts of axes by the products of sizes at which they begin and end.
#include "xla/hlo/sharding/axis_part.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace xla {
namespace {

// Returns the first part of the axis that has `size` values.
AxisPart FirstPart(const AxisPart& axis, int64_t size) {
  return {axis.axis, axis.pre_size, size};
}

}  // namespace

int64_t SizeOf(absl::Span<const AxisPart> axes) {
  int64_t size = 1;
  for (const AxisPart& axis : axes) size *= axis.size;
  return size;
}

bool Overlap(const AxisPart& a, const AxisPart& b) {
  return a.axis == b.axis && a.pre_size < b.end() && b.pre_size < a.end();
}

bool Overlap(absl::Span<const AxisPart> list, const AxisPart& axis) {
  return std::any_of(list.begin(), list.end(),
                     [&](const AxisPart& each) { return Overlap(each, axis); });
}

bool Overlap(absl::Span<const AxisPart> a, absl::Span<const AxisPart> b) {
  return std::any_of(b.begin(), b.end(),
                     [&](const AxisPart& each) { return Overlap(a, each); });
}

void Append(const AxisPart& axis, AxisList& list) {
  if (axis.size == 1) return;
  if (!list.empty() && list.back().axis == axis.axis &&
      list.back().end() == axis.pre_size) {
    list.back().size *= axis.size;
  } else {
    list.push_back(axis);
  }
}

void Append(absl::Span<const AxisPart> axes, AxisList& list) {
  for (const AxisPart& axis : axes) Append(axis, list);
}

AxisList CommonPrefix(absl::Span<const AxisPart> a,
                      absl::Span<const AxisPart> b) {
  AxisList common;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].axis != b[i].axis || a[i].pre_size != b[i].pre_size) break;
    Append(FirstPart(a[i], std::gcd(a[i].size, b[i].size)), common);
    if (a[i].size != b[i].size) break;
  }
  return common;
}

bool IsPrefix(absl::Span<const AxisPart> prefix,
              absl::Span<const AxisPart> list) {
  const AxisList common = CommonPrefix(prefix, list);
  return absl::MakeConstSpan(common) == prefix;
}

AxisList WithoutPrefix(absl::Span<const AxisPart> list,
                       absl::Span<const AxisPart> prefix) {
  AxisList rest;
  for (size_t i = 0; i < list.size(); ++i) {
    const int64_t taken = i < prefix.size() ? prefix[i].size : 1;
    Append({list[i].axis, list[i].pre_size * taken, list[i].size / taken},
           rest);
  }
  return rest;
}

AxisList PrefixWithout(absl::Span<const AxisPart> list,
                       absl::Span<const AxisPart> taken) {
  AxisList prefix;
  for (const AxisPart& axis : list) {
    int64_t end = axis.end();
    for (const AxisPart& other : taken) {
      if (Overlap(axis, other)) end = std::min(end, other.pre_size);
    }
    if (end > axis.pre_size && end % axis.pre_size == 0 &&
        axis.size % (end / axis.pre_size) == 0) {
      Append(FirstPart(axis, end / axis.pre_size), prefix);
    }
    if (end != axis.end()) break;
  }
  return prefix;
}

AxisList PrefixThatDivides(absl::Span<const AxisPart> list, int64_t size) {
  AxisList prefix;
  for (const AxisPart& axis : list) {
    const int64_t part = std::gcd(axis.size, size);
    Append(FirstPart(axis, part), prefix);
    if (part != axis.size) break;
    size /= part;
  }
  return prefix;
}

AxisList Difference(absl::Span<const AxisPart> list,
                    absl::Span<const AxisPart> taken) {
  AxisList result;
  for (const AxisPart& axis : list) {
    // The ends of the parts of the axis that are free, in order.
    std::vector<AxisPart> inside;
    for (const AxisPart& other : taken) {
      if (Overlap(axis, other)) inside.push_back(other);
    }
    std::sort(inside.begin(), inside.end());
    int64_t at = axis.pre_size;
    for (const AxisPart& other : inside) {
      if (other.pre_size > at && other.pre_size % at == 0) {
        Append({axis.axis, at, other.pre_size / at}, result);
      }
      at = std::max(at, other.end());
    }
    if (axis.end() > at && axis.end() % at == 0) {
      Append({axis.axis, at, axis.end() / at}, result);
    }
  }
  return result;
}

}  // namespace xla
