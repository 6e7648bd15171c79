// Cases of program right_calls: the extensions.
#include <signal.h>

#include "tests/pjrt/c/right_calls.h"
#include "xla/pjrt/c/pjrt_c_api_compilation_cache_extension.h"
#include "xla/pjrt/c/pjrt_c_api_cross_host_transfers_extension.h"
#include "xla/pjrt/c/pjrt_c_api_custom_partitioner_extension.h"
#include "xla/pjrt/c/pjrt_c_api_ffi_bundle_extension.h"
#include "xla/pjrt/c/pjrt_c_api_ffi_extension.h"
#include "xla/pjrt/c/pjrt_c_api_interrupts_extension.h"
#include "xla/pjrt/c/pjrt_c_api_layouts_extension.h"
#include "xla/pjrt/c/pjrt_c_api_memory_descriptions_extension.h"
#include "xla/pjrt/c/pjrt_c_api_profiler_extension.h"
#include "xla/pjrt/c/pjrt_c_api_shardings_extension.h"

// Returns the extension of that type, which must exist.
static const void* extension(int type) {
  const PJRT_Extension_Base* base = api->extension_start;
  while (base != NULL && (int)base->type != type) base = base->next;
  EXPECT(base != NULL);
  return base;
}

#define EXPECT_CODE(error, code) EXPECT(take_error(error, 1) == code)
#define EXPECT_OK(error) EXPECT_CODE(error, PJRT_Error_Code_OK)

// Frees the layout unless it belongs to an executable.
static void check_layout(const PJRT_Layouts_Extension* layouts,
                         PJRT_Layouts_MemoryLayout* layout, const char* text,
                         PJRT_Error_Code freeing) {
  PJRT_Layouts_MemoryLayout_Serialize_Args serialize = {
      .struct_size = PJRT_Layouts_MemoryLayout_Serialize_Args_STRUCT_SIZE};
  serialize.layout = layout;
  EXPECT_OK(layouts->PJRT_Layouts_MemoryLayout_Serialize(&serialize));
  EXPECT(serialize.serialized_bytes_size == strlen(text));
  EXPECT(memcmp(serialize.serialized_bytes, text, strlen(text)) == 0);
  serialize.serialized_layout_deleter(serialize.serialized_layout);
  PJRT_Layouts_MemoryLayout_Destroy_Args destroy = {
      .struct_size = PJRT_Layouts_MemoryLayout_Destroy_Args_STRUCT_SIZE};
  destroy.layout = layout;
  EXPECT_CODE(layouts->PJRT_Layouts_MemoryLayout_Destroy(&destroy), freeing);
}

void use_layouts(void) {
  const PJRT_Layouts_Extension* layouts =
      extension(PJRT_Extension_Type_Layouts);
  if (layouts == NULL) return;
  const int64_t dims[] = {2, 3};
  PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args standard = {
      .struct_size =
          PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args_STRUCT_SIZE};
  standard.client = client;
  standard.type = PJRT_Buffer_Type_S8;
  standard.dims = dims;
  standard.num_dims = 2;
  EXPECT_OK(layouts->PJRT_Layouts_PJRT_Client_GetDefaultLayout(&standard));
  check_layout(layouts, standard.layout, "{1,0}", PJRT_Error_Code_OK);
  ARGS(Client_TopologyDescription, own);
  own.client = client;
  CALL(Client_TopologyDescription, own);
  PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args topology = {
      .struct_size =
          PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args_STRUCT_SIZE};
  topology.topology_description = own.topology;
  topology.type = PJRT_Buffer_Type_S8;
  topology.dims = dims;
  topology.num_dims = 2;
  EXPECT_OK(layouts->PJRT_Layouts_PJRT_Topology_GetDefaultLayout(&topology));
  check_layout(layouts, topology.layout, "{1,0}", PJRT_Error_Code_OK);
  PJRT_Buffer* buffer = make_buffer();
  PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args of_buffer = {
      .struct_size = PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args_STRUCT_SIZE};
  of_buffer.buffer = buffer;
  EXPECT_OK(layouts->PJRT_Layouts_PJRT_Buffer_MemoryLayout(&of_buffer));
  check_layout(layouts, of_buffer.layout, "{0}", PJRT_Error_Code_OK);
  destroy_buffer(buffer);
}

