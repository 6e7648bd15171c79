// Example 7: the PJRT plugin from C, as bindings for other languages would use
// it. Compiles StableHLO text, runs it on one array, and prints the result.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xla/pjrt/c/pjrt_c_api.h"

static const PJRT_Api* api;

// Declares an argument struct of the C API, zero except for its size.
#define ARGS(name, function)      \
  PJRT_##function##_Args name;    \
  memset(&name, 0, sizeof(name)); \
  name.struct_size = PJRT_##function##_Args_STRUCT_SIZE

// Prints an error and ends the program.
static void Check(PJRT_Error* error, const char* what) {
  if (error == NULL) return;
  ARGS(message, Error_Message);
  message.error = error;
  api->PJRT_Error_Message(&message);
  fprintf(stderr, "%s: %.*s\n", what, (int)message.message_size,
          message.message);
  ARGS(destroy, Error_Destroy);
  destroy.error = error;
  api->PJRT_Error_Destroy(&destroy);
  exit(1);
}

static void Await(PJRT_Event* event, const char* what) {
  ARGS(await, Event_Await);
  await.event = event;
  Check(api->PJRT_Event_Await(&await), what);
  ARGS(destroy, Event_Destroy);
  destroy.event = event;
  Check(api->PJRT_Event_Destroy(&destroy), "destroying an event");
}

static PJRT_Client* MakeClient(void) {
  ARGS(initialize, Plugin_Initialize);
  Check(api->PJRT_Plugin_Initialize(&initialize), "initializing");
  ARGS(create, Client_Create);
  Check(api->PJRT_Client_Create(&create), "making a client");
  return create.client;
}

static PJRT_LoadedExecutable* Compile(PJRT_Client* client, char* program) {
  // A serialized CompileOptionsProto: one replica, one partition.
  static const char options[] = {0x1a, 4, 0x20, 1, 0x28, 1};
  PJRT_Program source;
  memset(&source, 0, sizeof(source));
  source.struct_size = PJRT_Program_STRUCT_SIZE;
  source.code = program;
  source.code_size = strlen(program);
  source.format = "mlir";
  source.format_size = strlen("mlir");
  ARGS(compile, Client_Compile);
  compile.client = client;
  compile.program = &source;
  compile.compile_options = options;
  compile.compile_options_size = sizeof(options);
  Check(api->PJRT_Client_Compile(&compile), "compiling");
  return compile.executable;
}

// A vector on the first device.
static PJRT_Buffer* ToDevice(PJRT_Client* client, const float* values,
                             int64_t size) {
  ARGS(devices, Client_AddressableDevices);
  devices.client = client;
  Check(api->PJRT_Client_AddressableDevices(&devices), "listing devices");
  ARGS(copy, Client_BufferFromHostBuffer);
  copy.client = client;
  copy.device = devices.addressable_devices[0];
  copy.data = values;
  copy.type = PJRT_Buffer_Type_F32;
  copy.dims = &size;
  copy.num_dims = 1;
  copy.host_buffer_semantics =
      PJRT_HostBufferSemantics_kImmutableOnlyDuringCall;
  Check(api->PJRT_Client_BufferFromHostBuffer(&copy), "copying to the device");
  Await(copy.done_with_host_buffer, "copying to the device");
  return copy.buffer;
}

// Returns the result of a program with one argument and one result.
static PJRT_Buffer* Run(PJRT_LoadedExecutable* executable,
                        PJRT_Buffer* argument) {
  PJRT_ExecuteOptions options;
  memset(&options, 0, sizeof(options));
  options.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE;
  PJRT_Buffer* const arguments[] = {argument};
  PJRT_Buffer* const* const argument_lists[] = {arguments};
  PJRT_Buffer* results[] = {NULL};
  PJRT_Buffer** const output_lists[] = {results};
  PJRT_Event* events[] = {NULL};
  ARGS(execute, LoadedExecutable_Execute);
  execute.executable = executable;
  execute.options = &options;
  execute.argument_lists = argument_lists;
  execute.num_devices = 1;
  execute.num_args = 1;
  execute.output_lists = output_lists;
  execute.device_complete_events = events;
  Check(api->PJRT_LoadedExecutable_Execute(&execute), "running");
  Await(events[0], "running");
  return results[0];
}

static void ToHost(PJRT_Buffer* buffer, float* values, size_t size) {
  ARGS(copy, Buffer_ToHostBuffer);
  copy.src = buffer;
  copy.dst = values;
  copy.dst_size = size * sizeof(float);
  Check(api->PJRT_Buffer_ToHostBuffer(&copy), "copying to the host");
  Await(copy.event, "copying to the host");
}

static void DestroyBuffer(PJRT_Buffer* buffer) {
  ARGS(destroy, Buffer_Destroy);
  destroy.buffer = buffer;
  Check(api->PJRT_Buffer_Destroy(&destroy), "destroying a buffer");
}

int main(int argc, char** argv) {
  char program[] =
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = stablehlo.multiply %x, %x : tensor<4xf32>\n"
      "  %1 = stablehlo.add %0, %x : tensor<4xf32>\n"
      "  return %1 : tensor<4xf32>\n"
      "}\n";
  const float x[4] = {1, 2, 3, 4};
  float y[4] = {0};

  void* plugin =
      dlopen(argc > 1 ? argv[1] : TESSERA_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  if (plugin == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  const PJRT_Api* (*get_api)(void) = NULL;
  // ISO C has no cast from a data pointer to a function pointer.
  *(void**)&get_api = dlsym(plugin, "GetPjrtApi");
  if (get_api == NULL) {
    fprintf(stderr, "not a PJRT plugin\n");
    return 1;
  }
  api = get_api();

  PJRT_Client* client = MakeClient();
  PJRT_LoadedExecutable* executable = Compile(client, program);
  PJRT_Buffer* argument = ToDevice(client, x, 4);
  PJRT_Buffer* result = Run(executable, argument);
  ToHost(result, y, 4);
  printf("x * x + x = %g %g %g %g\n", y[0], y[1], y[2], y[3]);

  DestroyBuffer(result);
  DestroyBuffer(argument);
  ARGS(drop, LoadedExecutable_Destroy);
  drop.executable = executable;
  Check(api->PJRT_LoadedExecutable_Destroy(&drop), "destroying the program");
  ARGS(destroy, Client_Destroy);
  destroy.client = client;
  Check(api->PJRT_Client_Destroy(&destroy), "destroying the client");
  return y[0] == 2 && y[1] == 6 && y[2] == 12 && y[3] == 20 ? 0 : 1;
}
