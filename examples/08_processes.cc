// Lesson 8: one program over the devices of several processes. Trains a linear
// model on data that is divided among two processes, whose gradients are summed
// by an all-reduce, and compares the weights with those of one process that has
// both devices: they have the same bits. Started without arguments, it starts
// both processes itself; mpirun or srun may start them instead.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "xla/distributed/rendezvous/open_store.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/literal_util.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/status_macros.h"

namespace {

constexpr int kReplicas = 2;
constexpr int kSteps = 20;

// Replica r has 64 rows of the data: x[i,j] = cos(i + 64 r + 3 j), and y is a
// sum of them with the weights 1, 2, 3, 4.
constexpr char kProgram[] = R"(
HloModule train_step
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
ENTRY e {
  w = f32[4] parameter(0)
  replica = u32[] replica-id()
  r = s32[] convert(replica)
  rows = s32[] constant(64)
  first = s32[] multiply(r, rows)
  start = s32[64,4] broadcast(first), dimensions={}
  i = s32[64,4] iota(), iota_dimension=0
  j = s32[64,4] iota(), iota_dimension=1
  three = s32[] constant(3)
  threes = s32[64,4] broadcast(three), dimensions={}
  j3 = s32[64,4] multiply(j, threes)
  at = s32[64,4] add(i, start)
  angle = s32[64,4] add(at, j3)
  angles = f32[64,4] convert(angle)
  x = f32[64,4] cosine(angles)
  true_w = f32[4] constant({1, 2, 3, 4})
  y = f32[64] dot(x, true_w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  guess = f32[64] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  error = f32[64] subtract(guess, y)
  gradient = f32[4] dot(error, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  all = f32[4] all-reduce(gradient), replica_groups={}, to_apply=add
  rate = f32[] constant(0.003)
  rates = f32[4] broadcast(rate), dimensions={}
  step = f32[4] multiply(all, rates)
  ROOT better = f32[4] subtract(w, step)
})";

// Trains on the devices of this process, and returns the weights of one.
absl::StatusOr<std::string> Train(xla::PjRtClient& client) {
  TF_ASSIGN_OR_RETURN(auto module,
                      xla::ParseAndReturnUnverifiedModule(kProgram));
  xla::CompileOptions options;
  options.executable_build_options.set_num_replicas(kReplicas);
  TF_ASSIGN_OR_RETURN(auto program,
                      client.CompileAndLoad(std::move(module), options));
  std::vector<std::vector<std::unique_ptr<xla::PjRtBuffer>>> weights;
  const xla::Literal zeros = xla::LiteralUtil::CreateR1<float>({0, 0, 0, 0});
  for (const xla::PjRtDevice* device : program->addressable_devices()) {
    TF_ASSIGN_OR_RETURN(xla::PjRtMemorySpace * memory,
                        device->default_memory_space());
    TF_ASSIGN_OR_RETURN(weights.emplace_back().emplace_back(),
                        client.BufferFromHostLiteral(zeros, memory));
  }
  // Every process runs the same programs in the same order.
  for (int step = 0; step < kSteps; ++step) {
    std::vector<std::vector<xla::PjRtBuffer*>> arguments;
    for (const auto& of_device : weights) {
      arguments.push_back({of_device[0].get()});
    }
    TF_ASSIGN_OR_RETURN(weights, program->Execute(arguments, {}));
  }
  TF_ASSIGN_OR_RETURN(const auto literal, weights[0][0]->ToLiteral());
  return literal->ToString();
}

// One process of the job.
absl::Status Work(const std::string& store) {
  xla::PjRtClientOptions options;
  options.num_devices = 1;
  TF_ASSIGN_OR_RETURN(const auto place,
                      xla::distributed::PlaceFromEnvironment());
  options.processes.process = place.process;
  options.processes.num_processes = place.num_processes;
  if (const char* engine = std::getenv("TESSERA_ENGINE")) {
    options.processes.engine = engine;
  }
  if (const char* file = std::getenv("TESSERA_SECRET_FILE")) {
    options.processes.secret_file = file;
  }
  TF_ASSIGN_OR_RETURN(
      options.store,
      xla::distributed::OpenStore(store, place, absl::Minutes(1),
                                  options.processes.secret_file));
  TF_ASSIGN_OR_RETURN(auto client, xla::GetTesseraClient(std::move(options)));
  TF_ASSIGN_OR_RETURN(const std::string weights, Train(*client));
  xla::PjRtClientOptions alone;
  alone.num_devices = kReplicas;
  TF_ASSIGN_OR_RETURN(auto one, xla::GetTesseraClient(std::move(alone)));
  TF_ASSIGN_OR_RETURN(const std::string expected, Train(*one));
  std::cout << "process " << place.process << ": " << weights << std::endl;
  if (weights == expected) return absl::OkStatus();
  return absl::InternalError("one process has " + expected);
}

// Starts both processes, which meet in a directory; returns 0 if both succeed.
int StartBoth(const char* program) {
  std::string directory =
      (std::filesystem::temp_directory_path() / "tessera_XXXXXX").string();
  if (mkdtemp(directory.data()) == nullptr) return 1;
  const std::string store = "file:" + directory;
  setenv("TESSERA_NUM_PROCESSES", "2", 1);
  std::vector<pid_t> children;
  for (const char* process : {"0", "1"}) {
    setenv("TESSERA_PROCESS", process, 1);
    children.push_back(fork());
    if (children.back() != 0) continue;
    execl("/proc/self/exe", program, store.c_str(), nullptr);
    _exit(127);
  }
  int failed = 0;
  for (const pid_t child : children) {
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) failed = 1;
  }
  std::filesystem::remove_all(directory);
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return StartBoth(argv[0]);
  const absl::Status status = Work(argv[1]);
  if (absl::IsUnimplemented(status)) {
    // This build has no engine.
    std::cout << status << std::endl;
    return 0;
  }
  if (!status.ok()) std::cerr << status << std::endl;
  return status.ok() ? 0 : 1;
}