static void note_refusal(PJRT_Error* error, bool enqueued, void* user_arg) {
  EXPECT(!enqueued);
  *(PJRT_Error_Code*)user_arg = take_error(error, 0);
}

// There is no other process here: every transfer is refused, and says so.
void use_transfers(void) {
  const PJRT_CrossHostTransfers_Extension* transfers =
      extension(PJRT_Extension_Type_CrossHostTransfers);
  if (transfers == NULL) return;
  PJRT_Buffer* buffer = make_buffer();
  const int32_t device = 0;
  const int64_t key = 1;
  PJRT_Event* event = NULL;
  PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args send = {
      .struct_size =
          PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args_STRUCT_SIZE};
  EXPECT_CODE(transfers->PJRT_Transfers_PJRT_Client_CrossHostSendBuffers(&send),
              PJRT_Error_Code_INVALID_ARGUMENT);
  send.client = client;
  send.num_buffers = 1;
  EXPECT_CODE(transfers->PJRT_Transfers_PJRT_Client_CrossHostSendBuffers(&send),
              PJRT_Error_Code_INVALID_ARGUMENT);
  send.buffers = &buffer;
  send.dst_global_device_ids = &device;
  send.transfer_keys = &key;
  send.send_events = &event;
  EXPECT_CODE(transfers->PJRT_Transfers_PJRT_Client_CrossHostSendBuffers(&send),
              PJRT_Error_Code_FAILED_PRECONDITION);
  PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args receive = {
      .struct_size =
          PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args_STRUCT_SIZE};
  receive.client = client;
  receive.num_shapes = 1;
  EXPECT_CODE(
      transfers->PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers(&receive),
      PJRT_Error_Code_INVALID_ARGUMENT);
  PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args make = {
      .struct_size =
          PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args_STRUCT_SIZE};
  make.client = client;
  EXPECT_CODE(
      transfers->PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers(&make),
      PJRT_Error_Code_UNIMPLEMENTED);
  PJRT_Error_Code code = PJRT_Error_Code_OK;
  PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args copy = {
      .struct_size =
          PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args_STRUCT_SIZE};
  copy.buffer = buffer;
  copy.on_done.on_done = note_refusal;
  copy.on_done.user_arg = &code;
  transfers->PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice(&copy);
  EXPECT(code == PJRT_Error_Code_UNIMPLEMENTED);
  destroy_buffer(buffer);
}

void ask_executable_extensions(PJRT_Executable* executable) {
  const PJRT_Layouts_Extension* layouts =
      extension(PJRT_Extension_Type_Layouts);
  const PJRT_Shardings_Extension* shardings =
      extension(PJRT_Extension_Type_Shardings);
  if (layouts == NULL || shardings == NULL) return;
  PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args outputs = {
      .struct_size =
          PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args_STRUCT_SIZE};
  outputs.executable = executable;
  EXPECT_OK(layouts->PJRT_Layouts_PJRT_Executable_GetOutputLayouts(&outputs));
  EXPECT(outputs.num_outputs == 1);
  check_layout(layouts, outputs.layouts[0], "{0}",
               PJRT_Error_Code_INVALID_ARGUMENT);
  PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args parameters = {
      .struct_size =
          PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args_STRUCT_SIZE};
  parameters.executable = executable;
  EXPECT_OK(
      layouts->PJRT_Layouts_PJRT_Executable_GetParameterLayouts(&parameters));
  EXPECT(parameters.num_parameters == 2);
  PJRT_Shardings_PJRT_Executable_OutputShardings_Args output_shardings = {
      .struct_size =
          PJRT_Shardings_PJRT_Executable_OutputShardings_Args_STRUCT_SIZE};
  output_shardings.executable = executable;
  EXPECT_OK(shardings->PJRT_Shardings_PJRT_Executable_OutputShardings(
      &output_shardings));
  PJRT_Shardings_PJRT_Executable_ParameterShardings_Args parameter_shardings = {
      .struct_size =
          PJRT_Shardings_PJRT_Executable_ParameterShardings_Args_STRUCT_SIZE};
  parameter_shardings.executable = executable;
  EXPECT_OK(shardings->PJRT_Shardings_PJRT_Executable_ParameterShardings(
      &parameter_shardings));
}

