// Programs whose devices belong to several clients, each of which stands for a
// process: the same bits as in one, and errors that end on all.
#include <atomic>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/pjrt/processes_fixture.h"

namespace xla {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Programs for four devices; T is an element type, N a number of rows.
constexpr const char* kPrograms[] = {
    R"(HloModule all_reduce
add { a = T[] parameter(0) b = T[] parameter(1) ROOT s = T[] add(a, b) }
ENTRY e {
  x = T[N,3] parameter(0)
  ROOT r = T[N,3] all-reduce(x), replica_groups={}, to_apply=add
})",
    R"(HloModule groups
add { a = T[] parameter(0) b = T[] parameter(1) ROOT s = T[] add(a, b) }
ENTRY e {
  x = T[N,3] parameter(0)
  y = s32[5] parameter(1)
  near = T[N,3] all-reduce(x), replica_groups={{0,1},{2,3}}, to_apply=add
  far = T[N,3] all-reduce(x), replica_groups={{2,0},{1,3}}, to_apply=add
  three = T[N,3] all-reduce(x), replica_groups={{3,0,1},{2}}, to_apply=add
  ROOT t = (T[N,3], T[N,3], T[N,3], s32[5]) tuple(near, far, three, y)
})",
    R"(HloModule scatter
add { a = T[] parameter(0) b = T[] parameter(1) ROOT s = T[] add(a, b) }
ENTRY e {
  x = T[N,8] parameter(0)
  rows = T[M,8] reduce-scatter(x), replica_groups={}, dimensions={0}, to_apply=add
  columns = T[N,2] reduce-scatter(x), replica_groups={{1,0,3,2}}, dimensions={1}, to_apply=add
  ROOT t = (T[M,8], T[N,2]) tuple(rows, columns)
})",
    R"(HloModule moves
ENTRY e {
  x = T[N,8] parameter(0)
  g = T[N,32] all-gather(x), replica_groups={{2,1,0,3}}, dimensions={1}
  a = T[N,8] all-to-all(x), replica_groups={{0,1,2,3}}, dimensions={1}
  p = T[N,8] collective-permute(x), source_target_pairs={{0,3},{3,1},{2,0}}
  b = T[N,8] collective-broadcast(x), replica_groups={{2,0,1}}
  ROOT t = (T[N,32], T[N,8], T[N,8], T[N,8]) tuple(g, a, p, b)
})",
    R"(HloModule tuples
ENTRY e {
  x = T[N] parameter(0)
  y = T[N] parameter(1)
  a = (T[N], T[N]) all-to-all(x, y), replica_groups={{0,2},{1,3}}
  u = T[N] get-tuple-element(a), index=0
  v = T[N] get-tuple-element(a), index=1
  ROOT r = T[N] subtract(u, v)
})",
    R"(HloModule loop
add { a = T[] parameter(0) b = T[] parameter(1) ROOT s = T[] add(a, b) }
body {
  s = (s32[], T[N]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  j = s32[] add(i, one)
  x = T[N] get-tuple-element(s), index=1
  y = T[N] all-reduce(x), replica_groups={{0,3},{1,2}}, to_apply=add
  z = T[N] collective-permute(y), source_target_pairs={{0,1},{1,2},{2,3},{3,0}}
  ROOT t = (s32[], T[N]) tuple(j, z)
}
condition {
  s = (s32[], T[N]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(7)
  ROOT p = pred[] compare(i, n), direction=LT
}
ENTRY e {
  x = T[N] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], T[N]) tuple(zero, x)
  w = (s32[], T[N]) while(t), condition=condition, body=body
  ROOT r = T[N] get-tuple-element(w), index=1
})",
    R"(HloModule sends
ENTRY e {
  p = T[N] parameter(0)
  t = token[] after-all()
  v = (T[N], u32[], token[]) recv(t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1},{1,2},{3,0}}"}
  s = (T[N], u32[], token[]) send(p, t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1},{1,2},{3,0}}"}
  vd = (T[N], token[]) recv-done(v), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1},{1,2},{3,0}}"}
  sd = token[] send-done(s), channel_id=1
  ROOT r = T[N] get-tuple-element(vd), index=0
})",
};

std::string Program(const char* text, const char* type, int rows) {
  const std::string sized = absl::StrReplaceAll(
      text,
      {{"[N", absl::StrCat("[", rows)}, {"[M", absl::StrCat("[", rows / 4)}});
  return absl::StrReplaceAll(sized, {{"T[", absl::StrCat(type, "[")}});
}

