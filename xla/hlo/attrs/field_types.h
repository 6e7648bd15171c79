// The types that attribute fields may have, besides those of xla_data.proto:
//   bool, int64_t, float, std::string, std::optional<int64_t>,
//   std::vector<int64_t>, std::optional<std::vector<Shape>>, Shape,
//   PaddingConfig, Window, PrecisionConfig, ConvolutionDimensionNumbers,
//   DotDimensionNumbers, RaggedDotDimensionNumbers, GatherDimensionNumbers,
//   ScatterDimensionNumbers, TriangularSolveOptions, CholeskyOptions,
//   FftType, RandomDistribution, RandomAlgorithm, PaddingType,
//   std::vector<std::vector<int64_t>>, SparsityConfig, ConvolutionKind,
//   CustomCallSchedule, CustomCallApiVersion, ResultAccuracy,
//   ParameterReplication, TriState, ComparisonDirection,
//   std::optional<Comparison::Type>,
// and the ones below. Each has its codec in codec_*.cc.
#ifndef XLA_HLO_ATTRS_FIELD_TYPES_H_
#define XLA_HLO_ATTRS_FIELD_TYPES_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/sharding/replica_group.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// One dimension of Slice: elements start, start + stride, ... below limit.
// Text: {[0:4], [1:9:2]}.
struct SliceRange {
  int64_t start = 0;
  int64_t limit = 0;
  int64_t stride = 1;

  friend bool operator==(const SliceRange&, const SliceRange&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const SliceRange& r) {
    return H::combine(std::move(h), r.start, r.limit, r.stride);
  }
};

// The kind of a fusion. Text: kLoop, ...
enum class FusionKind { kLoop, kInput, kOutput, kCustom };

// The devices that take part in each instance of a collective: listed,
// {{0,1},{2,3}}; as an iota, [2,2]<=[4] or [2,2]<=[2,2]T(1,0); or by the axes
// of a mesh, mesh['x'=2,'y'=2] {'y'}. No groups: all devices in one. Immutable,
// thread-safe, and cheap to copy.
class ReplicaGroups {
 public:
  using Groups = std::vector<std::vector<int64_t>>;

  ReplicaGroups();
  explicit ReplicaGroups(Groups groups);
  // `list` is not null.
  explicit ReplicaGroups(std::unique_ptr<const CollectiveDeviceListBase> list);
  // No moves, which would leave a value without groups or list.
  ReplicaGroups(const ReplicaGroups&) = default;
  ReplicaGroups& operator=(const ReplicaGroups&) = default;

  const Groups& groups() const;
  // The same in the form that they have.
  const CollectiveDeviceListBase& device_list() const;

  friend bool operator==(const ReplicaGroups& a, const ReplicaGroups& b);
  template <typename H>
  friend H AbslHashValue(H h, const ReplicaGroups& r) {
    return H::combine(std::move(h), r.groups());
  }

 private:
  struct Contents;

  std::shared_ptr<const Contents> contents_;
};

// (source, target) devices of collective-permute. Text: {{0,1},{1,0}}.
using SourceTargetPairs = std::vector<std::pair<int64_t, int64_t>>;

// One promise of a custom call that an output shares an operand's buffer.
// Text: {0}: (1, {}).
struct OutputOperandAlias {
  ShapeIndex output_index;
  int64_t operand_number = 0;
  ShapeIndex operand_index;

  friend bool operator==(const OutputOperandAlias& a,
                         const OutputOperandAlias& b) {
    return a.output_index == b.output_index &&
           a.operand_number == b.operand_number &&
           a.operand_index == b.operand_index;
  }
  template <typename H>
  friend H AbslHashValue(H h, const OutputOperandAlias& a) {
    return H::combine(std::move(h), a.operand_number);
  }
};

// The two sides of Domain. Text: {kind="sharding", entry={...}, exit={...}}.
struct DomainShardings {
  OpSharding entry;
  OpSharding exit;

  friend bool operator==(const DomainShardings& a, const DomainShardings& b);
  template <typename H>
  friend H AbslHashValue(H h, const DomainShardings& d) {
    return H::combine(std::move(h), d.entry.SerializeAsString(),
                      d.exit.SerializeAsString());
  }
};

// A constant's value. Copies of an instruction share the same immutable
// literal.
struct SharedLiteral {
  std::shared_ptr<const Literal> value;

  SharedLiteral() = default;
  SharedLiteral(Literal literal)  // NOLINT: a literal is its shared form
      : value(std::make_shared<const Literal>(std::move(literal))) {}
  friend bool operator==(const SharedLiteral& a, const SharedLiteral& b) {
    if (a.value == b.value) return true;
    return a.value && b.value && *a.value == *b.value;
  }
  template <typename H>
  friend H AbslHashValue(H h, const SharedLiteral& l) {
    return l.value ? H::combine(std::move(h), *l.value) : std::move(h);
  }
};

}  // namespace xla

#endif  // XLA_HLO_ATTRS_FIELD_TYPES_H_
