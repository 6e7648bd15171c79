// Cases of program right_calls: executables, topologies, callbacks.
#include "tests/pjrt/c/right_calls.h"

static const char kProgram[] =
    "module @add {\n"
    "  func.func public @main(%a: tensor<4xf32>, %b: tensor<4xf32>)"
    " -> tensor<4xf32> {\n"
    "    %0 = stablehlo.add %a, %b : tensor<4xf32>\n"
    "    return %0 : tensor<4xf32>\n"
    "  }\n"
    "}\n";

static PJRT_Program program(void) {
  PJRT_Program p = {.struct_size = PJRT_Program_STRUCT_SIZE};
  p.code = (char*)kProgram;
  p.code_size = sizeof(kProgram) - 1;
  p.format = "mlir";
  p.format_size = 4;
  return p;
}

static void run(PJRT_LoadedExecutable* executable) {
  PJRT_Buffer* a = make_buffer();
  PJRT_Buffer* b = make_buffer();
  PJRT_Buffer* const arguments[] = {a, b};
  PJRT_Buffer* const* const lists[] = {arguments};
  PJRT_Buffer* outputs[1] = {NULL};
  PJRT_Buffer** const output_lists[] = {outputs};
  PJRT_Event* done[1] = {NULL};
  ARGS(ExecuteContext_Create, context);
  CALL(ExecuteContext_Create, context);
  PJRT_ExecuteOptions options = {.struct_size =
                                     PJRT_ExecuteOptions_STRUCT_SIZE};
  options.context = context.context;
  ARGS(LoadedExecutable_Execute, execute);
  execute.executable = executable;
  execute.options = &options;
  execute.argument_lists = lists;
  execute.num_devices = 1;
  execute.num_args = 2;
  execute.output_lists = output_lists;
  execute.device_complete_events = done;
  CALL(LoadedExecutable_Execute, execute);
  finish(done[0]);
  EXPECT(holds(outputs[0], 2));
  destroy_buffer(outputs[0]);
  execute.num_args = 1;
  CALL_FAILS(LoadedExecutable_Execute, execute,
             PJRT_Error_Code_INVALID_ARGUMENT);
  execute.num_args = 2;
  ARGS(Buffer_Delete, delete_args);
  delete_args.buffer = b;
  CALL(Buffer_Delete, delete_args);
  CALL_FAILS(LoadedExecutable_Execute, execute,
             PJRT_Error_Code_INVALID_ARGUMENT);
  ARGS(ExecuteContext_Destroy, destroy);
  destroy.context = context.context;
  CALL(ExecuteContext_Destroy, destroy);
  destroy_buffer(a);
  destroy_buffer(b);
}

