// Copies parts element by element.
#include "xla/backends/sharded_literals.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/index_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/sharding/tile_sharding.h"

namespace xla {
namespace {

// Appends the shardings of arrays with the ranks of those of `shape`.
absl::Status AddShardings(const OpSharding& sharding, const Shape& shape,
                          const std::shared_ptr<const DeviceMesh>& mesh,
                          std::vector<MeshSharding>& leaves) {
  if (shape.IsTuple()) {
    // One sharding stands for all elements.
    const bool is_tuple = sharding.type() == OpSharding::TUPLE;
    const std::vector<const Shape*> arrays = Leaves(shape);
    for (size_t i = 0; i < arrays.size(); ++i) {
      if (is_tuple && static_cast<int>(i) >= sharding.tuple_shardings_size()) {
        return absl::InvalidArgumentError("a tuple has too few shardings");
      }
      TF_RETURN_IF_ERROR(AddShardings(
          is_tuple ? sharding.tuple_shardings(static_cast<int>(i)) : sharding,
          *arrays[i], mesh, leaves));
    }
    return absl::OkStatus();
  }
  const int64_t rank = shape.IsArray() ? shape.dimensions().size() : 0;
  TF_ASSIGN_OR_RETURN(leaves.emplace_back(),
                      MeshShardingOfTiles(sharding, rank, mesh));
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const DeviceMesh>> OneAxis(
    const HloModule& module) {
  TF_ASSIGN_OR_RETURN(
      DeviceMesh mesh,
      DeviceMesh::Create({{"partition", module.config().num_partitions()}}));
  return std::make_shared<const DeviceMesh>(std::move(mesh));
}

// For each partition, the index in the whole of its part's first element.
absl::StatusOr<std::vector<std::vector<int64_t>>> Offsets(
    absl::Span<const int64_t> sizes, const MeshSharding& sharding) {
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

// Whether an element of each has the same bits.
bool SameBits(const Literal& a, absl::Span<const int64_t> at_a,
              const Literal& b, absl::Span<const int64_t> at_b) {
  const int64_t bytes =
      ShapeUtil::ByteSizeOfPrimitiveType(a.shape().element_type());
  auto element = [&](const Literal& x, absl::Span<const int64_t> at) {
    return static_cast<const char*>(x.untyped_data()) +
           bytes * IndexUtil::MultidimensionalIndexToLinearIndex(x.shape(), at);
  };
  return std::memcmp(element(a, at_a), element(b, at_b), bytes) == 0;
}

Shape PartOf(const Shape& whole, const MeshSharding& sharding) {
  return ShapeUtil::MakeShape(whole.element_type(),
                              PartSizes(whole.dimensions(), sharding));
}

}  // namespace

absl::StatusOr<std::vector<MeshSharding>> ParameterShardings(
    const HloModule& module) {
  TF_ASSIGN_OR_RETURN(const std::shared_ptr<const DeviceMesh> mesh,
                      OneAxis(module));
  std::vector<MeshSharding> leaves;
  int i = 0;
  for (const OpSharding& sharding :
       module.extra().spmd_parameters_shardings()) {
    TF_RETURN_IF_ERROR(AddShardings(
        sharding, module.entry_computation_layout().parameter_shape(i++), mesh,
        leaves));
  }
  return leaves;
}

absl::StatusOr<std::vector<MeshSharding>> ResultShardings(
    const HloModule& module) {
  TF_ASSIGN_OR_RETURN(const std::shared_ptr<const DeviceMesh> mesh,
                      OneAxis(module));
  std::vector<MeshSharding> leaves;
  if (module.extra().has_spmd_output_sharding()) {
    TF_RETURN_IF_ERROR(AddShardings(
        module.extra().spmd_output_sharding(),
        module.entry_computation_layout().result_shape(), mesh, leaves));
  }
  return leaves;
}

absl::StatusOr<std::vector<Literal>> SplitLiteral(
    const Literal& whole, const MeshSharding& sharding) {
  if (!whole.shape().IsArray()) {
    std::vector<Literal> copies;
    for (int64_t p = 0; p < sharding.mesh->device_count(); ++p) {
      copies.push_back(whole.Clone());
    }
    return copies;
  }
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
                                     const MeshSharding& sharding) {
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
          if (holder == 0) {
            whole.CopyElementFrom(parts[p], from, to).IgnoreError();
            holders.Set<int32_t>(to, static_cast<int32_t>(p) + 1);
          } else if (status.ok() && !SameBits(whole, to, parts[p], from)) {
            status = absl::DataLossError(
                absl::StrCat("devices ", holder - 1, " and ", p, " have ",
                             whole.GetAsString(to), " and ",
                             parts[p].GetAsString(from), " of one array"));
          }
        });
    if (!status.ok()) return status;
  }
  return whole;
}

