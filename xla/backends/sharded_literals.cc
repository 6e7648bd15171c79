// Copies parts element by element: for tools and tests.
#include "xla/backends/sharded_literals.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

absl::Status AddLeaves(const OpSharding& sharding,
                       std::vector<NamedSharding>& leaves) {
  if (sharding.type() == OpSharding::TUPLE) {
    for (const OpSharding& part : sharding.tuple_shardings()) {
      TF_RETURN_IF_ERROR(AddLeaves(part, leaves));
    }
    return absl::OkStatus();
  }
  TF_ASSIGN_OR_RETURN(leaves.emplace_back(),
                      NamedSharding::FromProto(sharding.named_sharding()));
  return absl::OkStatus();
}

// For each partition, the index in the whole of its part's first element.
absl::StatusOr<std::vector<std::vector<int64_t>>> Offsets(
    absl::Span<const int64_t> sizes, const NamedSharding& sharding) {
  if (!sharding.unreduced.empty()) {
    return absl::UnimplementedError(
        "partial values, of an unreduced array, as literals");
  }
  const std::vector<int64_t> part = PartSizes(sizes, sharding);
  std::vector<std::vector<int64_t>> offsets(sharding.mesh->device_count());
  for (size_t d = 0; d < sizes.size(); ++d) {
    const std::vector<int64_t> coordinates =
        sharding.mesh->CoordinatesOf(sharding.dimensions[d].axes);
    for (size_t p = 0; p < offsets.size(); ++p) {
      offsets[p].push_back(coordinates[p] * part[d]);
    }
  }
  return offsets;
}

// Calls `fn` with the index in the part and in the whole of each element.
void ForEachElement(absl::Span<const int64_t> whole,
                    absl::Span<const int64_t> part,
                    absl::Span<const int64_t> offset,
                    absl::FunctionRef<void(absl::Span<const int64_t>,
                                           absl::Span<const int64_t>)>
                        fn) {
  ShapeUtil::ForEachIndex(
      ShapeUtil::MakeShape(U8, part), [&](absl::Span<const int64_t> index) {
        std::vector<int64_t> place(index.begin(), index.end());
        for (size_t d = 0; d < place.size(); ++d) {
          place[d] += offset[d];
          if (place[d] >= whole[d]) return true;
        }
        fn(index, place);
        return true;
      });
}

Shape PartOf(const Shape& whole, const NamedSharding& sharding) {
  return ShapeUtil::MakeShape(whole.element_type(),
                              PartSizes(whole.dimensions(), sharding));
}

}  // namespace

absl::StatusOr<std::vector<NamedSharding>> ParameterShardings(
    const HloModule& module) {
  std::vector<NamedSharding> leaves;
  for (const OpSharding& sharding :
       module.extra().spmd_parameters_shardings()) {
    TF_RETURN_IF_ERROR(AddLeaves(sharding, leaves));
  }
  return leaves;
}

absl::StatusOr<std::vector<NamedSharding>> ResultShardings(
    const HloModule& module) {
  std::vector<NamedSharding> leaves;
  if (module.extra().has_spmd_output_sharding()) {
    TF_RETURN_IF_ERROR(
        AddLeaves(module.extra().spmd_output_sharding(), leaves));
  }
  return leaves;
}

absl::StatusOr<std::vector<Literal>> SplitLiteral(
    const Literal& whole, const NamedSharding& sharding) {
  const absl::Span<const int64_t> sizes = whole.shape().dimensions();
  TF_ASSIGN_OR_RETURN(const auto offsets, Offsets(sizes, sharding));
  std::vector<Literal> parts;
  for (const std::vector<int64_t>& offset : offsets) {
    Literal part = Literal::CreateFromShape(PartOf(whole.shape(), sharding));
    ForEachElement(
        sizes, part.shape().dimensions(), offset,
        [&](absl::Span<const int64_t> to, absl::Span<const int64_t> from) {
          part.CopyElementFrom(whole, from, to).IgnoreError();
        });
    parts.push_back(std::move(part));
  }
  return parts;
}

absl::StatusOr<Literal> JoinLiterals(absl::Span<const Literal> parts,
                                     const Shape& shape,
                                     const NamedSharding& sharding) {
  const absl::Span<const int64_t> sizes = shape.dimensions();
  TF_ASSIGN_OR_RETURN(const auto offsets, Offsets(sizes, sharding));
  if (parts.size() != offsets.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        parts.size(), " parts of an array over ", offsets.size(), " devices"));
  }
  Literal whole = Literal::CreateFromShape(
      ShapeUtil::MakeShape(shape.element_type(), sizes));
  Literal holders = Literal::CreateFromShape(ShapeUtil::MakeShape(S32, sizes));
  absl::Status status;
  for (size_t p = 0; p < parts.size(); ++p) {
    const std::vector<int64_t> part_sizes = PartSizes(sizes, sharding);
    if (parts[p].shape().dimensions() !=
        absl::Span<const int64_t>(part_sizes)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "device ", p, " has ", ShapeUtil::HumanString(parts[p].shape())));
    }
    ForEachElement(
        sizes, part_sizes, offsets[p],
        [&](absl::Span<const int64_t> from, absl::Span<const int64_t> to) {
          const int32_t holder = holders.Get<int32_t>(to);
          Literal before = Literal::CreateFromShape(
              ShapeUtil::MakeShape(shape.element_type(), {}));
          Literal now = before.Clone();
          before.CopyElementFrom(whole, to, {}).IgnoreError();
          whole.CopyElementFrom(parts[p], from, to).IgnoreError();
          now.CopyElementFrom(whole, to, {}).IgnoreError();
          holders.Set<int32_t>(to, static_cast<int32_t>(p) + 1);
          if (holder == 0 || !status.ok() ||
              std::memcmp(before.untyped_data(), now.untyped_data(),
                          now.size_bytes()) == 0) {
            return;
          }
          status = absl::DataLossError(absl::StrCat(
              "devices ", holder - 1, " and ", p, " have ", before.ToString(),
              " and ", now.ToString(), " of one array"));
        });
    if (!status.ok()) return status;
  }
  return whole;
}

}  // namespace xla
