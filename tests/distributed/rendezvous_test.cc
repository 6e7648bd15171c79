// Stores and the exchange of topologies.
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/distributed/cluster.h"
#include "tests/distributed/free_port.h"
#include "xla/distributed/rendezvous/file_store.h"
#include "xla/distributed/rendezvous/memory_store.h"
#include "xla/distributed/rendezvous/open_store.h"
#include "xla/distributed/rendezvous/sockets.h"
#include "xla/distributed/rendezvous/tcp_store.h"
#include "xla/distributed/topology.h"

namespace xla::distributed {
namespace {

using ::testing::HasSubstr;

class FileStoreTest : public testing::Test {
 protected:
  FileStoreTest()
      : folder_(testing::TempDir() + "tessera_store_" +
                std::to_string(getpid())) {}
  ~FileStoreTest() override { std::filesystem::remove_all(folder_); }
  const std::string folder_;
};

void CheckStore(KeyValueStore& store) {
  EXPECT_TRUE(absl::IsNotFound(store.TryGet("k").status()));
  EXPECT_TRUE(
      absl::IsDeadlineExceeded(store.Get("k", absl::Milliseconds(5)).status()));
  const std::string bytes("a\0/b", 4);
  EXPECT_TRUE(store.Put("k", bytes).ok());
  EXPECT_TRUE(absl::IsAlreadyExists(store.Put("k", "other")));
  EXPECT_EQ(store.TryGet("k").value(), bytes);
  EXPECT_EQ(store.Get("k", absl::ZeroDuration()).value(), bytes);
  EXPECT_TRUE(store.Put("/a/../b", "").ok());
  EXPECT_EQ(store.TryGet("/a/../b").value(), "");
}

TEST(MemoryStoreTest, KeepsWhatIsWrittenFirst) {
  MemoryStore store;
  CheckStore(store);
}

TEST_F(FileStoreTest, KeepsWhatIsWrittenFirst) {
  const auto store = FileStore::Open(folder_, 0, 1, absl::Seconds(5));
  ASSERT_TRUE(store.ok()) << store.status();
  CheckStore(**store);
}

TEST_F(FileStoreTest, OneJobAfterTheOtherInTheSameFolder) {
  for (int job = 0; job < 3; ++job) {
    OnThreads(3, [&](int p) {
      const auto store = FileStore::Open(folder_, p, 3, absl::Seconds(10));
      ASSERT_TRUE(store.ok()) << store.status();
      const std::string mine = std::to_string(job) + std::to_string(p);
      ASSERT_TRUE((*store)->Put(std::to_string(p), mine).ok());
      const auto next =
          (*store)->Get(std::to_string((p + 1) % 3), absl::Seconds(10));
      ASSERT_TRUE(next.ok()) << next.status();
      EXPECT_EQ(*next, std::to_string(job) + std::to_string((p + 1) % 3));
    });
  }
}

TEST(TcpStoreTest, ServesAllProcessesAndRestartsAtTheSameAddress) {
  const std::string address = "127.0.0.1:" + std::to_string(FreePort());
  for (int job = 0; job < 2; ++job) {
    std::atomic<int> ended = 0;
    OnThreads(4, [&](int p) {
      const auto store = TcpStore::Open(address, p, absl::Seconds(10));
      ASSERT_TRUE(store.ok()) << store.status();
      if (p == 1) CheckStore(**store);
      EXPECT_TRUE((*store)->Put(std::to_string(p), std::string(p, 'x')).ok());
      for (int q = 0; q < 4; ++q) {
        const auto value = (*store)->Get(std::to_string(q), absl::Seconds(10));
        ASSERT_TRUE(value.ok()) << value.status();
        EXPECT_EQ(*value, std::string(q, 'x'));
      }
      ++ended;
      while (p == 0 && ended < 4) absl::SleepFor(absl::Milliseconds(1));
    });
  }
}

TEST(TcpStoreTest, SaysWhatIsWrongWithAnAddress) {
  for (const char* address : {"", "host", "host:", ":1", "host:0", "h:99999"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(
        TcpStore::Open(address, 0, absl::Seconds(1)).status()));
  }
  const std::string nobody = "127.0.0.1:" + std::to_string(FreePort());
  const auto store = TcpStore::Open(nobody, 1, absl::Milliseconds(30));
  EXPECT_TRUE(absl::IsDeadlineExceeded(store.status()));
  EXPECT_THAT(store.status().message(), HasSubstr("process 0 did not listen"));
}

TEST(TcpStoreTest, SurvivesBytesThatAreNoRequest) {
  const std::string port = std::to_string(FreePort());
  const auto store = TcpStore::Open("127.0.0.1:" + port, 0, absl::Seconds(1));
  ASSERT_TRUE(store.ok()) << store.status();
  for (const size_t size : {1, 24, 4096}) {
    auto socket = ConnectTo("127.0.0.1", port);
    ASSERT_TRUE(socket.ok());
    const std::string junk(size, '\x7f');
    socket->Write(junk.data(), junk.size(), absl::Seconds(1)).IgnoreError();
  }
  CheckStore(**store);
}

TEST_F(FileStoreTest, NamesTheProcessesThatDoNotCome) {
  const auto store = FileStore::Open(folder_, 0, 3, absl::Milliseconds(20));
  EXPECT_TRUE(absl::IsDeadlineExceeded(store.status()));
  EXPECT_THAT(store.status().message(), HasSubstr("processes 0,1,2"));
}

TEST(OpenStoreTest, ReadsThePlaceFromTheEnvironment) {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                           "SLURM_PROCID", "SLURM_NTASKS"}) {
    unsetenv(name);
  }
  EXPECT_EQ(PlaceFromEnvironment()->num_processes, 1);
  setenv("OMPI_COMM_WORLD_RANK", "2", 1);
  setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
  EXPECT_EQ(PlaceFromEnvironment()->process, 2);
  EXPECT_EQ(PlaceFromEnvironment()->num_processes, 3);
  setenv("TESSERA_PROCESS", "1", 1);
  setenv("TESSERA_NUM_PROCESSES", "2", 1);
  EXPECT_EQ(PlaceFromEnvironment()->process, 1);
  for (const char* process : {"2", "-1", "x", ""}) {
    setenv("TESSERA_PROCESS", process, 1);
    EXPECT_TRUE(absl::IsInvalidArgument(PlaceFromEnvironment().status()));
  }
  unsetenv("TESSERA_PROCESS");
  unsetenv("OMPI_COMM_WORLD_RANK");
}

