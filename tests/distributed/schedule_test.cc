// Runs the schedules of all processes on real numbers, in the simulation, and
// compares what they send with theory.
#include "xla/distributed/schedule/schedule.h"

#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/base/checked_math.h"
#include "xla/distributed/schedule/move_schedules.h"
#include "xla/distributed/schedule/reduce_schedules.h"
#include "xla/distributed/schedule/simulation.h"

namespace xla::distributed {
namespace {

using ::testing::HasSubstr;

// The memory of the processes of a group. A sum of these floats has other bits
// in any other order.
class Memory {
 public:
  Memory(const ProcessGroup& group, int64_t elements,
         const std::vector<Schedule>& schedules)
      : group_(group), schedules_(schedules) {
    for (int m = 0; m < group.num_members(); ++m) {
      std::vector<float>& values = vectors_.emplace_back();
      for (int64_t i = 0; i < elements; ++i) {
        const uint32_t mixed = (m * 2654435761u) ^ (i * 40503u * (m + 1));
        values.push_back(static_cast<float>(mixed % 1000003) *
                         (mixed % 7 == 0 ? 1e6f : -0.3f));
      }
    }
    for (const Schedule& schedule : schedules) {
      work_.emplace_back(schedule.work_bytes / sizeof(float) + 16);
    }
  }

  float* At(int place, const Place& at) {
    std::vector<float>& space =
        at.space == 0 ? work_[place]
                      : vectors_[group_.members[place][at.space - 1]];
    EXPECT_EQ(at.offset % sizeof(float), 0);
    return space.data() + at.offset / sizeof(float);
  }
  void Fold(int place, const Step& step) {
    const Schedule& schedule = schedules_[place];
    std::vector<float> sum(step.bytes / sizeof(float));
    for (int s = 0; s < step.num_sources; ++s) {
      const float* source = At(place, schedule.sources[step.first_source + s]);
      for (size_t i = 0; i < sum.size(); ++i) {
        sum[i] = s == 0 ? source[i] : sum[i] + source[i];
      }
    }
    std::memcpy(At(place, step.at), sum.data(), step.bytes);
  }
  void Copy(int from, const Step& sent, int to, const Step& step) {
    std::memcpy(At(to, step.at), At(from, sent.at), step.bytes);
  }
  std::vector<float> Sum() const {
    std::vector<float> sum = vectors_[0];
    for (size_t m = 1; m < vectors_.size(); ++m) {
      for (size_t i = 0; i < sum.size(); ++i) sum[i] += vectors_[m][i];
    }
    return sum;
  }
  // Elements of the result of a local member.
  std::vector<float> Result(int place, int local, int64_t elements) {
    const float* at = At(place, {0, schedules_[place].results[local]});
    return std::vector<float>(at, at + elements);
  }
  std::vector<float>& vector(int member) { return vectors_[member]; }

