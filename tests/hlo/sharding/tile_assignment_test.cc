// Tests iotas and lists of devices against arrays that hold every device.
#include "xla/hlo/sharding/tile_assignment.h"

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/hash/hash.h"
#include "gmock/gmock.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

std::vector<int64_t> Devices(const TileAssignment& assignment) {
  return {assignment.array().begin(), assignment.array().end()};
}

TEST(TileAssignmentTest, IotasTakeTheirLeastForm) {
  const auto text = [](std::vector<int64_t> sizes, std::vector<int> perm) {
    int64_t count = 1;
    for (const int64_t size : sizes) count *= size;
    return IotaTileAssignment::Create({count}, sizes, perm).ToString();
  };
  EXPECT_EQ(text({3, 4, 5}, {0, 1, 2}), "[60]<=[60]");
  EXPECT_EQ(text({3, 4, 5}, {2, 1, 0}), "[60]<=[3,4,5]T(2,1,0)");
  EXPECT_EQ(text({3, 4, 5}, {1, 2, 0}), "[60]<=[3,20]T(1,0)");
  EXPECT_EQ(text({3, 4, 5}, {2, 0, 1}), "[60]<=[12,5]T(1,0)");
  EXPECT_EQ(text({1, 3, 1, 4, 1, 5}, {4, 3, 2, 5, 1, 0}), "[60]<=[3,20]T(1,0)");
  EXPECT_EQ(text({2, 1, 3}, {1, 0, 2}), "[6]<=[6]");
  EXPECT_EQ(text({1, 1}, {1, 0}), "[1]<=[1]");
}

TEST(TileAssignmentTest, Accessors) {
  const TileAssignment iota({2, 3}, {3, 2}, {1, 0});
  EXPECT_EQ(iota.ToString(), "devices=[2,3]<=[3,2]T(1,0)");
  EXPECT_EQ(iota.ArrayToString(), "[3,2]T(1,0)");
  EXPECT_EQ(iota.iota()->ToString(), "[2,3]<=[3,2]T(1,0)");
  EXPECT_EQ(iota.iota()->ArrayToString(), "[3,2]T(1,0)");
  EXPECT_EQ(iota(1, 0), 1);
  EXPECT_EQ(iota({0, 2}), 4);
  EXPECT_EQ(iota.num_dimensions(), 2);
  EXPECT_EQ(iota.dim(1), 3);
  EXPECT_TRUE(iota.UsesDevice(5));
  EXPECT_FALSE(iota.UsesDevice(6));
  EXPECT_THAT(Devices(iota), ElementsAre(0, 2, 4, 1, 3, 5));

  const TileAssignment list(std::make_shared<const Array<int64_t>>(
      Array<int64_t>({{0, 2, 4}, {1, 3, 5}})));
  EXPECT_EQ(list.ToString(), "devices=[2,3]0,2,4,1,3,5");
  EXPECT_EQ(list.ArrayToString(), "0,2,4,1,3,5");
  EXPECT_FALSE(list.iota().has_value());
  EXPECT_EQ(list, iota);
  EXPECT_EQ(absl::HashOf(list), absl::HashOf(iota));
  EXPECT_NE(list, TileAssignment({2, 3}));
  EXPECT_EQ(list.Transpose({1, 0}), TileAssignment({3, 2}));
  EXPECT_EQ(list.Reshape({6}), iota.Reshape({6}));

  EXPECT_EQ(TileAssignment().ToString(), "devices=[0]");
  EXPECT_EQ(TileAssignment().num_elements(), 0);
  EXPECT_EQ(TileAssignment().first(), 0);
  const TileAssignment one(7);
  EXPECT_EQ(one.first(), 7);
  EXPECT_TRUE(one.UsesDevice(7));
  EXPECT_FALSE(one.UsesDevice(0));
}

TEST(TileAssignmentTest, WhatNoIotaGivesIsAList) {
  // Dimensions of 2 and 3 have no parts in common with ones of 3 and 2.
  const TileAssignment mixed({2, 3}, {2, 3}, {1, 0});
  const TileAssignment transposed = mixed.Transpose({1, 0});
  EXPECT_FALSE(transposed.iota().has_value());
  EXPECT_EQ(transposed.ToString(), "devices=[3,2]0,4,3,2,1,5");
}

// Transposes and reshapes say the same as those of the whole array.
TEST(TileAssignmentTest, AgreesWithArrays) {
  std::mt19937 random(1);
  const auto permutation = [&](size_t size) {
    std::vector<int> perm(size);
    for (size_t i = 0; i < size; ++i) perm[i] = i;
    std::shuffle(perm.begin(), perm.end(), random);
    return perm;
  };
  int iotas = 0;
  for (int round = 0; round < 500; ++round) {
    // Two divisions of 24 devices.
    const auto divide = [&] {
      std::vector<int64_t> sizes = {1, 2, 2, 2, 3};
      std::shuffle(sizes.begin(), sizes.end(), random);
      while (sizes.size() > 1 && random() % 3 != 0) {
        const size_t i = random() % (sizes.size() - 1);
        sizes[i] *= sizes[i + 1];
        sizes.erase(sizes.begin() + i + 1);
      }
      return sizes;
    };
    const std::vector<int64_t> dims = divide(), sizes = divide();
    const TileAssignment iota(dims, sizes, permutation(sizes.size()));
    std::vector<int64_t> sorted = Devices(iota);
    absl::c_sort(sorted);
    for (int64_t i = 0; i < 24; ++i) EXPECT_EQ(sorted[i], i);
    iota.Each([&](absl::Span<const int64_t> index, int64_t device) {
      EXPECT_EQ(iota.iota()->value_at(index), device);
    });

    const std::vector<int> perm = permutation(dims.size());
    const TileAssignment transposed = iota.Transpose(perm);
    Array<int64_t> expected = iota.array();
    expected.TransposeDimensions(
        std::vector<int64_t>(perm.begin(), perm.end()));
    EXPECT_EQ(transposed.array(), expected) << iota.ToString();
    iotas += transposed.iota().has_value();

    const std::vector<int64_t> other = divide();
    expected = iota.array();
    expected.Reshape(other);
    EXPECT_EQ(iota.Reshape(other).array(), expected);
  }
  EXPECT_GT(iotas, 250);
  EXPECT_LT(iotas, 500);
}

}  // namespace
}  // namespace xla