TEST_F(FileStoreTest, OpensByName) {
  const auto store = OpenStore("file:" + folder_, {0, 1}, absl::Seconds(5));
  ASSERT_TRUE(store.ok()) << store.status();
  CheckStore(**store);
  EXPECT_TRUE(absl::IsInvalidArgument(
      OpenStore(folder_, {0, 1}, absl::Seconds(1)).status()));
}

TEST(TopologyTest, NumbersDevicesProcessAfterProcess) {
  MemoryStore store;
  OnThreads(3, [&](int p) {
    ProcessDescription mine = ProcessDescription::OfThis("loopback", p + 1);
    if (p == 2) mine.boot_id = "another machine";
    const auto topology =
        ExchangeTopology(store, p, 3, mine, absl::Seconds(10));
    ASSERT_TRUE(topology.ok()) << topology.status();
    EXPECT_EQ(topology->num_devices(), 6);
    EXPECT_EQ(topology->first_device(2), 3);
    EXPECT_EQ(topology->process_of_device(0), 0);
    EXPECT_EQ(topology->process_of_device(2), 1);
    EXPECT_EQ(topology->process_of_device(5), 2);
    EXPECT_EQ(topology->processes[1].partition_index, 0);
    EXPECT_EQ(topology->processes[2].partition_index, 1);
  });
}

TEST(TopologyTest, ListsAllProcessesThatAreMissing) {
  MemoryStore store;
  const auto topology = ExchangeTopology(
      store, 1, 4, ProcessDescription::OfThis("x", 1), absl::Milliseconds(30));
  EXPECT_TRUE(absl::IsDeadlineExceeded(topology.status()));
  EXPECT_THAT(topology.status().message(), HasSubstr("processes 0,2,3 of 4"));
}

TEST(TopologyTest, RefusesLoopbackAddressesBetweenMachines) {
  MemoryStore store;
  OnThreads(2, [&](int p) {
    ProcessDescription mine = ProcessDescription::OfThis("x", 1);
    mine.boot_id = p == 0 ? "here" : "there";
    mine.address = p == 0 ? "10.0.0.1" : "127.0.0.1";
    const auto topology =
        ExchangeTopology(store, p, 2, mine, absl::Seconds(10));
    EXPECT_TRUE(absl::IsFailedPrecondition(topology.status()));
    EXPECT_THAT(topology.status().message(), HasSubstr("set listen_address"));
  });
}

TEST(TopologyTest, RefusesAProcessThatComesBack) {
  MemoryStore store;
  const auto mine = ProcessDescription::OfThis("x", 1);
  EXPECT_TRUE(ExchangeTopology(store, 0, 1, mine, absl::Seconds(1)).ok());
  const auto again = ExchangeTopology(store, 0, 1, mine, absl::Seconds(1));
  EXPECT_TRUE(absl::IsFailedPrecondition(again.status()));
  EXPECT_THAT(again.status().message(), HasSubstr("cannot come back"));
}

TEST(TopologyTest, RefusesOtherVersionsAndBytesThatAreNone) {
  MemoryStore store;
  const auto mine = ProcessDescription::OfThis("gloo", 1);
  const auto other = ProcessDescription::OfThis("mpi", 1);
  ASSERT_TRUE(store.Put("tessera/process/1", other.Serialize()).ok());
  const auto topology = ExchangeTopology(store, 0, 2, mine, absl::Seconds(1));
  EXPECT_TRUE(absl::IsFailedPrecondition(topology.status()));
  EXPECT_THAT(topology.status().message(), HasSubstr("process 1: it runs"));
  std::string bytes = mine.Serialize();
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(
        ProcessDescription::Parse(bytes.substr(0, size), mine.version).ok());
  }
  EXPECT_FALSE(ProcessDescription::Parse(bytes + "x", mine.version).ok());
  ProcessDescription none = mine;
  none.num_devices = 0;
  EXPECT_FALSE(ProcessDescription::Parse(none.Serialize(), mine.version).ok());
}

}  // namespace
}  // namespace xla::distributed
