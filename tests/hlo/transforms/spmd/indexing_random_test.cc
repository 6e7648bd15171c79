// Random dynamic slices, gathers, scatters and top-k with random shardings.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "tests/hlo/transforms/spmd/spmd_harness.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;

std::string List(absl::Span<const int64_t> dims) {
  return absl::StrJoin(dims, ",");
}

// Writes programs of one op each.
class RandomPrograms {
 public:
  explicit RandomPrograms(uint64_t seed) : random_(seed) {
    const std::vector<Dims> meshes = {{4}, {8}, {3}, {2, 2}, {2, 3}, {2, 2, 2}};
    const Dims& mesh = Choose(meshes);
    std::vector<std::string> axes;
    for (size_t i = 0; i < mesh.size(); ++i) {
      axes_.push_back(absl::StrCat("'", std::string(1, 'a' + i), "'"));
      axes.push_back(absl::StrCat(axes_.back(), "=", mesh[i]));
      partitions_ *= mesh[i];
    }
    mesh_ = absl::StrCat("mesh[", absl::StrJoin(axes, ","), "]");
  }

  std::string DynamicSlice(bool is_update) {
    const Dims sizes = Sizes(1, 3);
    Dims slice;
    for (int64_t size : sizes) slice.push_back(SliceSize(size));
    const std::string index = IndexType();
    std::string operands =
        AddParameter(absl::StrCat("f32[", List(sizes), "]"), sizes.size());
    if (is_update) {
      absl::StrAppend(
          &operands, ", ",
          AddParameter(absl::StrCat("f32[", List(slice), "]"), slice.size()));
    }
    for (size_t d = 0; d < sizes.size(); ++d) {
      absl::StrAppend(&operands, ", ",
                      AddParameter(absl::StrCat(index, "[]"), 0));
    }
    return is_update
               ? Program(absl::StrCat("f32[", List(sizes),
                                      "] dynamic-update-slice(", operands, ")"),
                         sizes.size())
               : Program(absl::StrCat("f32[", List(slice), "] dynamic-slice(",
                                      operands, "), dynamic_slice_sizes={",
                                      List(slice), "}"),
                         slice.size());
  }

  std::string GatherOrScatter(bool is_scatter) {
    const Dims operand = Sizes(1, 3);
    Dims slice, collapsed, batching, batch, indices_batching, indexed, window;
    for (size_t d = 0; d < operand.size(); ++d) {
      slice.push_back(SliceSize(operand[d]));
      const int role = Number(0, 5);
      if (role == 0) {
        batching.push_back(d);
      } else if (role <= 2) {
        collapsed.push_back(d);
      }
      if (role <= 2) slice[d] = 1;
      if (role > 2) window.push_back(slice[d]);
      if (role != 0 && Number(0, 3) != 0) indexed.push_back(d);
    }
    if (indexed.empty()) {
      const auto free = absl::c_find_if(operand, [&](const int64_t& size) {
        return !absl::c_linear_search(batching, &size - operand.data());
      });
      if (free == operand.end()) {
        batching.clear();
        collapsed.clear();
        for (size_t d = 0; d < operand.size(); ++d) collapsed.push_back(d);
        indexed = {0};
      } else {
        indexed = {free - operand.begin()};
      }
    }
    std::shuffle(indexed.begin(), indexed.end(), random_);
    batch.assign(Number(0, 2), 0);
    for (int64_t& size : batch) size = Number(1, 9);
    for (int64_t d : batching) {
      const int64_t at = Number(0, batch.size());
      for (int64_t& other : indices_batching) other += other >= at;
      batch.insert(batch.begin() + at, operand[d]);
      indices_batching.push_back(at);
    }
    int64_t vector = Number(0, batch.size());
    Dims indices = batch;
    if (indexed.size() == 1 && Number(0, 1) == 0) {
      vector = batch.size();
    } else {
      indices.insert(indices.begin() + vector, indexed.size());
      for (int64_t& d : indices_batching) d += d >= vector;
    }
    Dims result = batch;
    Dims offsets;
    for (size_t i = 0; i < result.size() + window.size(); ++i) {
      offsets.push_back(i);
    }
    std::shuffle(offsets.begin(), offsets.end(), random_);
    offsets.resize(window.size());
    absl::c_sort(offsets);
    for (size_t i = 0; i < window.size(); ++i) {
      result.insert(result.begin() + offsets[i], window[i]);
    }
    const std::string array = absl::StrCat("f32[", List(operand), "]");
    const std::string other = absl::StrCat("f32[", List(result), "]");
    std::string operands = absl::StrCat(
        AddParameter(array, operand.size()), ", ",
        AddParameter(absl::StrCat(IndexType(), "[", List(indices), "]"),
                     indices.size()));
    if (!is_scatter) {
      return Program(
          absl::StrCat(other, " gather(", operands, "), offset_dims={",
                       List(offsets), "}, collapsed_slice_dims={",
                       List(collapsed), "}, start_index_map={", List(indexed),
                       "}, operand_batching_dims={", List(batching),
                       "}, start_indices_batching_dims={",
                       List(indices_batching), "}, index_vector_dim=", vector,
                       ", slice_sizes={", List(slice), "}"),
          result.size());
    }
    absl::StrAppend(&operands, ", ", AddParameter(other, result.size()));
    return Program(
        absl::StrCat(array, " scatter(", operands, "), update_window_dims={",
                     List(offsets), "}, inserted_window_dims={",
                     List(collapsed), "}, scatter_dims_to_operand_dims={",
                     List(indexed), "}, input_batching_dims={", List(batching),
                     "}, scatter_indices_batching_dims={",
                     List(indices_batching), "}, index_vector_dim=", vector,
                     ", to_apply=", Number(0, 1) == 0 ? "add" : "max"),
        operand.size());
  }