 private:
  const ProcessGroup& group_;
  const std::vector<Schedule>& schedules_;
  std::vector<std::vector<float>> vectors_;  // by member
  std::vector<std::vector<float>> work_;     // by place
};

absl::StatusOr<SimulationResult> RunOn(Memory& memory,
                                       const std::vector<Schedule>& schedules) {
  const auto receive = [&](int from, const Step& sent, int to,
                           const Step& step) {
    memory.Copy(from, sent, to, step);
  };
  const auto fold = [&](int place, const Step& step) {
    memory.Fold(place, step);
  };
  const SimulationObserver observer = {receive, fold};
  return Simulate(
      static_cast<int>(schedules.size()),
      [&](int place) { return schedules[place]; }, LinkModel(), &observer);
}

ProcessGroup Blocks(int processes, int devices) {
  std::vector<int> of_member;
  for (int p = 0; p < processes; ++p)
    of_member.insert(of_member.end(), devices, p);
  return ProcessGroup::Create(of_member);
}

std::vector<ProcessGroup> Groups() {
  return {Blocks(2, 1),
          Blocks(2, 3),
          Blocks(3, 2),
          Blocks(5, 1),
          Blocks(8, 2),
          ProcessGroup::Create({0, 1, 0, 1}),
          ProcessGroup::Create({7, 3, 3, 5, 7, 5}),
          ProcessGroup::Create({4, 4, 4, 2, 9, 9})};
}

std::string Describe(const ProcessGroup& group, int64_t elements, int kind) {
  return testing::PrintToString(group.place_of_member) + " elements " +
         std::to_string(elements) + " algorithm " + std::to_string(kind);
}

TEST(ScheduleTest, GroupsHavePlacesInTheOrderOfFirstMembers) {
  const ProcessGroup group = ProcessGroup::Create({7, 3, 3, 5, 7, 5});
  EXPECT_THAT(group.processes, testing::ElementsAre(7, 3, 5));
  EXPECT_THAT(group.members[0], testing::ElementsAre(0, 4));
  EXPECT_THAT(group.place_of_member, testing::ElementsAre(0, 1, 1, 2, 0, 2));
  EXPECT_FALSE(group.contiguous());
  EXPECT_TRUE(ProcessGroup::Create({4, 4, 1}).contiguous());
  EXPECT_EQ(group.most_members(), 2);
}

TEST(ScheduleTest, AllReduceHasTheBitsOfTheOrderOfMembers) {
  using enum ReduceAlgorithm;
  for (const ProcessGroup& group : Groups()) {
    for (const int64_t elements : {1, 17, 1000, 5003}) {
      for (const ReduceAlgorithm algorithm : {kGather, kChain, kDirect}) {
        if (algorithm == kChain && !group.contiguous()) continue;
        SCOPED_TRACE(Describe(group, elements, static_cast<int>(algorithm)));
        std::vector<Schedule> schedules;
        for (int p = 0; p < group.size(); ++p) {
          schedules.push_back(AllReduceSchedule(group, p, elements * 4,
                                                algorithm,
                                                /*segment_bytes=*/1024));
        }
        Memory memory(group, elements, schedules);
        const auto result = RunOn(memory, schedules);
        ASSERT_TRUE(result.ok()) << result.status();
        const std::vector<float> want = memory.Sum();
        for (int p = 0; p < group.size(); ++p) {
          for (size_t i = 0; i < group.members[p].size(); ++i) {
            ASSERT_EQ(memory.Result(p, static_cast<int>(i), elements), want);
          }
        }
      }
    }
  }
}

TEST(ScheduleTest, ReduceScatterGivesEachMemberItsPart) {
  using enum ReduceAlgorithm;
  for (const ProcessGroup& group : Groups()) {
    for (const int64_t part : {16, 48, 1040}) {
      for (const ReduceAlgorithm algorithm : {kChain, kDirect}) {
        if (algorithm == kChain && !group.contiguous()) continue;
        SCOPED_TRACE(Describe(group, part, static_cast<int>(algorithm)));
        std::vector<Schedule> schedules;
        for (int p = 0; p < group.size(); ++p) {
          schedules.push_back(ReduceScatterSchedule(group, p, part * 4,
                                                    algorithm,
                                                    /*segment_bytes=*/1024));
        }
        Memory memory(group, part * group.num_members(), schedules);
        const auto result = RunOn(memory, schedules);
        ASSERT_TRUE(result.ok()) << result.status();
        const std::vector<float> sum = memory.Sum();
        for (int m = 0; m < group.num_members(); ++m) {
          const int p = group.place_of_member[m];
          const auto local =
              std::find(group.members[p].begin(), group.members[p].end(), m) -
              group.members[p].begin();
          const std::vector<float> want(sum.begin() + m * part,
                                        sum.begin() + (m + 1) * part);
          ASSERT_EQ(memory.Result(p, static_cast<int>(local), part), want);
        }
      }
    }
  }
}

TEST(ScheduleTest, GathersBringEveryBlockToAll) {
  for (const int places : {2, 3, 4, 7, 8, 13}) {
    for (const auto algorithm :
         {GatherAlgorithm::kDirect, GatherAlgorithm::kBruck}) {
      std::vector<int64_t> blocks;
      for (int p = 0; p < places; ++p)
        blocks.push_back(p % 3 == 2 ? 0 : 4 * p + 4);
      std::vector<Schedule> schedules;
      std::vector<int> of_member;
      for (int p = 0; p < places; ++p) {
        schedules.push_back(AllGatherSchedule(p, blocks, algorithm));
        of_member.push_back(p);
      }
      const ProcessGroup group = ProcessGroup::Create(of_member);
      Memory memory(group, 64, schedules);
      for (int p = 0; p < places; ++p) {
        std::memcpy(memory.At(p, {0, BlockOffset(blocks, p)}),
                    memory.vector(p).data(), blocks[p]);
      }
      const auto result = RunOn(memory, schedules);
      ASSERT_TRUE(result.ok()) << result.status();
      for (int p = 0; p < places; ++p) {
        for (int q = 0; q < places; ++q) {
          EXPECT_EQ(std::memcmp(memory.At(p, {0, BlockOffset(blocks, q)}),
                                memory.vector(q).data(), blocks[q]),
                    0)
              << places << " places: block " << q << " at place " << p;
        }
      }
    }
  }
}

TEST(ScheduleTest, BroadcastsReachAllFromAnyRoot) {
  for (const int places : {2, 3, 5, 8, 11}) {
    for (const auto algorithm :
         {BroadcastAlgorithm::kTree, BroadcastAlgorithm::kChain}) {
      for (int root = 0; root < places; ++root) {
        std::vector<Schedule> schedules;
        std::vector<int> of_member;
        for (int p = 0; p < places; ++p) {
          schedules.push_back(BroadcastSchedule(p, places, root, 1000,
                                                algorithm,
                                                /*segment_bytes=*/128));
          of_member.push_back(p);
        }
        const ProcessGroup group = ProcessGroup::Create(of_member);
        Memory memory(group, 250, schedules);
        std::memcpy(memory.At(root, {0, 0}), memory.vector(root).data(), 1000);
        const auto result = RunOn(memory, schedules);
        ASSERT_TRUE(result.ok()) << result.status();
        EXPECT_EQ(result->bytes, 1000 * (places - 1));
        for (int p = 0; p < places; ++p) {
          EXPECT_EQ(std::memcmp(memory.At(p, {0, 0}),
                                memory.vector(root).data(), 1000),
                    0);
        }
      }
    }
  }
}

TEST(ScheduleTest, ExchangeSendsOneMessageForEachPair) {
  const int places = 4;
  // Place p sends 4 * (p + q) bytes to q, and nothing from 2 to 1.
  const auto bytes = [](int p, int q) -> int64_t {
    return p == q || (p == 2 && q == 1) ? 0 : 4 * (p + q);
  };
  std::vector<Schedule> schedules;
  for (int p = 0; p < places; ++p) {
    std::vector<int64_t> sends, receives;
    for (int q = 0; q < places; ++q) {
      sends.push_back(bytes(p, q));
      receives.push_back(bytes(q, p));
    }
    schedules.push_back(ExchangeSchedule(p, sends, receives));
  }
  const ProcessGroup group = ProcessGroup::Create({0, 1, 2, 3});
  Memory memory(group, 256, schedules);
  const auto result = RunOn(memory, schedules);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->messages, places * (places - 1) - 1);
  EXPECT_EQ(result->steps, 1);
  // Place 3 gets 12 bytes from 0, 16 from 1, 20 from 2, at multiples of 64.
  EXPECT_EQ(*memory.At(3, {0, 64}), *(memory.vector(1).data() + 32));
}

// What all processes of the schedules send and how they wait for each other.
SimulationResult Measure(int places,
                         absl::FunctionRef<Schedule(int)> schedule_of) {
  const auto result = Simulate(places, schedule_of, LinkModel());
  EXPECT_TRUE(result.ok()) << result.status();
  return result.value_or(SimulationResult());
}

int64_t CeilLog2(int64_t n) { return std::bit_width(uint64_t(n - 1)); }

TEST(SimulationTest, ChainsCarryEachVectorOnceFor2To4096Processes) {
  constexpr int64_t kBytes = int64_t{1} << 20;
  constexpr int64_t kSegment = int64_t{256} << 10;
  for (int places = 2; places <= 4096; places *= 2) {
    const int64_t bytes = places <= 512 ? kBytes : kSegment;
    const int64_t segments = bytes / kSegment;
    const ProcessGroup group = Blocks(places, 2);
    const SimulationResult result = Measure(places, [&](int p) {
      return AllReduceSchedule(group, p, bytes, ReduceAlgorithm::kChain,
                               kSegment);
    });
    // There and back over each of places - 1 links.
    EXPECT_EQ(result.bytes, 2 * bytes * (places - 1));
    EXPECT_EQ(result.most_sent_bytes, places == 2 ? bytes : 2 * bytes);
    EXPECT_EQ(result.messages, 2 * segments * (places - 1));
    // Segments that come back delay those that still go there.
    EXPECT_GE(result.steps, 2 * (places - 1));
    EXPECT_LT(result.steps, 2 * (places - 1) + segments);
    EXPECT_EQ(result.most_work_bytes, bytes);
  }
}

TEST(SimulationTest, DirectAllReduceTakesTwoSteps) {
  for (int places = 2; places <= 128; places *= 4) {
    const int64_t bytes = int64_t{64} * places * 16;
    const ProcessGroup group = Blocks(places, 1);
    const SimulationResult result = Measure(places, [&](int p) {
      return AllReduceSchedule(group, p, bytes, ReduceAlgorithm::kDirect);
    });
    // The lower bound of an all-reduce: 2 (P - 1) / P of the vector.
    EXPECT_EQ(result.most_sent_bytes, 2 * bytes * (places - 1) / places);
    EXPECT_EQ(result.most_received_bytes, result.most_sent_bytes);
    EXPECT_EQ(result.most_messages, 2 * (places - 1));
    EXPECT_EQ(result.steps, 2);
  }
}

TEST(SimulationTest, SmallAllReducesTakeLog2StepsUpTo4096Processes) {
  // Each of the folds has as many sources as there are processes.
  for (int places = 8; places <= 256; places *= 2) {
    const ProcessGroup group = Blocks(places, 1);
    const SimulationResult result = Measure(places, [&](int p) {
      return AllReduceSchedule(group, p, 64, ReduceAlgorithm::kGather);
    });
    EXPECT_EQ(result.steps, CeilLog2(places));
    EXPECT_EQ(result.most_received_bytes, 64 * (places - 1));
  }
  for (const int places : {4096, 4095, 2049, 1000}) {
    const std::vector<int64_t> blocks(places, 64);
    const SimulationResult result = Measure(places, [&](int p) {
      return AllGatherSchedule(p, blocks, GatherAlgorithm::kBruck);
    });
    EXPECT_EQ(result.steps, CeilLog2(places));
    EXPECT_EQ(result.bytes, int64_t{64} * places * (places - 1));
    EXPECT_LE(result.most_messages, 2 * CeilLog2(places));
  }
}

TEST(SimulationTest, BroadcastsOf4096ProcessesTakeLog2OrLinearSteps) {
  for (int places = 2; places <= 4096; places *= 2) {
    const SimulationResult tree = Measure(places, [&](int p) {
      return BroadcastSchedule(p, places, 0, 1024, BroadcastAlgorithm::kTree);
    });
    EXPECT_EQ(tree.steps, CeilLog2(places));
    EXPECT_EQ(tree.most_messages, CeilLog2(places));
    const SimulationResult chain = Measure(places, [&](int p) {
      return BroadcastSchedule(p, places, 0, 4096, BroadcastAlgorithm::kChain,
                               /*segment_bytes=*/1024);
    });
    EXPECT_EQ(chain.steps, places - 1);
    EXPECT_EQ(chain.most_sent_bytes, 4096);
  }
}

TEST(SimulationTest, SegmentsOverlapTheirTransfers) {
  const ProcessGroup group = Blocks(8, 1);
  const int64_t bytes = int64_t{64} << 20;
  const auto seconds = [&](int64_t segment) {
    return Measure(8,
                   [&](int p) {
                     return AllReduceSchedule(group, p, bytes,
                                              ReduceAlgorithm::kChain, segment);
                   })
        .seconds;
  };
  const double wire = static_cast<double>(bytes) / LinkModel().bytes_per_second;
  EXPECT_GT(seconds(bytes), 13 * wire);
  EXPECT_LT(seconds(kSegmentBytes), 2.6 * wire);
}

TEST(SimulationTest, ReportsSchedulesThatDoNotFit) {
  const auto waits = Simulate(
      2,
      [](int p) {
        Schedule schedule;
        schedule.Receive(1 - p, 0, 8);
        return schedule;
      },
      LinkModel());
  EXPECT_THAT(waits.status().message(), HasSubstr("waits for place"));
  const auto sizes = Simulate(
      2,
      [](int p) {
        Schedule schedule;
        if (p == 0) schedule.Send(1, {0, 0}, 8);
        if (p == 1) schedule.Receive(0, 0, 4);
        return schedule;
      },
      LinkModel());
  EXPECT_THAT(sizes.status().message(), HasSubstr("receives 4"));
  const auto left = Simulate(
      2,
      [](int p) {
        Schedule schedule;
        if (p == 0) schedule.Send(1, {0, 0}, 8);
        return schedule;
      },
      LinkModel());
  EXPECT_THAT(left.status().message(), HasSubstr("never received"));
}

TEST(ScheduleTest, ChoicesFollowSizesAndGroups) {
  const int64_t mb = int64_t{1} << 20;
  EXPECT_EQ(ChooseAllReduce(Blocks(4, 2), 64, true), ReduceAlgorithm::kGather);
  EXPECT_EQ(ChooseAllReduce(Blocks(4, 4), 64 * mb, true),
            ReduceAlgorithm::kChain);
  EXPECT_NE(ChooseAllReduce(Blocks(2, 1), 64 * mb, true),
            ReduceAlgorithm::kGather);
  EXPECT_EQ(ChooseAllReduce(Blocks(4, 4), 64 * mb, false),
            ReduceAlgorithm::kDirect);
  EXPECT_EQ(ChooseAllReduce(ProcessGroup::Create({0, 1, 0, 1}), 64 * mb, true),
            ReduceAlgorithm::kDirect);
  EXPECT_EQ(ChooseReduceScatter(Blocks(4, 4), mb, true),
            ReduceAlgorithm::kChain);
  EXPECT_EQ(ChooseReduceScatter(Blocks(64, 1), 1024, true),
            ReduceAlgorithm::kDirect);
}

}  // namespace
}  // namespace xla::distributed
