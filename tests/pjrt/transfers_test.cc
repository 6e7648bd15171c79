// Arrays that go between devices of clients which stand for processes, outside
// of programs.
#include <cstring>

#include "absl/strings/str_cat.h"
#include "tests/pjrt/processes_fixture.h"

namespace xla {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TransfersTest : public ProcessesTest {
 protected:
  using Key = PjRtClient::CrossHostTransferKey;

  // An array of `count` floats on the first device of a client.
  std::unique_ptr<PjRtBuffer> Floats(int p, int64_t count, float first) {
    std::vector<float> values(count);
    for (int64_t i = 0; i < count; ++i) values[i] = first + i;
    Literal literal(ShapeUtil::MakeShape(F32, {count}));
    std::memcpy(literal.untyped_data(), values.data(), count * sizeof(float));
    return clients_[p]->BufferFromHostLiteral(literal, Space(p)).value();
  }
  PjRtDevice* Device(int p) { return clients_[p]->addressable_devices()[0]; }
  PjRtMemorySpace* Space(int p) { return Device(p)->memory_spaces()[0]; }
  PjRtGlobalDeviceId Id(int p) { return Device(p)->global_device_id(); }

  absl::StatusOr<Future<>> Send(int from, int to, PjRtBuffer* buffer,
                                int64_t number) {
    const Key key(number);
    const PjRtGlobalDeviceId target = Id(to);
    auto sent = clients_[from]->CrossHostSendBuffers({&buffer, 1}, {&target, 1},
                                                     {&key, 1});
    if (!sent.ok()) return sent.status();
    return (*sent)[0];
  }
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> Receive(int from, int to,
                                                      const Shape& shape,
                                                      int64_t number) {
    const Key key(number);
    const PjRtGlobalDeviceId source = Id(from);
    auto received = clients_[to]->CrossHostReceiveBuffers(
        Device(to), {&shape, 1}, {&source, 1}, {&key, 1});
    if (!received.ok()) return received.status();
    return std::move((*received)[0]);
  }
  static Shape FloatShape(int64_t count) {
    return ShapeUtil::MakeShape(F32, {count});
  }
  static void ExpectFloats(PjRtBuffer& buffer, int64_t count, float first) {
    const auto literal = buffer.ToLiteralSync();
    ASSERT_TRUE(literal.ok()) << literal.status();
    ASSERT_EQ((*literal)->shape().dimensions(0), count);
    for (int64_t i = 0; i < count; ++i) {
      ASSERT_EQ((*literal)->data<float>()[i], first + i);
    }
  }
};

TEST_F(TransfersTest, ArraysOfAllSizesGoAnyWay) {
  MakeClients({1, 2, 1});
  if (IsSkipped()) return;
  const int64_t sizes[] = {0, 1, 100, 208, 209, 5000, 1000000};
  OnAll([&](int p) {
    // Each sends to each before it receives.
    std::vector<std::unique_ptr<PjRtBuffer>> buffers;
    std::vector<Future<>> sent;
    for (int to = 0; to < 3; ++to) {
      if (to == p) continue;
      for (const int64_t size : sizes) {
        buffers.push_back(Floats(p, size, static_cast<float>(10 * p + to)));
        const auto future = Send(p, to, buffers.back().get(), size);
        ASSERT_TRUE(future.ok()) << future.status();
        sent.push_back(*future);
      }
    }
    for (int from = 0; from < 3; ++from) {
      if (from == p) continue;
      // In another order than they were sent.
      for (int i = 6; i >= 0; --i) {
        const auto buffer = Receive(from, p, FloatShape(sizes[i]), sizes[i]);
        ASSERT_TRUE(buffer.ok()) << buffer.status();
        ExpectFloats(**buffer, sizes[i], static_cast<float>(10 * from + p));
      }
    }
    for (const Future<>& future : sent) EXPECT_TRUE(future.Await().ok());
  });
}

TEST_F(TransfersTest, SeveralArraysInOneCallAndProgramsThatUseThem) {
  MakeClients({1, 1});
  if (IsSkipped()) return;
  const std::vector<Key> keys = {Key(3), Key(1), Key(2)};
  OnAll([&](int p) {
    const auto negate = clients_[p]->CompileAndLoad(Parse(R"(HloModule negate
ENTRY e { p = f32[700] parameter(0) ROOT n = f32[700] negate(p) })"),
                                                    {});
    ASSERT_TRUE(negate.ok()) << negate.status();
    const std::vector<PjRtGlobalDeviceId> other(3, Id(1 - p));
    if (p == 0) {
      // What is sent may not be computed yet, and may be deleted at once.
      std::vector<std::unique_ptr<PjRtBuffer>> owned;
      std::vector<PjRtBuffer*> buffers;
      for (int i = 0; i < 3; ++i) {
        const auto argument = Floats(0, 700, static_cast<float>(i));
        auto outputs = (*negate)->Execute({{argument.get()}}, {});
        ASSERT_TRUE(outputs.ok());
        owned.push_back(std::move((*outputs)[0][0]));
        buffers.push_back(owned.back().get());
      }
      const auto sent = clients_[0]->CrossHostSendBuffers(buffers, other, keys);
      ASSERT_TRUE(sent.ok()) << sent.status();
      owned.clear();
      for (const Future<>& future : *sent) EXPECT_TRUE(future.Await().ok());
      return;
    }
    const std::vector<Shape> shapes(3, FloatShape(700));
    const auto received =
        clients_[1]->CrossHostReceiveBuffers(Device(1), shapes, other, keys);
    ASSERT_TRUE(received.ok()) << received.status();
    for (int i = 0; i < 3; ++i) {
      const auto outputs = (*negate)->Execute({{(*received)[i].get()}}, {});
      ASSERT_TRUE(outputs.ok()) << outputs.status();
      ExpectFloats(*(*outputs)[0][0], 700, static_cast<float>(i));
    }
  });
}

TEST_F(TransfersTest, ShapesThatDifferAreAnErrorOnBothSides) {
  MakeClients({1, 1}, /*timeout_seconds=*/20);
  if (IsSkipped()) return;
  std::vector<absl::Status> statuses(2);
  OnAll([&](int p) {
    if (p == 0) {
      const auto buffer = Floats(0, 1000, 0);
      statuses[0] = Send(0, 1, buffer.get(), 5)->Await();
      return;
    }
    const auto buffer = Receive(0, 1, ShapeUtil::MakeShape(F32, {10, 100}), 5);
    statuses[1] = (*buffer)->GetReadyFuture().Await();
  });
  EXPECT_FALSE(statuses[0].ok());
  EXPECT_TRUE(absl::IsInvalidArgument(statuses[1])) << statuses[1];
  EXPECT_THAT(statuses[1].message(),
              AllOf(HasSubstr("f32[1000]{0} from device 0 to 1"),
                    HasSubstr("f32[10,100]{1,0} from device 0 to 1"),
                    HasSubstr("shapes differ"), HasSubstr("key 5")));
}

TEST_F(TransfersTest, WhoWaitsLearnsThatTheOtherSideIsGone) {
  MakeClients({1, 1, 1});
  if (IsSkipped()) return;
  const absl::Time begin = absl::Now();
  OnAll([&](int p) {
    if (p == 2) {
      clients_[2]->communicator()->transport().Abort("gone");
      return;
    }
    absl::Status status;
    if (p == 0) {
      const auto buffer = Floats(0, 100000, 0);
      const auto sent = Send(0, 2, buffer.get(), 1);
      status = sent.ok() ? sent->Await() : sent.status();
    } else {
      const auto buffer = Receive(2, 1, FloatShape(100000), 2);
      status =
          buffer.ok() ? (*buffer)->GetReadyFuture().Await() : buffer.status();
    }
    EXPECT_TRUE(absl::IsUnavailable(status) || absl::IsAborted(status))
        << status;
    EXPECT_THAT(status.message(), AllOf(HasSubstr("f32[100000]{0} from device"),
                                        HasSubstr("with process 2")));
    // Later ones fail at once.
    EXPECT_EQ(Receive(2, p, FloatShape(1), 3).status(),
              clients_[p]->communicator()->status());
  });
  EXPECT_LT(absl::Now() - begin, absl::Seconds(30));
}

TEST_F(TransfersTest, AnArrayThatHasFailedEndsTheReceiversWait) {
  MakeClients({1, 1});
  if (IsSkipped()) return;
  OnAll([&](int p) {
    if (p == 0) {
      const auto buffer = clients_[0]->CreateErrorBuffer(
          absl::InternalError("made no data"), FloatShape(4), Space(0));
      ASSERT_TRUE(buffer.ok());
      const auto sent = Send(0, 1, buffer->get(), 1);
      const absl::Status status = sent.ok() ? sent->Await() : sent.status();
      EXPECT_THAT(status.message(), HasSubstr("made no data"));
      if (sent.ok()) return;
      // Known at once: the receiver hears of it when this process gives up.
      clients_[0]->communicator()->Fail(status).IgnoreError();
      return;
    }
    const auto buffer = Receive(0, 1, FloatShape(4), 1);
    ASSERT_TRUE(buffer.ok()) << buffer.status();
    EXPECT_THAT((*buffer)->GetReadyFuture().Await().message(),
                HasSubstr("made no data"));
  });
}

TEST_F(TransfersTest, RefusesWhatIsNoTransferBetweenProcesses) {
  MakeClients({2, 1});
  if (IsSkipped()) return;
  PjRtClient& client = *clients_[0];
  const auto buffer = Floats(0, 4, 0);
  PjRtBuffer* const pointer = buffer.get();
  const Shape shape = FloatShape(4);
  const Key key(1);
  const auto status_of = [&](int device) {
    const PjRtGlobalDeviceId id(device);
    const absl::Status received =
        client
            .CrossHostReceiveBuffers(Device(0), {&shape, 1}, {&id, 1},
                                     {&key, 1})
            .status();
    const absl::Status sent =
        client.CrossHostSendBuffers({&pointer, 1}, {&id, 1}, {&key, 1})
            .status();
    EXPECT_EQ(sent.code(), received.code());
    return sent;
  };
  EXPECT_THAT(status_of(1).message(), HasSubstr("belongs to this process"));
  EXPECT_TRUE(absl::IsInvalidArgument(status_of(0)));
  EXPECT_TRUE(absl::IsInvalidArgument(status_of(99)));
  EXPECT_TRUE(absl::IsInvalidArgument(status_of(-1)));
  const PjRtGlobalDeviceId other(2);
  EXPECT_TRUE(absl::IsInvalidArgument(
      client.CrossHostSendBuffers({&pointer, 1}, {&other, 1}, {}).status()));
  const Shape token = ShapeUtil::MakeTokenShape();
  EXPECT_TRUE(absl::IsInvalidArgument(
      client
          .CrossHostReceiveBuffers(Device(0), {&token, 1}, {&other, 1},
                                   {&key, 1})
          .status()));
  const auto alone = MakeClient(1);
  EXPECT_TRUE(absl::IsFailedPrecondition(
      alone->CrossHostSendBuffers({}, {}, {}).status()));
  // The processes can still work together.
  EXPECT_TRUE(client.communicator()->status().ok());
}

}  // namespace
}  // namespace xla