TEST_F(ProcessesTest, CollectivesHaveTheBitsOfOneProcess) {
  MakeClients({2, 2});
  if (IsSkipped()) return;
  for (const char* text : kPrograms) {
    for (const char* type : {"f32", "bf16", "s32"}) {
      ExpectSameBits(Program(text, type, 4), 4, 1);
    }
    ExpectSameBits(Program(text, "f32", 40000), 4, 1);
  }
}

TEST_F(ProcessesTest, UnequalNumbersOfDevices) {
  MakeClients({1, 3});
  if (IsSkipped()) return;
  for (const char* text : kPrograms) {
    ExpectSameBits(Program(text, "f32", 400), 4, 1);
  }
}

TEST_F(ProcessesTest, FourProcesses) {
  MakeClients({1, 1, 1, 1});
  if (IsSkipped()) return;
  for (const char* text : kPrograms) {
    ExpectSameBits(Program(text, "f32", 400), 4, 1);
  }
}

TEST_F(ProcessesTest, PartitionsAndNumbersOfDevices) {
  MakeClients({2, 2});
  if (IsSkipped()) return;
  ExpectSameBits(R"(HloModule numbers
add { a = u32[] parameter(0) b = u32[] parameter(1) ROOT s = u32[] add(a, b) }
ENTRY e {
  r = u32[] replica-id()
  p = u32[] partition-id()
  c = u32[] constant(10)
  m = u32[] multiply(r, c)
  n = u32[] add(m, p)
  g = u32[1] reshape(n)
  all = u32[4] all-gather(g), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, dimensions={0}
  of_replica = u32[] all-reduce(n), channel_id=2, replica_groups={{0,1}}, to_apply=add
  ROOT t = (u32[4], u32[]) tuple(all, of_replica)
})",
                 2, 2);
}

TEST_F(ProcessesTest, RaggedRowsGoWhereOffsetsSay) {
  MakeClients({1, 1});
  if (IsSkipped()) return;
  // Offsets and sizes are 0 or 1 (ArgumentOf).
  ExpectSameBits(R"(HloModule ragged
ENTRY e {
  p = f32[4,300] parameter(0)
  o = f32[4,300] parameter(1)
  a = s32[2] parameter(2)
  b = s32[2] parameter(3)
  c = s32[2] parameter(4)
  d = s32[2] parameter(5)
  one = s32[] constant(1)
  ones = s32[2] broadcast(one), dimensions={}
  sizes = s32[2] add(b, ones)
  ROOT r = f32[4,300] ragged-all-to-all(p, o, a, sizes, c, d), replica_groups={}
})",
                 2, 1);
}

TEST_F(ProcessesTest, DevicesOfAllProcessesAreKnown) {
  MakeClients({2, 1});
  if (IsSkipped()) return;
  OnAll([&](int p) {
    PjRtClient& client = *clients_[p];
    EXPECT_EQ(client.process_index(), p);
    EXPECT_EQ(client.device_count(), 3);
    EXPECT_EQ(client.addressable_device_count(), p == 0 ? 2 : 1);
    for (int id = 0; id < 3; ++id) {
      PjRtDevice* device = client.LookupDevice(PjRtGlobalDeviceId(id)).value();
      EXPECT_EQ(device->id(), id);
      EXPECT_EQ(device->process_index(), id / 2);
      EXPECT_EQ(device->IsAddressable(), id / 2 == p);
      EXPECT_EQ(device->local_device_id().value(), id / 2 == p ? id % 2 : -1);
      EXPECT_EQ(device->memory_spaces().empty(), id / 2 != p);
      EXPECT_EQ(device->default_memory_space().ok(), id / 2 == p);
    }
    EXPECT_FALSE(client.LookupDevice(PjRtGlobalDeviceId(3)).ok());
    EXPECT_EQ(
        client.LookupAddressableDevice(PjRtLocalDeviceId(0)).value()->id(),
        2 * p);
    EXPECT_FALSE(client.LookupAddressableDevice(PjRtLocalDeviceId(2)).ok());
    // Devices of the process if they suffice, else of all.
    EXPECT_EQ(client.GetDefaultDeviceAssignment(1, 1).value()(0, 0), 2 * p);
    EXPECT_EQ(client.GetDefaultDeviceAssignment(3, 1).value()(2, 0), 2);
    const auto topology = client.GetTopologyDescription().value();
    EXPECT_EQ(topology->ProcessCount().value(), 2);
    const auto again =
        PjRtTopologyDescription::Deserialize(topology->Serialize().value());
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ((*again)->Fingerprint().value(), topology->Fingerprint().value());
    EXPECT_NE(topology->Fingerprint().value(),
              PjRtTopologyDescription::Create("tessera", 3)
                  .value()
                  ->Fingerprint()
                  .value());
    EXPECT_EQ((*again)->DeviceDescriptions()[2]->process_index(), 1);
  });
}

