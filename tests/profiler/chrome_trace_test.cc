// The JSON that Perfetto reads.
#include "xla/profiler/chrome_trace.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/profiler/sample_trace.h"
#include "xla/base/text/sort_json.h"

namespace xla {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Json(const RecordedTrace& trace,
                 const RooflineLimits& limits = kSampleLimits) {
  return ChromeTrace(DescribedTrace(trace, limits));
}

TEST(ChromeTraceTest, EventsHaveThreadsTimesAndArguments) {
  const std::string json = Json(SampleTrace());
  EXPECT_TRUE(SortJson(json).ok()) << SortJson(json).status();
  EXPECT_THAT(json, HasSubstr(R"("tid":100,"name":"thread_name",)"
                              R"("args":{"name":"main"})"));
  EXPECT_THAT(
      json,
      HasSubstr(
          R"("tid":100,"ts":1000.000,"dur":1000.000,"cat":"thunk",)"
          R"("name":"dot.1","args":{"hlo":"dot.1","computation":"main",)"
          R"("opcode":"dot","kind":"dot","op_name":"jit(f)/\"dot\"",)"
          R"("source":"train.py:17","flops":4e+06,"bytes":1e+06,)"
          R"("gflops_per_second":4,"gbytes_per_second":1,)"
          R"("roofline_share":0.4,"module":"jit_f","run_id":5,"device":0})"));
  EXPECT_THAT(json,
              HasSubstr(R"("tid":101,"ts":1500.000,"dur":500.000,"cat":"task",)"
                        R"("name":"dot.1","args":{"hlo":"dot.1")"));
  EXPECT_THAT(json, HasSubstr(R"("indices":8)"));
  EXPECT_THAT(json, HasSubstr(R"("cat":"run","name":"jit_f")"));
  EXPECT_THAT(json, HasSubstr(R"("cat":"compile","name":"passes","args":{})"));
}

TEST(ChromeTraceTest, SaysWhatWasDropped) {
  EXPECT_THAT(Json(SampleTrace()), HasSubstr(R"("dropped_events":3)"));
  EXPECT_THAT(Json(SampleTrace()), HasSubstr("3 events were dropped"));
  RecordedTrace whole = SampleTrace();
  whole.dropped_events = 0;
  EXPECT_THAT(Json(whole), Not(HasSubstr("warning")));
}

TEST(ChromeTraceTest, LeavesOutWhatIsNotKnown) {
  const std::string json = Json(SampleTrace(), RooflineLimits());
  EXPECT_THAT(json, Not(HasSubstr("roofline")));
  EXPECT_THAT(json, HasSubstr(R"("name":"fusion.2","args":{"hlo":"fusion.2",)"
                              R"("module":"jit_f")"));
}

TEST(ChromeTraceTest, EventsWithoutADurationAreValid) {
  RecordedTrace trace = SampleTrace();
  for (RecordedTrace::Thread& thread : trace.threads) {
    for (TraceEvent& event : thread.events) event.end_ns = event.begin_ns;
  }
  EXPECT_TRUE(SortJson(Json(trace)).ok());
}

TEST(ChromeTraceTest, ControlCharactersAndBytesThatAreNoTextAreEscaped) {
  RecordedTrace trace = SampleTrace();
  trace.threads[0].name = "a\nb\x01 \xff \xc3\xa9";
  const std::string json = Json(trace);
  EXPECT_THAT(json, HasSubstr("a\\u000ab\\u0001 \xef\xbf\xbd \xc3\xa9"));
}

TEST(ChromeTraceTest, AnEmptyTraceIsValid) {
  EXPECT_TRUE(SortJson(Json(RecordedTrace())).ok());
}

}  // namespace
}  // namespace xla