static void ask_executable(PJRT_Executable* executable) {
#define EXECUTABLE(name, args)   \
  ARGS(Executable_##name, args); \
  args.executable = executable;  \
  CALL(Executable_##name, args)
  EXECUTABLE(Name, name);
  EXPECT(name.executable_name_size == 3);
  EXECUTABLE(NumReplicas, replicas);
  EXPECT(replicas.num_replicas == 1);
  EXECUTABLE(NumPartitions, partitions);
  EXPECT(partitions.num_partitions == 1);
  EXECUTABLE(NumOutputs, outputs);
  EXPECT(outputs.num_outputs == 1);
  EXECUTABLE(SizeOfGeneratedCodeInBytes, size);
  EXECUTABLE(GetCostAnalysis, costs);
  EXPECT(costs.num_properties > 0);
  EXECUTABLE(GetCompiledMemoryStats, stats);
  EXPECT(stats.argument_size_in_bytes == 32);
  EXPECT(stats.output_size_in_bytes == 16);
  EXECUTABLE(OutputElementTypes, types);
  EXPECT(types.num_output_types == 1);
  EXPECT(types.output_types[0] == PJRT_Buffer_Type_F32);
  EXECUTABLE(OutputDimensions, dims);
  EXPECT(dims.num_outputs == 1 && dims.dim_sizes[0] == 1 && dims.dims[0] == 4);
  EXECUTABLE(OutputMemoryKinds, kinds);
  EXPECT(kinds.num_outputs == 1 && kinds.memory_kind_sizes[0] == 6);
  EXECUTABLE(ParameterMemoryKinds, parameter_kinds);
  EXPECT(parameter_kinds.num_parameters == 2);
  EXECUTABLE(Fingerprint, fingerprint);
  EXPECT(fingerprint.executable_fingerprint_size > 0);
  EXECUTABLE(GetCompileOptions, options);
  options.serialized_compile_options_deleter(
      options.serialized_compile_options);
#undef EXECUTABLE
  PJRT_Program optimized = {.struct_size = PJRT_Program_STRUCT_SIZE};
  ARGS(Executable_OptimizedProgram, optimize);
  optimize.executable = executable;
  optimize.program = &optimized;
  CALL(Executable_OptimizedProgram, optimize);
  EXPECT(optimized.code_size > 0);
  optimized.code = malloc(optimized.code_size);
  CALL(Executable_OptimizedProgram, optimize);
  free(optimized.code);
}

static void serialize_executable(PJRT_Executable* executable) {
  ARGS(Executable_Serialize, serialize);
  serialize.executable = executable;
  CALL(Executable_Serialize, serialize);
  ARGS(Executable_DeserializeAndLoad, load_args);
  load_args.client = client;
  load_args.serialized_executable = serialize.serialized_bytes;
  load_args.serialized_executable_size = serialize.serialized_bytes_size;
  CALL(Executable_DeserializeAndLoad, load_args);
  run(load_args.loaded_executable);
  ARGS(LoadedExecutable_Destroy, destroy);
  destroy.executable = load_args.loaded_executable;
  CALL(LoadedExecutable_Destroy, destroy);
  load_args.serialized_executable_size /= 2;
  CALL_FAILS(Executable_DeserializeAndLoad, load_args,
             PJRT_Error_Code_INVALID_ARGUMENT);
  serialize.serialized_executable_deleter(serialize.serialized_executable);
}

static void destroy_executable(PJRT_Executable* executable) {
  ARGS(Executable_Destroy, destroy);
  destroy.executable = executable;
  CALL(Executable_Destroy, destroy);
}

void use_executables(void) {
  PJRT_Program p = program();
  ARGS(Client_Compile, compile);
  compile.client = client;
  compile.program = &p;
  CALL(Client_Compile, compile);
  p.code_size = 20;
  CALL_FAILS(Client_Compile, compile, PJRT_Error_Code_INVALID_ARGUMENT);
  p.format_size = 3;
  CALL_FAILS(Client_Compile, compile, PJRT_Error_Code_INVALID_ARGUMENT);
  PJRT_LoadedExecutable* loaded = compile.executable;
  if (loaded == NULL) return;
  run(loaded);
  ARGS(LoadedExecutable_GetExecutable, get);
  get.loaded_executable = loaded;
  CALL(LoadedExecutable_GetExecutable, get);
  ask_executable(get.executable);
  ask_executable_extensions(get.executable);
  serialize_executable(get.executable);
  destroy_executable(get.executable);
#define LOADED(name, args)             \
  ARGS(LoadedExecutable_##name, args); \
  args.executable = loaded;            \
  CALL(LoadedExecutable_##name, args)
  LOADED(AddressableDevices, devices);
  EXPECT(devices.num_addressable_devices == 1);
  EXPECT(devices.addressable_devices[0] == device);
  LOADED(AddressableDeviceLogicalIds, ids);
  EXPECT(ids.num_addressable_device_logical_ids == 1);
  LOADED(GetDeviceAssignment, assignment);
  assignment.serialized_device_assignment_deleter(
      assignment.serialized_device_assignment);
  LOADED(Fingerprint, fingerprint);
  EXPECT(fingerprint.executable_fingerprint_size > 0);
  LOADED(Delete, delete_args);
  LOADED(IsDeleted, deleted);
  EXPECT(deleted.is_deleted);
  LOADED(Destroy, destroy);
#undef LOADED
}

void use_topology(void) {
  ARGS(Client_TopologyDescription, own);
  own.client = client;
  CALL(Client_TopologyDescription, own);
  ARGS(TopologyDescription_Destroy, destroy);
  destroy.topology = own.topology;
  CALL_FAILS(TopologyDescription_Destroy, destroy,
             PJRT_Error_Code_INVALID_ARGUMENT);
  ARGS(TopologyDescription_Create, create);
  create.topology_name = "tessera:1";
  create.topology_name_size = 9;
  CALL(TopologyDescription_Create, create);
#define TOPOLOGY(name, args)              \
  ARGS(TopologyDescription_##name, args); \
  args.topology = create.topology;        \
  CALL(TopologyDescription_##name, args)
  TOPOLOGY(PlatformName, name);
  EXPECT(name.platform_name_size == 7);
  TOPOLOGY(PlatformVersion, version);
  TOPOLOGY(GetDeviceDescriptions, devices);
  EXPECT(devices.num_descriptions == 1);
  TOPOLOGY(Attributes, attributes);
  TOPOLOGY(Fingerprint, fingerprint);
  TOPOLOGY(GetMemorySpaceKindIds, kinds);
  EXPECT(kinds.num_memory_space_kind_ids == 3);
  ARGS(TopologyDescription_MakeCanonicalShapeForMemorySpace, shape);
  shape.topology = create.topology;
  shape.memory_space_kind_id = kinds.memory_space_kind_ids[0];
  shape.dims = kDims;
  shape.num_dims = 1;
  shape.element_type = PJRT_Buffer_Type_F32;
  CALL(TopologyDescription_MakeCanonicalShapeForMemorySpace, shape);
  shape.serialized_shape_deleter(shape.serialized_shape);
  TOPOLOGY(Serialize, serialize);
  ARGS(TopologyDescription_Deserialize, deserialize);
  deserialize.serialized_topology = serialize.serialized_bytes;
  deserialize.serialized_topology_size = serialize.serialized_bytes_size;
  CALL(TopologyDescription_Deserialize, deserialize);
  serialize.serialized_topology_deleter(serialize.serialized_topology);
  destroy.topology = deserialize.topology;
  CALL(TopologyDescription_Destroy, destroy);
#undef TOPOLOGY
  PJRT_Program p = program();
  PJRT_Compile_Args compile = {.struct_size = PJRT_Compile_Args_STRUCT_SIZE};
  compile.topology = create.topology;
  compile.program = &p;
  CALL(Compile, compile);
  ARGS(Client_Load, load_args);
  load_args.client = client;
  load_args.executable = compile.executable;
  CALL(Client_Load, load_args);
  destroy_executable(compile.executable);
  run(load_args.loaded_executable);
  ARGS(LoadedExecutable_Destroy, unload);
  unload.executable = load_args.loaded_executable;
  CALL(LoadedExecutable_Destroy, unload);
  destroy.topology = create.topology;
  CALL(TopologyDescription_Destroy, destroy);
}

static const char kReceives[] =
    "HloModule receives\n"
    "ENTRY e {\n"
    "  t = token[] after-all()\n"
    "  r = (f32[4], u32[], token[]) recv(t), channel_id=7,"
    " is_host_transfer=true\n"
    "  d = (f32[4], token[]) recv-done(r), channel_id=7,"
    " is_host_transfer=true\n"
    "  ROOT v = f32[4] get-tuple-element(d), index=0\n"
    "}\n";
static int chunk_freed;
static void free_chunk(void* data, void* user_arg) {
  (void)data, (void)user_arg;
  ++chunk_freed;
}

static void receive(PJRT_CopyToDeviceStream* stream, void* user_arg) {
  EXPECT(user_arg == (void*)kData);
#define STREAM(name, args)               \
  ARGS(CopyToDeviceStream_##name, args); \
  args.stream = stream;                  \
  CALL(CopyToDeviceStream_##name, args)
  STREAM(TotalBytes, total);
  EXPECT(total.total_bytes == 16);
  STREAM(GranuleSize, granule);
  EXPECT(granule.granule_size_in_bytes > 0);
  PJRT_Chunk chunk = {(void*)kData, sizeof(kData), free_chunk, NULL};
  ARGS(CopyToDeviceStream_AddChunk, add);
  add.stream = stream;
  add.chunk = &chunk;
  CALL(CopyToDeviceStream_AddChunk, add);
  finish(add.transfer_complete);
  STREAM(CurrentBytes, current);
  EXPECT(current.current_bytes == 16);
  STREAM(Destroy, destroy);
#undef STREAM
}

void use_callbacks(void) {
  PJRT_Program p = {.struct_size = PJRT_Program_STRUCT_SIZE};
  p.code = (char*)kReceives;
  p.code_size = sizeof(kReceives) - 1;
  p.format = "hlo";
  p.format_size = 3;
  ARGS(Client_Compile, compile);
  compile.client = client;
  compile.program = &p;
  CALL(Client_Compile, compile);
  if (compile.executable == NULL) return;
  PJRT_RecvCallbackInfo info = {7, (void*)kData, receive};
  PJRT_RecvCallbackInfo* infos[] = {&info};
  PJRT_ExecuteOptions options = {.struct_size =
                                     PJRT_ExecuteOptions_STRUCT_SIZE};
  options.recv_callbacks = infos;
  options.num_recv_ops = 1;
  PJRT_Buffer* outputs[1] = {NULL};
  PJRT_Buffer** const output_lists[] = {outputs};
  ARGS(LoadedExecutable_Execute, execute);
  execute.executable = compile.executable;
  execute.options = &options;
  execute.num_devices = 1;
  execute.output_lists = output_lists;
  CALL(LoadedExecutable_Execute, execute);
  if (outputs[0] != NULL) {
    EXPECT(holds(outputs[0], 1));
    destroy_buffer(outputs[0]);
  }
  EXPECT(chunk_freed == 1);
  ARGS(LoadedExecutable_Destroy, unload);
  unload.executable = compile.executable;
  CALL(LoadedExecutable_Destroy, unload);
}
