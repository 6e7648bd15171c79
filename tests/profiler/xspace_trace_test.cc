// The planes, lines and stats by which XProf finds threads, devices, operations
// and programs.
#include "xla/profiler/xspace_trace.h"

#include <map>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/profiler/sample_trace.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

profiler::XSpace Space() {
  const RecordedTrace trace = SampleTrace();
  return XSpaceOf(DescribedTrace(trace, kSampleLimits));
}

const profiler::XPlane& PlaneOf(const profiler::XSpace& space,
                                const std::string& prefix) {
  for (const profiler::XPlane& plane : space.planes()) {
    if (plane.name().rfind(prefix, 0) == 0) return plane;
  }
  ADD_FAILURE() << "no plane " << prefix;
  return profiler::XPlane::default_instance();
}

// The stats of an event or of metadata, as text.
template <typename Owner>
std::map<std::string, std::string> Stats(const profiler::XPlane& plane,
                                         const Owner& owner) {
  std::map<std::string, std::string> stats;
  for (const profiler::XStat& stat : owner.stats()) {
    std::string& text =
        stats[plane.stat_metadata().at(stat.metadata_id()).name()];
    switch (stat.value_case()) {
      case profiler::XStat::kRefValue:
        text = plane.stat_metadata().at(stat.ref_value()).name();
        break;
      case profiler::XStat::kInt64Value:
        text = std::to_string(stat.int64_value());
        break;
      case profiler::XStat::kUint64Value:
        text = std::to_string(stat.uint64_value());
        break;
      case profiler::XStat::kDoubleValue:
        text = std::to_string(stat.double_value());
        break;
      default:
        text = stat.bytes_value();
    }
  }
  return stats;
}