void use_memory_descriptions(void) {
  const PJRT_MemoryDescriptions_Extension* memories =
      extension(PJRT_Extension_Type_MemoryDescriptions);
  if (memories == NULL) return;
  ARGS(Device_GetDescription, description);
  description.device = device;
  CALL(Device_GetDescription, description);
  PJRT_DeviceDescription_MemoryDescriptions_Args all = {
      .struct_size =
          PJRT_DeviceDescription_MemoryDescriptions_Args_STRUCT_SIZE};
  all.device_description = description.device_description;
  EXPECT_OK(memories->PJRT_DeviceDescription_MemoryDescriptions(&all));
  EXPECT(all.num_memory_descriptions == 3 && all.default_memory_index == 0);
  PJRT_MemoryDescription_Kind_Args kind = {
      .struct_size = PJRT_MemoryDescription_Kind_Args_STRUCT_SIZE};
  kind.memory_description = all.memory_descriptions[0];
  EXPECT_OK(memories->PJRT_MemoryDescription_Kind(&kind));
  EXPECT(kind.kind_size == 6 && memcmp(kind.kind, "device", 6) == 0);
}

void use_compilation_cache(void) {
  const Tessera_CompilationCache_Extension* cache =
      extension(TESSERA_EXTENSION_TYPE_COMPILATION_CACHE);
  if (cache == NULL) return;
  Tessera_CompilationCache_Statistics_Args all = {
      .struct_size = Tessera_CompilationCache_Statistics_Args_STRUCT_SIZE};
  all.hits = all.misses = -1;
  EXPECT_OK(cache->statistics(&all));
  EXPECT(all.hits >= 0 && all.misses >= 0 && all.errors == 0);
  all.struct_size = 8;
  EXPECT_CODE(cache->statistics(&all), PJRT_Error_Code_INVALID_ARGUMENT);
}

// SIGUSR2 stands for SIGINT: it has no handler, so the plugin refuses it.
void use_interrupts(void) {
  const Tessera_Interrupts_Extension* interrupts =
      extension(TESSERA_EXTENSION_TYPE_INTERRUPTS);
  if (interrupts == NULL) return;
  Tessera_Interrupts_Cancel_Args cancel = {
      .struct_size = Tessera_Interrupts_Cancel_Args_STRUCT_SIZE};
  EXPECT_OK(interrupts->cancel(&cancel));
  Tessera_Interrupts_CancelOnSignal_Args on_signal = {
      .struct_size = Tessera_Interrupts_CancelOnSignal_Args_STRUCT_SIZE};
  on_signal.signal = SIGUSR2;
  EXPECT_CODE(interrupts->cancel_on_signal(&on_signal),
              PJRT_Error_Code_FAILED_PRECONDITION);
  on_signal.grace_ns = -1;
  EXPECT_CODE(interrupts->cancel_on_signal(&on_signal),
              PJRT_Error_Code_INVALID_ARGUMENT);
  on_signal.struct_size = 8;
  EXPECT_CODE(interrupts->cancel_on_signal(&on_signal),
              PJRT_Error_Code_INVALID_ARGUMENT);
}

