// Prints the table of docs/distributed.md: what an all-reduce costs with more
// and more processes, by the schedules that would run and the model of a
// network. Usage: simulation_tool [DEVICES_OF_A_PROCESS]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "xla/distributed/schedule/reduce_schedules.h"
#include "xla/distributed/schedule/simulation.h"

namespace xla::distributed {
namespace {

const char* NameOf(ReduceAlgorithm algorithm) {
  switch (algorithm) {
    case ReduceAlgorithm::kGather:
      return "gather";
    case ReduceAlgorithm::kChain:
      return "chain";
    case ReduceAlgorithm::kDirect:
      break;
  }
  return "direct";
}

int PrintRow(int processes, int devices, int64_t bytes) {
  std::vector<int> process_of_member;
  for (int p = 0; p < processes; ++p) {
    process_of_member.insert(process_of_member.end(), devices, p);
  }
  const ProcessGroup group = ProcessGroup::Create(process_of_member);
  const ReduceAlgorithm algorithm =
      ChooseAllReduce(group, bytes, /*may_chain=*/true);
  const auto result = Simulate(
      processes,
      [&](int p) { return AllReduceSchedule(group, p, bytes, algorithm); },
      LinkModel());
  if (!result.ok()) {
    std::fprintf(stderr, "%s\n", result.status().ToString().c_str());
    return 1;
  }
  std::printf(
      "| %d | %lld | %s | %lld | %lld | %.2f | %.2f |\n", processes,
      static_cast<long long>(bytes >> 10), NameOf(algorithm),
      static_cast<long long>(result->steps),
      static_cast<long long>(result->most_messages),
      static_cast<double>(result->most_sent_bytes) / static_cast<double>(bytes),
      result->seconds * 1e3);
  return 0;
}

int Main(int devices) {
  std::printf(
      "| processes | KB | algorithm | steps | messages | bytes sent / "
      "size | ms |\n| --- | --- | --- | --- | --- | --- | --- |\n");
  int failed = 0;
  for (const int64_t bytes : {int64_t{4} << 10, int64_t{64} << 20}) {
    for (const int processes : {2, 4, 16, 64, 256}) {
      failed |= PrintRow(processes, devices, bytes);
    }
  }
  return failed;
}

}  // namespace
}  // namespace xla::distributed

int main(int argc, char** argv) {
  const int devices = argc > 1 ? std::atoi(argv[1]) : 1;
  return xla::distributed::Main(devices < 1 ? 1 : devices);
}
