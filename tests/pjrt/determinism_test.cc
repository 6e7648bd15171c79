// Whole programs give the same bits in each run, on any number of threads, and
// in any order of the tasks of their loops.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/backward_runner.h"
#include "tests/pjrt/pjrt_fixture.h"
#include "tests/pjrt/whole_programs.h"

namespace xla {
namespace {

class DeterminismTest : public PjrtTest,
                        public testing::WithParamInterface<WholeProgram> {
 protected:
  void RunOn(std::unique_ptr<PjRtClient> client, const std::string& what) {
    client_ = std::move(client);
    const LoadedProgram program(*client_, GetParam());
    for (int run = 0; run < 3; ++run) {
      auto bytes = program.Run();
      ASSERT_TRUE(bytes.ok()) << bytes.status();
      if (expected_.empty()) expected_ = *bytes;
      ASSERT_EQ(bytes->size(), expected_.size());
      for (size_t i = 0; i < bytes->size(); ++i) {
        // EXPECT_EQ would print the bytes.
        EXPECT_TRUE((*bytes)[i] == expected_[i])
            << "result " << i << " of run " << run << " with " << what;
      }
    }
  }

 private:
  std::vector<std::string> expected_;
};

TEST_P(DeterminismTest, OfThreadsOrderAndTime) {
  for (const int threads : {1, 2, 3, 7}) {
    RunOn(MakeClient(/*num_devices=*/1, threads),
          std::to_string(threads) + " threads");
  }
  BackwardRunner backward(/*num_threads=*/5);
  PjRtClientOptions options;
  options.runner = &backward;
  RunOn(GetTesseraClient(std::move(options)).value(), "loops from the end");
  client_.reset();
}

INSTANTIATE_TEST_SUITE_P(Programs, DeterminismTest,
                         testing::ValuesIn(WholePrograms()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace xla