void use_ffi(void) {
  const PJRT_FFI_Extension* ffi = extension(PJRT_Extension_Type_FFI);
  const Tessera_FFI_Bundle_Extension* bundles =
      extension(TESSERA_EXTENSION_TYPE_FFI_BUNDLE);
  if (ffi == NULL || bundles == NULL) return;
  PJRT_FFI_Type_Register_Args type = {
      .struct_size = PJRT_FFI_Type_Register_Args_STRUCT_SIZE};
  type.type_name = "right_calls_type";
  type.type_name_size = 16;
  EXPECT_OK(ffi->type_register(&type));
  EXPECT(type.type_id != 0);
  ARGS(ExecuteContext_Create, context);
  CALL(ExecuteContext_Create, context);
  PJRT_FFI_UserData_Add_Args add = {.struct_size =
                                        PJRT_FFI_UserData_Add_Args_STRUCT_SIZE};
  add.context = context.context;
  add.user_data.type_id = type.type_id;
  add.user_data.data = &add;
  EXPECT_OK(ffi->user_data_add(&add));
  EXPECT_CODE(ffi->user_data_add(&add), PJRT_Error_Code_ALREADY_EXISTS);
  ARGS(ExecuteContext_Destroy, destroy);
  destroy.context = context.context;
  CALL(ExecuteContext_Destroy, destroy);
  PJRT_FFI_Register_Handler_Args handler = {
      .struct_size = PJRT_FFI_Register_Handler_Args_STRUCT_SIZE};
  EXPECT_CODE(ffi->register_handler(&handler),
              PJRT_Error_Code_INVALID_ARGUMENT);
  Tessera_FFI_Register_Bundle_Args bundle = {
      .struct_size = Tessera_FFI_Register_Bundle_Args_STRUCT_SIZE};
  EXPECT_CODE(bundles->register_bundle(&bundle),
              PJRT_Error_Code_INVALID_ARGUMENT);
}

static int partitioners_freed;
static void free_partitioner(JAX_CustomCallPartitioner_Callbacks* callbacks) {
  (void)callbacks;
  ++partitioners_freed;
}

static int partitions_freed;
static void free_partition(void* data) {
  EXPECT(data == (void*)kData);
  ++partitions_freed;
}

static int is_text(JAX_CustomCallPartitioner_string bytes, const char* text) {
  return bytes.size == strlen(text) &&
         memcmp(bytes.data, text, bytes.size) == 0;
}

// Each of two devices doubles its half.
static void make_halves(JAX_CustomCallPartitioner_Callbacks* callbacks,
                        JAX_CustomCallPartitioner_Partition_Args* args) {
  static char part[] =
      "HloModule part\n"
      "ENTRY e {\n"
      "  x = f32[2] parameter(0)\n"
      "  ROOT y = f32[2] add(x, x)\n"
      "}\n";
  static JAX_CustomCallPartitioner_string sharding;
  EXPECT(args->num_args == 1 && args->op_args[0].has_sharding);
  EXPECT(is_text(args->backend_config, "key"));
  args->header.data = (void*)kData;
  args->header.cleanup_fn = free_partition;
  if (callbacks->private_data != NULL) {
    args->header.has_error = true;
    args->header.code = PJRT_Error_Code_FAILED_PRECONDITION;
    args->header.error_msg.data = "not today";
    args->header.error_msg.size = 9;
    return;
  }
  sharding = args->op_args[0].sharding;
  args->mlir_module.data = part;
  args->mlir_module.size = sizeof(part) - 1;
  args->args_sharding = &sharding;
  args->result_sharding = args->op_result.sharding;
}

