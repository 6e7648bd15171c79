// A server: threads that compile programs of their own and run those of others
// at the same time, with a cache between them.
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "xla/client/client_library.h"
#include "xla/client/local_client.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/statusor.h"

namespace {

class Server {
 public:
  explicit Server(xla::LocalClient* client) : client_(client) {}

  // The sum of x[i]^power.
  absl::StatusOr<int32_t> Serve(int power, const std::vector<int32_t>& x) {
    TF_ASSIGN_OR_RETURN(xla::LocalExecutable * program,
                        ProgramFor(power, x.size()));
    TF_ASSIGN_OR_RETURN(
        const xla::ScopedShapedBuffer argument,
        client_->LiteralToShapedBuffer(xla::LiteralUtil::CreateR1<int32_t>(x),
                                       client_->default_device_ordinal()));
    xla::ExecutableRunOptions options;
    options.set_allocator(client_->backend().memory_allocator());
    TF_ASSIGN_OR_RETURN(const xla::ScopedShapedBuffer result,
                        program->Run({&argument}, options));
    TF_ASSIGN_OR_RETURN(const xla::Literal literal,
                        client_->ShapedBufferToLiteral(result));
    return literal.Get<int32_t>({});
  }

 private:
  absl::StatusOr<xla::LocalExecutable*> ProgramFor(int power, int64_t size) {
    const std::pair<int, int64_t> key(power, size);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto found = programs_.find(key);
      if (found != programs_.end()) return found->second.get();
    }
    const xla::Shape shape = xla::ShapeUtil::MakeShape(xla::S32, {size});
    xla::XlaBuilder builder(absl::StrCat("power_", power));
    const xla::XlaOp x = xla::Parameter(&builder, 0, shape, "x");
    xla::XlaOp product = x;
    for (int i = 1; i < power; ++i) product = xla::Mul(product, x);
    xla::XlaBuilder add("add");
    const xla::Shape scalar = xla::ShapeUtil::MakeShape(xla::S32, {});
    xla::Add(xla::Parameter(&add, 0, scalar, "a"),
             xla::Parameter(&add, 1, scalar, "b"));
    TF_ASSIGN_OR_RETURN(const xla::XlaComputation sum, add.Build());
    xla::ReduceAll(product, xla::ConstantR0<int32_t>(&builder, 0), sum);
    TF_ASSIGN_OR_RETURN(const xla::XlaComputation program, builder.Build());
    TF_ASSIGN_OR_RETURN(
        auto compiled,
        client_->Compile(program, {&shape}, xla::ExecutableBuildOptions()));
    const std::lock_guard<std::mutex> lock(mutex_);
    // Another thread may have been faster.
    return programs_.emplace(key, std::move(compiled[0])).first->second.get();
  }

  xla::LocalClient* client_;
  std::mutex mutex_;
  std::map<std::pair<int, int64_t>, std::unique_ptr<xla::LocalExecutable>>
      programs_;
};

}  // namespace

int main() {
  Server server(xla::ClientLibrary::LocalClientOrDie());
  std::vector<std::string> errors(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25 && errors[t].empty(); ++i) {
        const int power = 1 + (t + i) % 4;
        const int64_t size = 1 + i % 5;
        const absl::StatusOr<int32_t> sum =
            server.Serve(power, std::vector<int32_t>(size, 3));
        int64_t want = size;
        for (int p = 0; p < power; ++p) want *= 3;
        if (!sum.ok()) {
          errors[t] = sum.status().ToString();
        } else if (*sum != want) {
          errors[t] = absl::StrCat("got ", *sum, ", want ", want);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& error : errors) {
    if (error.empty()) continue;
    std::puts(error.c_str());
    return 1;
  }
  std::puts("all checks passed");
}
