// Example 6: the PJRT plugin from C++. Loads the shared object as a framework
// would, compiles StableHLO text, and multiplies two matrices. Needs nothing
// from Tessera but the header of the C API.
#include <dlfcn.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "xla/pjrt/c/pjrt_c_api.h"

namespace {

constexpr char kProgram[] = R"(
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
})";

// A serialized CompileOptionsProto: one replica, one partition.
constexpr char kOptions[] = {0x1a, 4, 0x20, 1, 0x28, 1};

const PJRT_Api* api = nullptr;

// An argument struct of the C API with its size set.
template <typename Args>
Args Make(size_t size) {
  Args args = {};
  args.struct_size = size;
  return args;
}
#define ARGS(function) \
  Make<PJRT_##function##_Args>(PJRT_##function##_Args_STRUCT_SIZE)

// Turns an error of the C API into an exception.
void Check(PJRT_Error* error) {
  if (error == nullptr) return;
  auto message = ARGS(Error_Message);
  message.error = error;
  api->PJRT_Error_Message(&message);
  const std::string text(message.message, message.message_size);
  auto destroy = ARGS(Error_Destroy);
  destroy.error = error;
  api->PJRT_Error_Destroy(&destroy);
  throw std::runtime_error(text);
}

void Await(PJRT_Event* event) {
  auto args = ARGS(Event_Await);
  args.event = event;
  PJRT_Error* error = api->PJRT_Event_Await(&args);
  auto destroy = ARGS(Event_Destroy);
  destroy.event = event;
  Check(api->PJRT_Event_Destroy(&destroy));
  Check(error);
}

// Deleters that return objects to the plugin.
struct Destroy {
  void operator()(PJRT_Client* client) const {
    auto args = ARGS(Client_Destroy);
    args.client = client;
    Check(api->PJRT_Client_Destroy(&args));
  }
  void operator()(PJRT_LoadedExecutable* executable) const {
    auto args = ARGS(LoadedExecutable_Destroy);
    args.executable = executable;
    Check(api->PJRT_LoadedExecutable_Destroy(&args));
  }
  void operator()(PJRT_Buffer* buffer) const {
    auto args = ARGS(Buffer_Destroy);
    args.buffer = buffer;
    Check(api->PJRT_Buffer_Destroy(&args));
  }
};
using Client = std::unique_ptr<PJRT_Client, Destroy>;
using Executable = std::unique_ptr<PJRT_LoadedExecutable, Destroy>;
using Buffer = std::unique_ptr<PJRT_Buffer, Destroy>;

Client MakeClient() {
  auto initialize = ARGS(Plugin_Initialize);
  Check(api->PJRT_Plugin_Initialize(&initialize));
  auto create = ARGS(Client_Create);
  Check(api->PJRT_Client_Create(&create));
  return Client(create.client);
}

PJRT_Device* FirstDevice(PJRT_Client* client) {
  auto args = ARGS(Client_AddressableDevices);
  args.client = client;
  Check(api->PJRT_Client_AddressableDevices(&args));
  if (args.num_addressable_devices == 0) throw std::runtime_error("no device");
  return args.addressable_devices[0];
}

Executable Compile(PJRT_Client* client, std::string program) {
  PJRT_Program source = {};
  source.struct_size = PJRT_Program_STRUCT_SIZE;
  source.code = program.data();
  source.code_size = program.size();
  source.format = "mlir";
  source.format_size = 4;
  auto args = ARGS(Client_Compile);
  args.client = client;
  args.program = &source;
  args.compile_options = kOptions;
  args.compile_options_size = sizeof(kOptions);
  Check(api->PJRT_Client_Compile(&args));
  return Executable(args.executable);
}

// An array of shape `dims` on `device`, with a copy of `values`.
Buffer ToDevice(PJRT_Client* client, PJRT_Device* device,
                const std::vector<float>& values,
                const std::vector<int64_t>& dims) {
  auto args = ARGS(Client_BufferFromHostBuffer);
  args.client = client;
  args.device = device;
  args.data = values.data();
  args.type = PJRT_Buffer_Type_F32;
  args.dims = dims.data();
  args.num_dims = dims.size();
  args.host_buffer_semantics =
      PJRT_HostBufferSemantics_kImmutableOnlyDuringCall;
  Check(api->PJRT_Client_BufferFromHostBuffer(&args));
  Buffer buffer(args.buffer);
  Await(args.done_with_host_buffer);
  return buffer;
}

// Returns the only result of `executable`.
Buffer Run(PJRT_LoadedExecutable* executable, const Buffer& x,
           const Buffer& y) {
  PJRT_ExecuteOptions options = {};
  options.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE;
  PJRT_Buffer* const arguments[] = {x.get(), y.get()};
  PJRT_Buffer* const* const argument_lists[] = {arguments};
  PJRT_Buffer* results[] = {nullptr};
  PJRT_Buffer** const output_lists[] = {results};
  auto args = ARGS(LoadedExecutable_Execute);
  args.executable = executable;
  args.options = &options;
  args.argument_lists = argument_lists;
  args.num_devices = 1;
  args.num_args = 2;
  args.output_lists = output_lists;
  Check(api->PJRT_LoadedExecutable_Execute(&args));
  return Buffer(results[0]);
}

std::vector<float> ToHost(PJRT_Buffer* buffer, size_t size) {
  std::vector<float> values(size);
  auto args = ARGS(Buffer_ToHostBuffer);
  args.src = buffer;
  args.dst = values.data();
  args.dst_size = size * sizeof(float);
  Check(api->PJRT_Buffer_ToHostBuffer(&args));
  Await(args.event);
  return values;
}

std::vector<float> Product(const std::vector<float>& x,
                           const std::vector<float>& y) {
  const Client client = MakeClient();
  PJRT_Device* device = FirstDevice(client.get());
  const Executable executable = Compile(client.get(), kProgram);
  const Buffer result =
      Run(executable.get(), ToDevice(client.get(), device, x, {2, 3}),
          ToDevice(client.get(), device, y, {3, 2}));
  return ToHost(result.get(), 4);
}

}  // namespace

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : TESSERA_PLUGIN;
  void* plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    std::cerr << dlerror() << "\n";
    return 1;
  }
  using GetApi = const PJRT_Api*();
  auto* get_api = reinterpret_cast<GetApi*>(dlsym(plugin, "GetPjrtApi"));
  if (get_api == nullptr) {
    std::cerr << path << " is no PJRT plugin\n";
    return 1;
  }
  api = get_api();
  std::cout << "PJRT " << api->pjrt_api_version.major_version << "."
            << api->pjrt_api_version.minor_version << "\n";
  try {
    const auto product = Product({1, 2, 3, 4, 5, 6}, {1, 0, 0, 1, 1, 1});
    for (float value : product) std::cout << value << " ";
    std::cout << "\n";
    return product == std::vector<float>{4, 5, 10, 11} ? 0 : 1;
  } catch (const std::runtime_error& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