TEST(XSpaceTraceTest, ThreadsAreLinesOfTheHost) {
  const profiler::XSpace space = Space();
  const profiler::XPlane& plane = PlaneOf(space, "/host:CPU");
  ASSERT_EQ(plane.lines_size(), 2);
  const profiler::XLine& main = plane.lines(0);
  EXPECT_EQ(main.id(), -7);
  EXPECT_EQ(main.name(), "main/100");
  EXPECT_EQ(main.timestamp_ns(), 1'000'000'000);
  ASSERT_EQ(main.events_size(), 4);
  const profiler::XEvent& dot = main.events(2);
  EXPECT_EQ(plane.event_metadata().at(dot.metadata_id()).name(), "dot.1");
  EXPECT_EQ(dot.offset_ps(), 1'000'000'000);
  EXPECT_EQ(dot.duration_ps(), 1'000'000'000);
  auto stats = Stats(plane, dot);
  EXPECT_EQ(stats["hlo_op"], "dot.1");
  EXPECT_EQ(stats["hlo_module"], "jit_f");
  EXPECT_EQ(stats["program_id"], "42");
  EXPECT_EQ(stats["run_id"], "5");
  EXPECT_EQ(stats["tf_op"], "jit(f)/\"dot\"");
  EXPECT_EQ(stats["source"], "train.py:17");
  EXPECT_EQ(stats["flops"], "4000000");
  EXPECT_EQ(stats["bytes_accessed"], "1000000");
  EXPECT_THAT(stats["roofline_share"], StartsWith("0.4"));
  EXPECT_EQ(Stats(plane, plane)["dropped_events"], "3");
  EXPECT_EQ(Stats(plane, plane.lines(1).events(0))["task_indices"], "8");
}

TEST(XSpaceTraceTest, DevicesHaveRunsAndOperations) {
  const profiler::XSpace space = Space();
  const profiler::XPlane& plane = PlaneOf(space, "/device:TPU:0");
  // Two thunks at the same time take two lines, the last of which has the most.
  ASSERT_EQ(plane.lines_size(), 4);
  EXPECT_EQ(plane.lines(0).name(), "Steps");
  EXPECT_EQ(plane.lines(1).name(), "XLA Modules");
  EXPECT_EQ(plane.lines(2).name(), "XLA Ops");
  EXPECT_EQ(plane.lines(3).name(), "XLA Ops");
  ASSERT_EQ(plane.lines(0).events_size(), 1);
  EXPECT_EQ(plane.lines(0).events(0).duration_ps(), 1'900'000'000);
  ASSERT_EQ(plane.lines(1).events_size(), 1);
  const profiler::XEvent& run = plane.lines(1).events(0);
  EXPECT_EQ(run.offset_ps(), 1'000'000'000);
  EXPECT_EQ(run.duration_ps(), 1'900'000'000);
  EXPECT_EQ(plane.event_metadata().at(run.metadata_id()).name(), "jit_f(42)");
  EXPECT_EQ(Stats(plane, run)["run_id"], "5");
  EXPECT_EQ(Stats(plane, run)["queue_id"], "0");
  EXPECT_EQ(plane.lines(2).events_size(), 1);
  ASSERT_EQ(plane.lines(3).events_size(), 2);
  const profiler::XEventMetadata& dot =
      plane.event_metadata().at(plane.lines(3).events(0).metadata_id());
  EXPECT_EQ(dot.name(), "dot.1 = f32[2] dot(a, b)");
  EXPECT_EQ(dot.display_name(), "dot.1");
  auto stats = Stats(plane, dot);
  EXPECT_EQ(stats["program_id"], "42");
  EXPECT_EQ(stats["symbol_id"], "1");
  EXPECT_EQ(stats["hlo_category"], "convolution");
  EXPECT_EQ(stats["flops"], "4000000");
  profiler::MemoryAccessBreakdown breakdown;
  ASSERT_TRUE(breakdown.ParseFromString(stats["memory_access_breakdown"]));
  ASSERT_EQ(breakdown.memory_accessed_size(), 1);
  EXPECT_EQ(breakdown.memory_accessed(0).bytes_accessed(), 1000000);
  auto limits = Stats(plane, plane);
  EXPECT_THAT(limits["peak_teraflops_per_second"], StartsWith("0.01"));
  EXPECT_THAT(limits["peak_hbm_bw_gigabytes_per_second"], StartsWith("5.0"));
}

TEST(XSpaceTraceTest, ProgramsAreMetadataByTheirIds) {
  const profiler::XSpace space = Space();
  const profiler::XPlane& plane = PlaneOf(space, "/host:metadata");
  ASSERT_EQ(plane.event_metadata().count(42), 1);
  const profiler::XEventMetadata& program = plane.event_metadata().at(42);
  EXPECT_EQ(program.name(), "jit_f(42)");
  EXPECT_EQ(Stats(plane, program)["Hlo Proto"], "the module");
}

// A run that was handed over, but of which nothing else was recorded.
TEST(XSpaceTraceTest, EnqueuedRunsNeedNoProgram) {
  RecordedTrace trace;
  trace.runs = {{nullptr, 9, 1}};
  trace.threads = {
      {.id = 1,
       .hash = 2,
       .name = "main",
       .events = {
           {.begin_ns = 5, .end_ns = 7, .kind = TraceEvent::Kind::kEnqueue}}}};
  const profiler::XSpace space = XSpaceOf(DescribedTrace(trace, {}));
  ASSERT_EQ(space.planes_size(), 1);
  const profiler::XPlane& plane = space.planes(0);
  const profiler::XEvent& event = plane.lines(0).events(0);
  EXPECT_EQ(plane.event_metadata().at(event.metadata_id()).name(),
            "DoEnqueueProgram");
  auto stats = Stats(plane, event);
  EXPECT_EQ(stats["run_id"], "9");
  EXPECT_EQ(stats["queue_id"], "0");
  EXPECT_EQ(stats["device_ordinal"], "1");
}

TEST(XSpaceTraceTest, DroppedEventsAreAWarning) {
  EXPECT_THAT(Space().warnings(),
              ElementsAre(HasSubstr("3 events were dropped")));
}

TEST(XSpaceTraceTest, AnEmptyTraceHasNoDevices) {
  const RecordedTrace trace;
  const profiler::XSpace space = XSpaceOf(DescribedTrace(trace, {}));
  ASSERT_EQ(space.planes_size(), 1);
  EXPECT_EQ(space.planes(0).name(), "/host:CPU");
  EXPECT_EQ(space.planes(0).lines_size(), 0);
}

}  // namespace
}  // namespace xla