static void compile_halves(PJRT_Error_Code code) {
  static char doubles[] =
      "HloModule doubles, num_partitions=2\n"
      "ENTRY e {\n"
      "  x = f32[4] parameter(0), sharding={devices=[2]<=[2]}\n"
      "  ROOT y = f32[4] custom-call(x), custom_call_target=\"halves\","
      " backend_config=\"key\", sharding={devices=[2]<=[2]}\n"
      "}\n";
  // executable_build_options: one replica, two partitions.
  static const char options[] = {0x1a, 4, 0x20, 1, 0x28, 2};
  PJRT_Program p = {.struct_size = PJRT_Program_STRUCT_SIZE};
  p.code = doubles;
  p.code_size = sizeof(doubles) - 1;
  p.format = "hlo";
  p.format_size = 3;
  ARGS(Client_Compile, compile);
  compile.client = client;
  compile.program = &p;
  compile.compile_options = options;
  compile.compile_options_size = sizeof(options);
  if (code != PJRT_Error_Code_OK) {
    CALL_FAILS(Client_Compile, compile, code);
    return;
  }
  CALL(Client_Compile, compile);
  if (compile.executable == NULL) return;
  ARGS(LoadedExecutable_Destroy, unload);
  unload.executable = compile.executable;
  CALL(LoadedExecutable_Destroy, unload);
}

void use_custom_partitioner(void) {
  const PJRT_Custom_Partitioner_Extension* partitioners =
      extension(PJRT_Extension_Type_Custom_Partitioner);
  if (partitioners == NULL) return;
  static JAX_CustomCallPartitioner_Callbacks first, second;
  first.dtor = second.dtor = free_partitioner;
  PJRT_Register_Custom_Partitioner_Args add = {
      .struct_size = PJRT_Register_Custom_Partitioner_Args_STRUCT_SIZE};
  add.name = "right_calls";
  add.name_size = 11;
  add.callbacks = &first;
  EXPECT_OK(partitioners->register_custom_partitioner(&add));
  add.callbacks = &second;
  EXPECT_OK(partitioners->register_custom_partitioner(&add));
  EXPECT(partitioners_freed == 1);
  EXPECT_OK(partitioners->register_custom_partitioner(&add));
  EXPECT(partitioners_freed == 1);
  static JAX_CustomCallPartitioner_Callbacks halves, fails;
  add.name = "halves";
  add.name_size = 6;
  add.callbacks = &halves;
  halves.partition = make_halves;
  EXPECT_OK(partitioners->register_custom_partitioner(&add));
  compile_halves(PJRT_Error_Code_OK);
  EXPECT(partitions_freed == 1);
  fails.partition = make_halves;
  fails.private_data = &fails;
  add.callbacks = &fails;
  EXPECT_OK(partitioners->register_custom_partitioner(&add));
  compile_halves(PJRT_Error_Code_FAILED_PRECONDITION);
  EXPECT(partitions_freed == 2);
  add.callbacks = &first;
  first.version = 1;
  EXPECT_CODE(partitioners->register_custom_partitioner(&add),
              PJRT_Error_Code_UNIMPLEMENTED);
  PJRT_Register_Batch_Partitionable_Args batch = {
      .struct_size = PJRT_Register_Batch_Partitionable_Args_STRUCT_SIZE};
  batch.name = "right_calls";
  batch.name_size = 11;
  EXPECT_OK(partitioners->register_batch_partitionable(&batch));
}

static void expect_profiler_error(const PLUGIN_Profiler_Api* profiler,
                                  PLUGIN_Profiler_Error* error) {
  EXPECT(error != NULL);
  PLUGIN_Profiler_Error_GetCode_Args code = {
      .struct_size = PLUGIN_Profiler_Error_GetCode_Args_STRUCT_SIZE};
  code.error = error;
  EXPECT(profiler->error_get_code(&code) == NULL);
  EXPECT(code.code == PJRT_Error_Code_FAILED_PRECONDITION);
  PLUGIN_Profiler_Error_Destroy_Args free_error = {
      .struct_size = PLUGIN_Profiler_Error_Destroy_Args_STRUCT_SIZE};
  free_error.error = error;
  profiler->error_destroy(&free_error);
}

