// Example 8: one program over the devices of several processes. Trains a net of
// two layers over a mesh of 2 x 2 devices: the batch is divided along one axis,
// the hidden units along the other (data and tensor parallelism in one). The
// program is written for whole arrays; the partitioner divides it as its
// shardings say. The weights have the same bits as those of one process that
// has all four devices. Started without arguments, the lesson starts two
// processes itself, with 4 as an argument four; mpirun or srun may start them
// instead, with the store as an argument.
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "xla/distributed/rendezvous/open_store.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/literal_util.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/status_macros.h"

namespace {

constexpr int kDevices = 4;
constexpr int kSteps = 20;
constexpr int kInputs = 8;
constexpr int kHidden = 32;

// Device 2 b + m has part b of the 64 rows of the data, and part m of the
// hidden units, which are the columns of w1 and the rows of w2. The sums over
// hidden units, and those over rows, become all-reduces of two devices each.
constexpr char kProgram[] = R"(
HloModule train_step
ENTRY e {
  w1 = f32[8,32] parameter(0), sharding={devices=[1,2,2]<=[2,2]T(1,0) last_tile_dim_replicate}
  w2 = f32[32] parameter(1), sharding={devices=[2,2]<=[2,2]T(1,0) last_tile_dim_replicate}
  i = s32[64,8] iota(), iota_dimension=0
  j = s32[64,8] iota(), iota_dimension=1
  eight = s32[] constant(8)
  eights = s32[64,8] broadcast(eight), dimensions={}
  row = s32[64,8] multiply(i, eights)
  angle = s32[64,8] add(row, j)
  angles = f32[64,8] convert(angle)
  x = f32[64,8] cosine(angles), sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}
  true_w = f32[8] constant({-1, -0.7, -0.4, -0.1, 0.2, 0.5, 0.8, 1})
  products = f32[64] dot(x, true_w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  y = f32[64] sine(products)
  before = f32[64,32] dot(x, w1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  hidden = f32[64,32] tanh(before)
  guess = f32[64] dot(hidden, w2), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  error = f32[64] subtract(guess, y)
  gradient2 = f32[32] dot(error, hidden), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  errors = f32[64,32] broadcast(error), dimensions={0}
  units = f32[64,32] broadcast(w2), dimensions={1}
  of_hidden = f32[64,32] multiply(errors, units)
  one = f32[] constant(1)
  ones = f32[64,32] broadcast(one), dimensions={}
  squares = f32[64,32] multiply(hidden, hidden)
  slope = f32[64,32] subtract(ones, squares)
  of_before = f32[64,32] multiply(of_hidden, slope)
  gradient1 = f32[8,32] dot(x, of_before), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  rate = f32[] constant(0.003)
  rates1 = f32[8,32] broadcast(rate), dimensions={}
  rates2 = f32[32] broadcast(rate), dimensions={}
  step1 = f32[8,32] multiply(gradient1, rates1)
  step2 = f32[32] multiply(gradient2, rates2)
  better1 = f32[8,32] subtract(w1, step1), sharding={devices=[1,2,2]<=[2,2]T(1,0) last_tile_dim_replicate}
  better2 = f32[32] subtract(w2, step2), sharding={devices=[2,2]<=[2,2]T(1,0) last_tile_dim_replicate}
  ROOT t = (f32[8,32], f32[32]) tuple(better1, better2), sharding={{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dim_replicate}, {devices=[2,2]<=[2,2]T(1,0) last_tile_dim_replicate}}
})";

using Buffers = std::vector<std::unique_ptr<xla::PjRtBuffer>>;

// The first weights of a device: its columns of w1 and its rows of w2.
std::vector<xla::Literal> FirstWeights(int device) {
  constexpr int kPart = kHidden / 2;
  const int begin = device % 2 * kPart;
  xla::Array2D<float> w1(kInputs, kPart);
  std::vector<float> w2;
  for (int unit = begin; unit < begin + kPart; ++unit) {
    for (int i = 0; i < kInputs; ++i) {
      w1(i, unit - begin) =
          std::cos(static_cast<float>(3 * (i * kHidden + unit))) / 3;
    }
    w2.push_back(std::sin(static_cast<float>(5 * unit)) / 5);
  }
  std::vector<xla::Literal> weights;
  weights.push_back(xla::LiteralUtil::CreateR2FromArray2D(w1));
  weights.push_back(xla::LiteralUtil::CreateR1<float>(w2));
  return weights;
}

// Trains on the devices of this process. Returns the text of their weights, by
// device.
absl::StatusOr<std::map<int, std::string>> Train(xla::PjRtClient& client) {
  TF_ASSIGN_OR_RETURN(auto module,
                      xla::ParseAndReturnUnverifiedModule(kProgram));
  xla::CompileOptions options;
  options.executable_build_options.set_num_partitions(kDevices);
  options.executable_build_options.set_use_spmd_partitioning(true);
  TF_ASSIGN_OR_RETURN(auto program,
                      client.CompileAndLoad(std::move(module), options));
  std::vector<Buffers> weights;
  for (const xla::PjRtDevice* device : program->addressable_devices()) {
    TF_ASSIGN_OR_RETURN(xla::PjRtMemorySpace * memory,
                        device->default_memory_space());
    Buffers& of_device = weights.emplace_back();
    for (const xla::Literal& literal : FirstWeights(device->id())) {
      TF_ASSIGN_OR_RETURN(of_device.emplace_back(),
                          client.BufferFromHostLiteral(literal, memory));
    }
  }
  // Every process runs the same programs in the same order.
  for (int step = 0; step < kSteps; ++step) {
    std::vector<std::vector<xla::PjRtBuffer*>> arguments;
    for (const Buffers& of_device : weights) {
      arguments.push_back({of_device[0].get(), of_device[1].get()});
    }
    TF_ASSIGN_OR_RETURN(weights, program->Execute(arguments, {}));
  }
  std::map<int, std::string> texts;
  for (size_t d = 0; d < weights.size(); ++d) {
    std::string& text = texts[program->addressable_devices()[d]->id()];
    for (const auto& buffer : weights[d]) {
      TF_ASSIGN_OR_RETURN(const auto literal, buffer->ToLiteralSync());
      text += literal->ToString() + "\n";
    }
  }
  return texts;
}

// One process of the job.
absl::Status Work(const std::string& store) {
  xla::PjRtClientOptions options;
  TF_ASSIGN_OR_RETURN(const auto place,
                      xla::distributed::PlaceFromEnvironment());
  options.num_devices = kDevices / place.num_processes;
  options.processes.process = place.process;
  options.processes.num_processes = place.num_processes;
  if (const char* engine = std::getenv("TESSERA_ENGINE")) {
    options.processes.engine = engine;
  }
  if (const char* file = std::getenv("TESSERA_SECRET_FILE")) {
    options.processes.secret_file = file;
  }
  TF_ASSIGN_OR_RETURN(options.store, xla::distributed::OpenStore(
                                         store, place, absl::Minutes(1),
                                         options.processes.secret_file));
  TF_ASSIGN_OR_RETURN(auto client, xla::GetTesseraClient(std::move(options)));
  TF_ASSIGN_OR_RETURN(const auto weights, Train(*client));
  xla::PjRtClientOptions alone;
  alone.num_devices = kDevices;
  TF_ASSIGN_OR_RETURN(auto one, xla::GetTesseraClient(std::move(alone)));
  TF_ASSIGN_OR_RETURN(const auto expected, Train(*one));
  for (const auto& [device, text] : weights) {
    if (text == expected.at(device)) continue;
    return absl::InternalError("one process has other weights on device " +
                               std::to_string(device) + ": " +
                               expected.at(device) + "instead of " + text);
  }
  std::cout << "process " + std::to_string(place.process) + ": " +
                   std::to_string(weights.size()) +
                   " devices with the weights of one process\n"
            << std::flush;
  return absl::OkStatus();
}

// Starts the processes, which meet in a directory; returns 0 if all succeed.
int StartAll(const char* program, int processes) {
  std::string directory =
      (std::filesystem::temp_directory_path() / "tessera_XXXXXX").string();
  if (mkdtemp(directory.data()) == nullptr) return 1;
  const std::string store = "file:" + directory;
  setenv("TESSERA_NUM_PROCESSES", std::to_string(processes).c_str(), 1);
  std::vector<pid_t> children;
  for (int process = 0; process < processes; ++process) {
    setenv("TESSERA_PROCESS", std::to_string(process).c_str(), 1);
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
  const std::string argument = argc < 2 ? "2" : argv[1];
  if (argument == "2" || argument == "4") {
    return StartAll(argv[0], argument == "2" ? 2 : 4);
  }
  const absl::Status status = Work(argument);
  if (absl::IsUnimplemented(status)) {
    // This build has no engine.
    std::cout << status << std::endl;
    return 0;
  }
  if (!status.ok()) std::cerr << status << std::endl;
  return status.ok() ? 0 : 1;
}