// Places the program's devices on `ids`.
CompileOptions OnDevices(std::vector<int> ids) {
  CompileOptions options = OptionsFor(static_cast<int>(ids.size()), 1);
  DeviceAssignment assignment(static_cast<int>(ids.size()), 1);
  for (size_t i = 0; i < ids.size(); ++i) assignment(i, 0) = ids[i];
  options.executable_build_options.set_device_assignment(assignment);
  return options;
}

TEST_F(ProcessesTest, AssignmentsOrderTheDevicesOfAProcess) {
  MakeClients({2, 2});
  if (IsSkipped()) return;
  const std::string text = Program(kPrograms[0], "f32", 4);
  OnAll([&](int p) {
    const auto loaded =
        clients_[p]->CompileAndLoad(Parse(text), OnDevices({3, 1, 2, 0}));
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    std::vector<int> ids, replicas;
    for (const PjRtDevice* device : (*loaded)->addressable_devices()) {
      ids.push_back(device->id());
    }
    for (const auto& id : (*loaded)->addressable_device_logical_ids()) {
      replicas.push_back(id.replica);
    }
    if (p == 0) {
      EXPECT_THAT(ids, ElementsAre(1, 0));
      EXPECT_THAT(replicas, ElementsAre(1, 3));
    } else {
      EXPECT_THAT(ids, ElementsAre(3, 2));
      EXPECT_THAT(replicas, ElementsAre(0, 2));
    }
    Bytes results(4);
    const absl::Status status = RunHere(*clients_[p], **loaded, &results);
    EXPECT_TRUE(status.ok()) << status;
  });
}

TEST_F(ProcessesTest, AProgramWithoutDevicesHereCompilesAndRuns) {
  MakeClients({2, 1});
  if (IsSkipped()) return;
  OnAll([&](int p) {
    const auto loaded = clients_[p]->CompileAndLoad(
        Parse(Program(kPrograms[0], "f32", 4)), OnDevices({0, 1}));
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    EXPECT_FALSE((*loaded)->is_portable());
    Bytes results(3);
    const absl::Status status = RunHere(*clients_[p], **loaded, &results);
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ((*loaded)->addressable_devices().size(), p == 0 ? 2 : 0);
  });
}

TEST_F(ProcessesTest, OtherProgramsAreRefused) {
  MakeClients({1, 1});
  if (IsSkipped()) return;
  std::atomic<int> named = 0;
  OnAll([&](int p) {
    const std::string text = absl::StrReplaceAll(
        Program(kPrograms[0], "f32", 4),
        {{"HloModule all_reduce", p == 0 ? "HloModule one" : "HloModule two"}});
    const auto loaded =
        clients_[p]->CompileAndLoad(Parse(text), OptionsFor(2, 1));
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    Bytes results(2);
    const absl::Status status = RunHere(*clients_[p], **loaded, &results);
    EXPECT_FALSE(status.ok());
    if (absl::IsFailedPrecondition(status)) {
      EXPECT_THAT(status.message(),
                  AnyOf(HasSubstr("process 1 runs another program, two"),
                        HasSubstr("process 0 runs another program, one")));
      ++named;
    }
  });
  EXPECT_GT(named, 0);
}