// The data of a session, which has recorded, both ways.
static void check_data(const PLUGIN_Profiler_Api* profiler,
                       PLUGIN_Profiler* session,
                       PLUGIN_Profiler_CollectData_Args collect) {
  collect.buffer = NULL;
  EXPECT(profiler->collect_data(&collect) == NULL);
  const size_t size = collect.buffer_size_in_bytes;
  EXPECT(size > 0);
  collect.buffer = malloc(size);
  EXPECT(profiler->collect_data(&collect) == NULL);
  EXPECT(collect.buffer_size_in_bytes == size);
  PLUGIN_Profiler_Consume_Args consume = {
      .struct_size = PLUGIN_Profiler_Consume_Args_STRUCT_SIZE};
  consume.profiler = session;
  EXPECT(profiler->consume(&consume) == NULL);
  PLUGIN_Profiler_Serialize_Args serialize = {
      .struct_size = PLUGIN_Profiler_Serialize_Args_STRUCT_SIZE};
  serialize.profiler = session;
  serialize.consume_result = consume.result;
  EXPECT(profiler->serialize(&serialize) == NULL);
  EXPECT(serialize.serialized_size == size);
  EXPECT(memcmp(serialize.serialized_bytes, collect.buffer, size) == 0);
  free(collect.buffer);
  PLUGIN_Profiler_ConsumeResult_Destroy_Args free_result = {
      .struct_size = PLUGIN_Profiler_ConsumeResult_Destroy_Args_STRUCT_SIZE};
  free_result.consume_result = consume.result;
  EXPECT(profiler->consume_result_destroy(&free_result) == NULL);
}

void use_profiler(void) {
  const PJRT_Profiler_Extension* extension_ =
      extension(PJRT_Extension_Type_Profiler);
  if (extension_ == NULL) return;
  const PLUGIN_Profiler_Api* profiler = extension_->profiler_api;
  PLUGIN_Profiler_Create_Args create = {
      .struct_size = PLUGIN_Profiler_Create_Args_STRUCT_SIZE};
  EXPECT(profiler->create(&create) == NULL);
  PLUGIN_Profiler_Start_Args start = {
      .struct_size = PLUGIN_Profiler_Start_Args_STRUCT_SIZE};
  start.profiler = create.profiler;
  EXPECT(profiler->start(&start) == NULL);
  expect_profiler_error(profiler, profiler->start(&start));
  PLUGIN_Profiler_Stop_Args stop = {.struct_size =
                                        PLUGIN_Profiler_Stop_Args_STRUCT_SIZE};
  stop.profiler = create.profiler;
  // Data is there once recording ended, and one session records at a time.
  PLUGIN_Profiler_CollectData_Args collect = {
      .struct_size = PLUGIN_Profiler_CollectData_Args_STRUCT_SIZE};
  collect.profiler = create.profiler;
  expect_profiler_error(profiler, profiler->collect_data(&collect));
  PLUGIN_Profiler_Create_Args create_other = create;
  EXPECT(profiler->create(&create_other) == NULL);
  PLUGIN_Profiler_Start_Args start_other = start;
  start_other.profiler = create_other.profiler;
  expect_profiler_error(profiler, profiler->start(&start_other));
  EXPECT(profiler->stop(&stop) == NULL);
  expect_profiler_error(profiler, profiler->stop(&stop));
  check_data(profiler, create.profiler, collect);
  // A session that never ran has no data.
  PLUGIN_Profiler_CollectData_Args nothing = collect;
  nothing.profiler = create_other.profiler;
  nothing.buffer_size_in_bytes = 1;
  EXPECT(profiler->collect_data(&nothing) == NULL);
  EXPECT(nothing.buffer_size_in_bytes == 0);
  PLUGIN_Profiler_Destroy_Args destroy_other = {
      .struct_size = PLUGIN_Profiler_Destroy_Args_STRUCT_SIZE};
  destroy_other.profiler = create_other.profiler;
  EXPECT(profiler->destroy(&destroy_other) == NULL);
  PLUGIN_Profiler_Destroy_Args destroy = {
      .struct_size = PLUGIN_Profiler_Destroy_Args_STRUCT_SIZE};
  destroy.profiler = create.profiler;
  EXPECT(profiler->destroy(&destroy) == NULL);
}