namespace {

// The arrays of a value, in pre-order.
std::vector<Literal> LeavesOf(Literal value) {
  std::vector<Literal> leaves;
  if (!value.shape().IsTuple()) {
    leaves.push_back(std::move(value));
    return leaves;
  }
  for (Literal& element : value.DecomposeTuple()) {
    for (Literal& leaf : LeavesOf(std::move(element))) {
      leaves.push_back(std::move(leaf));
    }
  }
  return leaves;
}

// The value of `shape` with these arrays, from number `next` on.
Literal ValueOf(const Shape& shape, std::vector<Literal>& leaves,
                size_t& next) {
  if (!shape.IsTuple()) return std::move(leaves[next++]);
  std::vector<Literal> elements;
  for (const Shape& element : shape.tuple_shapes()) {
    elements.push_back(ValueOf(element, leaves, next));
  }
  return Literal::MoveIntoTuple(absl::MakeSpan(elements));
}

}  // namespace

absl::StatusOr<std::vector<std::vector<Literal>>> SplitArguments(
    const HloModule& module, absl::Span<const Literal* const> arguments) {
  TF_ASSIGN_OR_RETURN(const std::vector<MeshSharding> shardings,
                      ParameterShardings(module));
  const int64_t devices = module.config().num_partitions();
  std::vector<std::vector<Literal>> parts(devices);
  size_t next = 0;
  for (const Literal* argument : arguments) {
    std::vector<std::vector<Literal>> leaves(devices);
    for (const Literal& leaf : LeavesOf(argument->Clone())) {
      if (next == shardings.size()) {
        return absl::InvalidArgumentError(
            absl::StrCat("more than the ", next, " arrays of the parameters"));
      }
      TF_ASSIGN_OR_RETURN(std::vector<Literal> split,
                          SplitLiteral(leaf, shardings[next++]));
      for (int64_t d = 0; d < devices; ++d) {
        leaves[d].push_back(std::move(split[d]));
      }
    }
    for (int64_t d = 0; d < devices; ++d) {
      size_t first = 0;
      parts[d].push_back(ValueOf(argument->shape(), leaves[d], first));
    }
  }
  return parts;
}

absl::StatusOr<Literal> JoinResults(const HloModule& module,
                                    std::vector<Literal> results,
                                    const Shape& shape) {
  TF_ASSIGN_OR_RETURN(const std::vector<MeshSharding> shardings,
                      ResultShardings(module));
  std::vector<std::vector<Literal>> parts(shardings.size());
  for (Literal& result : results) {
    std::vector<Literal> leaves = LeavesOf(std::move(result));
    for (size_t i = 0; i < leaves.size() && i < parts.size(); ++i) {
      parts[i].push_back(std::move(leaves[i]));
    }
  }
  const std::vector<const Shape*> shapes = Leaves(shape);
  if (shapes.size() != parts.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(parts.size(), " arrays are not a value of ",
                     ShapeUtil::HumanString(shape)));
  }
  std::vector<Literal> whole;
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (!shapes[i]->IsArray()) {
      whole.push_back(std::move(parts[i][0]));
      continue;
    }
    TF_ASSIGN_OR_RETURN(whole.emplace_back(),
                        JoinLiterals(parts[i], *shapes[i], shardings[i]));
  }
  size_t next = 0;
  return ValueOf(shape, whole, next);
}

absl::StatusOr<Literal> ExecuteSharded(
    const Executable& executable, absl::Span<const Literal* const> arguments,
    const Shape& shape, const Executable::RunOptions& options) {
  if (executable.num_replicas() != 1) {
    return absl::UnimplementedError(
        "running a sharded program on several replicas");
  }
  TF_ASSIGN_OR_RETURN(const std::vector<std::vector<Literal>> parts,
                      SplitArguments(executable.module(), arguments));
  std::vector<std::vector<const Literal*>> borrowed(parts.size());
  for (size_t d = 0; d < parts.size(); ++d) {
    for (const Literal& part : parts[d]) borrowed[d].push_back(&part);
  }
  TF_ASSIGN_OR_RETURN(std::vector<Literal> results,
                      executable.Execute(borrowed, options));
  return JoinResults(executable.module(), std::move(results), shape);
}

}  // namespace xla