TEST_F(ProcessesTest, ErrorsOfOneProcessEndTheOthers) {
  MakeClients({1, 1, 1});
  if (IsSkipped()) return;
  const std::string text = Program(kPrograms[0], "f32", 4);
  OnAll([&](int p) {
    PjRtClient& client = *clients_[p];
    const auto loaded = client.CompileAndLoad(Parse(text), OptionsFor(3, 1));
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    Bytes results(3);
    ASSERT_TRUE(RunHere(client, **loaded, &results).ok());
    if (p == 1) {
      // An argument that an earlier program failed to make.
      const auto argument = client.CreateErrorBuffer(
          absl::InternalError("made no data"),
          *(*loaded)->GetExecutable()->parameters()[0].shape,
          client.addressable_devices()[0]->memory_spaces()[0]);
      ASSERT_TRUE(argument.ok());
      const auto failed = (*loaded)->Execute({{argument->get()}}, {});
      ASSERT_TRUE(failed.ok());
      EXPECT_THAT((*failed)[0][0]->GetReadyFuture().Await().message(),
                  HasSubstr("made no data"));
      return;
    }
    const absl::Status status = RunHere(client, **loaded, &results);
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(status.message(), HasSubstr("process 1 had given up: "));
    // Programs of this process alone still run.
    const auto local = client.CompileAndLoad(Parse(kNegateProgram), {});
    ASSERT_TRUE(local.ok()) << local.status();
    EXPECT_TRUE(RunHere(client, **local, &results).ok());
  });
}

// The run waits for an argument that never comes; the others would too.
TEST_F(ProcessesTest, APoisonedRunEndsTheOthers) {
  MakeClients({1, 1});
  if (IsSkipped()) return;
  const std::string text = Program(kPrograms[0], "f32", 4);
  OnAll([&](int p) {
    PjRtClient& client = *clients_[p];
    const auto loaded = client.CompileAndLoad(Parse(text), OptionsFor(2, 1));
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    if (p == 0) {
      PjRtDevice* const device = client.addressable_devices()[0];
      const auto manager = client.CreateBuffersForAsyncHostToDevice(
          {*(*loaded)->GetExecutable()->parameters()[0].shape},
          device->memory_spaces()[0]);
      ASSERT_TRUE(manager.ok());
      const auto argument = (*manager)->RetrieveBuffer(0);
      ExecuteOptions options;
      options.launch_id = 4;
      const auto results = (*loaded)->Execute({{argument.get()}}, options);
      ASSERT_TRUE(results.ok()) << results.status();
      EXPECT_TRUE(
          device->PoisonExecution(4, absl::DataLossError("poison")).value());
      EXPECT_EQ((*results)[0][0]->GetReadyFuture().Await(),
                absl::DataLossError("poison"));
      return;
    }
    Bytes results(2);
    const absl::Status status = RunHere(client, **loaded, &results);
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(status.message(), HasSubstr("poison"));
  });
}

TEST_F(ProcessesTest, AProcessThatDoesNotComeIsNamed) {
  MakeClients({1, 1}, /*timeout_seconds=*/1);
  if (IsSkipped()) return;
  const auto loaded = clients_[0]->CompileAndLoad(
      Parse(Program(kPrograms[0], "f32", 4)), OptionsFor(2, 1));
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  Bytes results(2);
  const absl::Status status = RunHere(*clients_[0], **loaded, &results);
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_THAT(status.message(), HasSubstr("nothing came yet from 1"));
}

TEST_F(ProcessesTest, FingerprintsAreEqualInAllProcesses) {
  MakeClients({1, 1});
  if (IsSkipped()) return;
  std::vector<std::string> fingerprints(2);
  OnAll([&](int p) {
    const auto loaded = clients_[p]->CompileAndLoad(
        Parse(Program(kPrograms[0], "f32", 4)), OptionsFor(2, 1));
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    fingerprints[p] = (*loaded)->FingerprintExecutable().value();
  });
  EXPECT_EQ(fingerprints[0], fingerprints[1]);
  EXPECT_FALSE(fingerprints[0].empty());
}

TEST(ProcessOptionsTest, RefusesWhatIsMissing) {
  PjRtClientOptions options;
  options.processes.num_processes = 2;
  EXPECT_THAT(GetTesseraClient(std::move(options)).status().message(),
              HasSubstr("needs a key-value store"));
  PjRtClientOptions secret;
  secret.processes.num_processes = 2;
  secret.processes.secret_file = "/dev/null";
  secret.store = std::make_shared<distributed::MemoryStore>();
  const absl::Status status = GetTesseraClient(std::move(secret)).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(status.message(), HasSubstr("/dev/null: it is not a plain file"));
  PjRtClientOptions alone;
  alone.processes.process = 1;
  EXPECT_THAT(GetTesseraClient(std::move(alone)).status().message(),
              HasSubstr("no process 1 of one"));
}

}  // namespace
}  // namespace xla