  std::string TopK() {
    const Dims sizes = Sizes(1, 2);
    Dims best = sizes;
    best.back() = Number(1, sizes.back());
    const std::string operand =
        AddParameter(absl::StrCat("f32[", List(sizes), "]"), sizes.size());
    const std::string sharding = Sharding(best.size());
    return absl::StrCat("HloModule m, num_partitions=", partitions_,
                        "\nENTRY e {\n", parameters_, "  ROOT r = (f32[",
                        List(best), "], s32[", List(best), "]) topk(", operand,
                        "), k=", best.back(),
                        ", largest=", Number(0, 1) == 0 ? "true" : "false",
                        ", sharding={", sharding, ", ", sharding, "}\n}\n");
  }

 private:
  int64_t Number(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random_);
  }

  template <typename List>
  const typename List::value_type& Choose(const List& list) {
    return list[Number(0, list.size() - 1)];
  }

  Dims Sizes(int64_t lowest_rank, int64_t highest_rank) {
    Dims sizes(Number(lowest_rank, highest_rank));
    for (int64_t& size : sizes) size = Number(1, 13);
    return sizes;
  }

  // All, one, or some of the elements.
  int64_t SliceSize(int64_t size) {
    const int64_t kind = Number(0, 2);
    return kind == 0 ? size : kind == 1 ? 1 : Number(1, size);
  }

  std::string IndexType() {
    const std::vector<std::string> types = {"s8",  "u8",  "s16", "s32",
                                            "u32", "s64", "u64"};
    return Choose(types);
  }

  std::string Sharding(int64_t rank) {
    std::vector<std::string> axes = axes_;
    std::shuffle(axes.begin(), axes.end(), random_);
    std::vector<std::vector<std::string>> dimensions(rank);
    for (std::string& axis : axes) {
      if (rank == 0 || Number(0, 3) == 0) continue;
      dimensions[Number(0, rank - 1)].push_back(std::move(axis));
    }
    std::vector<std::string> texts;
    for (const auto& list : dimensions) {
      texts.push_back(absl::StrCat("{", absl::StrJoin(list, ","), "}"));
    }
    return absl::StrCat("{", mesh_, ", [", absl::StrJoin(texts, ", "), "]}");
  }

  // Adds a parameter, and returns its name.
  std::string AddParameter(absl::string_view shape, int64_t rank) {
    const std::string name = absl::StrCat("p", parameter_count_);
    absl::StrAppend(&parameters_, "  ", name, " = ", shape, " parameter(",
                    parameter_count_++, "), sharding=", Sharding(rank), "\n");
    return name;
  }

  std::string Program(absl::string_view op, int64_t rank) {
    return absl::StrCat("HloModule m, num_partitions=", partitions_,
                        "\nENTRY e {\n", parameters_, "  ROOT r = ", op,
                        ", sharding=", Sharding(rank), "\n}\n");
  }

  std::mt19937_64 random_;
  int64_t partitions_ = 1;
  std::vector<std::string> axes_;
  std::string mesh_;
  int64_t parameter_count_ = 0;
  std::string parameters_;
};

constexpr uint64_t kPrograms = 150;

class SpmdRandomIndexingTest : public ::testing::TestWithParam<int> {};

TEST_P(SpmdRandomIndexingTest, PartsAreThoseOfTheWhole) {
  for (uint64_t seed = 0; seed < kPrograms; ++seed) {
    RandomPrograms programs(seed);
    std::string program;
    switch (GetParam()) {
      case 0:
      case 1:
        program = programs.DynamicSlice(GetParam() == 1);
        break;
      case 2:
      case 3:
        program = programs.GatherOrScatter(GetParam() == 3);
        break;
      default:
        program = programs.TopK();
    }
    SpmdRunOptions options;
    options.seed = seed;
    options.integer_low = -4;
    options.integer_high = 14;
    options.low = -3;  // Many elements are equal.
    options.high = 3;
    ASSERT_NE(ExpectPartsOfWhole(program, options), "") << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, SpmdRandomIndexingTest, ::testing::Range(0, 5));

}  // namespace
}  // namespace xla
