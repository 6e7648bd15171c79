// Clients that stand for the processes of a job.
#ifndef TESTS_PJRT_PROCESSES_FIXTURE_H_
#define TESTS_PJRT_PROCESSES_FIXTURE_H_

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/pjrt/pjrt_fixture.h"
#include "xla/distributed/rendezvous/memory_store.h"

namespace xla {

using Bytes = std::vector<std::string>;  // of all results, by device

class ProcessesTest : public PjrtTest {
 protected:
  // Makes a client for each of `devices`, which has their numbers of devices.
  // Skips the test if there is no engine.
  void MakeClients(std::vector<int> devices, int timeout_seconds = 60) {
    auto store = std::make_shared<distributed::MemoryStore>();
    clients_.resize(devices.size());
    std::vector<absl::Status> statuses(devices.size());
    OnAll([&](int p) {
      PjRtClientOptions options;
      options.num_devices = devices[p];
      options.num_threads = 2;
      options.processes.process = p;
      options.processes.num_processes = static_cast<int>(devices.size());
      options.processes.timeout = absl::Seconds(timeout_seconds);
      options.processes.connect_timeout = absl::Seconds(60);
      options.store = store;
      auto client = GetTesseraClient(std::move(options));
      statuses[p] = client.status();
      if (client.ok()) clients_[p] = *std::move(client);
    });
    for (const absl::Status& status : statuses) {
      if (absl::IsUnimplemented(status)) GTEST_SKIP() << status;
      ASSERT_TRUE(status.ok()) << status;
    }
  }

  void OnAll(const std::function<void(int)>& fn) {
    std::vector<std::thread> threads;
    for (size_t p = 0; p < clients_.size(); ++p) {
      threads.emplace_back([&fn, p] { fn(static_cast<int>(p)); });
    }
    for (std::thread& thread : threads) thread.join();
  }

  // The argument of a device: the shape of the parameter, filled with numbers
  // whose sums depend on their order.
  static Literal ArgumentOf(const Shape& shape, int device, int number) {
    Literal literal(shape);
    const int64_t count = ShapeUtil::ElementsIn(shape);
    for (int64_t i = 0; i < count; ++i) {
      const uint32_t mixed =
          (i * 2654435761u) ^ (device * 40503u) ^ (number * 977u);
      const double value =
          static_cast<double>(mixed % 100003) * (mixed % 5 == 0 ? 1e4 : -0.3);
      switch (shape.element_type()) {
        case F32:
          literal.data<float>()[i] = static_cast<float>(value);
          break;
        case BF16:
          literal.data<bfloat16>()[i] = static_cast<bfloat16>(value);
          break;
        default:
          literal.data<int32_t>()[i] = static_cast<int32_t>(mixed % 2);
          break;
      }
    }
    return literal;
  }

  // Runs the devices that `client` has, and writes their results.
  static absl::Status RunHere(PjRtClient& client,
                              const PjRtLoadedExecutable& executable,
                              Bytes* results) {
    std::vector<std::vector<std::unique_ptr<PjRtBuffer>>> owned;
    std::vector<std::vector<PjRtBuffer*>> arguments;
    for (const PjRtDevice* device : executable.addressable_devices()) {
      auto& of_device = owned.emplace_back();
      arguments.emplace_back();
      int number = 0;
      for (const auto& leaf : executable.GetExecutable()->parameters()) {
        const Literal literal = ArgumentOf(*leaf.shape, device->id(), number++);
        auto buffer =
            client.BufferFromHostLiteral(literal, device->memory_spaces()[0]);
        if (!buffer.ok()) return buffer.status();
        of_device.push_back(*std::move(buffer));
        arguments.back().push_back(of_device.back().get());
      }
    }
    auto outputs = executable.Execute(arguments, {});
    if (!outputs.ok()) return outputs.status();
    for (size_t d = 0; d < outputs->size(); ++d) {
      std::string& text = (*results)[executable.addressable_devices()[d]->id()];
      text.clear();
      for (const auto& buffer : (*outputs)[d]) {
        const auto literal = buffer->ToLiteralSync();
        if (!literal.ok()) return literal.status();
        text.append(static_cast<const char*>((*literal)->untyped_data()),
                    (*literal)->size_bytes());
      }
    }
    return absl::OkStatus();
  }

  // Runs a program in one process and on clients_, `repeats` times.
  void ExpectSameBits(const std::string& text, int replicas, int partitions,
                      int repeats = 2) {
    const int devices = replicas * partitions;
    Bytes want(devices);
    const auto alone = MakeClient(devices);
    const auto executable =
        alone->CompileAndLoad(Parse(text), OptionsFor(replicas, partitions));
    ASSERT_TRUE(executable.ok()) << executable.status();
    const absl::Status status = RunHere(*alone, **executable, &want);
    ASSERT_TRUE(status.ok()) << status;
    Bytes got(devices);
    OnAll([&](int p) {
      const auto loaded = clients_[p]->CompileAndLoad(
          Parse(text), OptionsFor(replicas, partitions));
      ASSERT_TRUE(loaded.ok()) << loaded.status();
      for (int i = 0; i < repeats; ++i) {
        const absl::Status run = RunHere(*clients_[p], **loaded, &got);
        ASSERT_TRUE(run.ok()) << run;
      }
    });
    for (int d = 0; d < devices; ++d) {
      EXPECT_FALSE(want[d].empty());
      EXPECT_TRUE(got[d] == want[d]) << "device " << d << " of " << text;
    }
  }

  std::vector<std::unique_ptr<PjRtClient>> clients_;
};

}  // namespace xla

#endif  // TESTS_PJRT_PROCESSES_FIXTURE_H_
