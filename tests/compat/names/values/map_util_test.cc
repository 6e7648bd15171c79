// Uses every public name of xla/map_util.h.
#include "xla/map_util.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(MapUtilNamesTest, Finds) {
  std::map<int, std::string> map = {{1, "one"}, {2, "two"}};
  FindOrDie(map, 1) += "!";
  const std::map<int, std::string>& constant = map;
  EXPECT_EQ(FindOrDie(constant, 1), "one!");
  EXPECT_DEATH(FindOrDie(constant, 7), "7");
  EXPECT_EQ(MaybeFind(map, 2)->get(), "two");
  const absl::Status absent = MaybeFind(map, 7).status();
  EXPECT_EQ(absent, absl::NotFoundError("key not found: 7"));
  const std::string other = "other";
  EXPECT_EQ(FindOrDefault(map, 2, other), "two");
  EXPECT_EQ(&FindOrDefault(map, 7, other), &other);
}

TEST(MapUtilNamesTest, Inserts) {
  absl::flat_hash_map<std::string, int> map;
  InsertOrDie(&map, "a", 1);
  EXPECT_EQ(map["a"], 1);
  EXPECT_DEATH(InsertOrDie(&map, "a", 2), "duplicate");
  std::set<int> set;
  InsertOrDie(&set, 3);
  EXPECT_EQ(set.count(3), 1u);
  EXPECT_DEATH(InsertOrDie(&set, 3), "duplicate");
}

TEST(MapUtilNamesTest, Contains) {
  const absl::flat_hash_map<int, int> map = {{1, 10}};
  const absl::flat_hash_set<int> set = {2};
  EXPECT_TRUE(ContainsKey(map, 1));
  EXPECT_FALSE(ContainsKey(set, 1));
  const std::vector<int> numbers = {1, 2, 1};
  EXPECT_EQ(absl::c_count_if(numbers, IsKeyIn(map)), 2);
  EXPECT_EQ(absl::c_count_if(numbers, IsValueIn(set)), 1);
}

}  // namespace
}  // namespace xla
