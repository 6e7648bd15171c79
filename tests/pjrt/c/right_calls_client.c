// Cases of program right_calls: plugin, client, devices, memories, events.
#include "tests/pjrt/c/right_calls.h"

void create_client(void) {
  ARGS(Plugin_Initialize, initialize);
  CALL(Plugin_Initialize, initialize);
  ARGS(Plugin_Attributes, attributes);
  CALL(Plugin_Attributes, attributes);
  EXPECT(attributes.num_attributes == 3);
  ARGS(Client_Create, create);
  PJRT_NamedValue option = {.struct_size = PJRT_NamedValue_STRUCT_SIZE};
  option.name = "num_devices";
  option.name_size = 11;
  option.type = PJRT_NamedValue_kInt64;
  option.int64_value = 2;
  option.value_size = 1;
  create.create_options = &option;
  create.num_options = 1;
  CALL(Client_Create, create);
  client = create.client;
  option.name_size = 3;
  CALL_FAILS(Client_Create, create, PJRT_Error_Code_INVALID_ARGUMENT);
}

void ask_client(void) {
  ARGS(Client_PlatformName, name);
  name.client = client;
  CALL(Client_PlatformName, name);
  EXPECT(name.platform_name_size == 7);
  EXPECT(memcmp(name.platform_name, "tessera", 7) == 0);
  ARGS(Client_PlatformVersion, version);
  version.client = client;
  CALL(Client_PlatformVersion, version);
  EXPECT(version.platform_version_size > 0);
  ARGS(Client_ProcessIndex, process);
  process.client = client;
  process.process_index = -1;
  CALL(Client_ProcessIndex, process);
  EXPECT(process.process_index == 0);
  ARGS(Client_UpdateGlobalProcessInfo, processes);
  processes.client = client;
  CALL(Client_UpdateGlobalProcessInfo, processes);
  int assignment[2] = {-1, -1};
  ARGS(Client_DefaultDeviceAssignment, assign);
  assign.client = client;
  assign.num_replicas = 2;
  assign.num_partitions = 1;
  assign.default_assignment = assignment;
  assign.default_assignment_size = 2;
  CALL(Client_DefaultDeviceAssignment, assign);
  EXPECT(assignment[0] == 0 && assignment[1] == 1);
  assign.default_assignment_size = 1;
  CALL_FAILS(Client_DefaultDeviceAssignment, assign,
             PJRT_Error_Code_INVALID_ARGUMENT);
  static char pinned[4096];
  ARGS(Client_DmaMap, map);
  map.client = client;
  map.data = pinned;
  map.size = sizeof(pinned);
  CALL(Client_DmaMap, map);
  ARGS(Client_DmaUnmap, unmap);
  unmap.client = client;
  unmap.data = pinned;
  CALL(Client_DmaUnmap, unmap);
}

// Tests structs of callers that were compiled before the last members were
// added.
void use_older_structs(void) {
  ARGS(Client_Create, create);
  create.struct_size = PJRT_STRUCT_SIZE(PJRT_Client_Create_Args, client);
  CALL(Client_Create, create);
  ARGS(Client_Devices, devices);
  devices.client = create.client;
  CALL(Client_Devices, devices);
  ARGS(Device_MemoryStats, stats);
  stats.device = devices.devices[0];
  stats.struct_size =
      PJRT_STRUCT_SIZE(PJRT_Device_MemoryStats_Args, peak_pool_bytes_is_set);
  stats.peak_allocated_bytes_is_set = true;
  CALL(Device_MemoryStats, stats);
  EXPECT(stats.peak_allocated_bytes_is_set);
  ARGS(Client_Destroy, destroy);
  destroy.client = create.client;
  CALL(Client_Destroy, destroy);
}

void find_devices(void) {
  ARGS(Client_Devices, all);
  all.client = client;
  CALL(Client_Devices, all);
  EXPECT(all.num_devices == 2);
  ARGS(Client_AddressableDevices, ours);
  ours.client = client;
  CALL(Client_AddressableDevices, ours);
  EXPECT(ours.num_addressable_devices == 2);
  device = ours.addressable_devices[0];
  ARGS(Client_LookupDevice, lookup);
  lookup.client = client;
  lookup.id = 1;
  CALL(Client_LookupDevice, lookup);
  EXPECT(lookup.device == all.devices[1]);
  lookup.id = 99;
  CALL_FAILS(Client_LookupDevice, lookup, PJRT_Error_Code_INVALID_ARGUMENT);
  ARGS(Client_LookupAddressableDevice, local);
  local.client = client;
  CALL(Client_LookupAddressableDevice, local);
  EXPECT(local.addressable_device == device);
  ARGS(Client_AddressableMemories, memories);
  memories.client = client;
  CALL(Client_AddressableMemories, memories);
  EXPECT(memories.num_addressable_memories == 6);
}

void ask_device(void) {
  ARGS(Device_GetDescription, description);
  description.device = device;
  CALL(Device_GetDescription, description);
#define DESCRIPTION(name, args)                             \
  ARGS(DeviceDescription_##name, args);                     \
  args.device_description = description.device_description; \
  CALL(DeviceDescription_##name, args)
  DESCRIPTION(Id, id);
  EXPECT(id.id == 0);
  DESCRIPTION(ProcessIndex, process);
  EXPECT(process.process_index == 0);
  DESCRIPTION(Attributes, attributes);
  DESCRIPTION(Kind, kind);
  EXPECT(kind.device_kind_size > 0);
  DESCRIPTION(DebugString, debug);
  EXPECT(debug.debug_string_size > 0);
  DESCRIPTION(ToString, text);
  EXPECT(text.to_string_size > 0);
#undef DESCRIPTION
  ARGS(Device_IsAddressable, addressable);
  addressable.device = device;
  CALL(Device_IsAddressable, addressable);
  EXPECT(addressable.is_addressable);
  ARGS(Device_LocalHardwareId, hardware);
  hardware.device = device;
  CALL(Device_LocalHardwareId, hardware);
  ARGS(Device_MemoryStats, stats);
  stats.device = device;
  CALL(Device_MemoryStats, stats);
  ARGS(Device_ClearMemoryStats, clear);
  clear.device = device;
  CALL_FAILS(Device_ClearMemoryStats, clear, PJRT_Error_Code_UNIMPLEMENTED);
  ARGS(Device_PoisonExecution, poison);
  poison.device = device;
  poison.error_code = PJRT_Error_Code_ABORTED;
  poison.error_message = "lost";
  poison.error_message_size = 4;
  poison.poisoned = true;
  CALL(Device_PoisonExecution, poison);
  EXPECT(!poison.poisoned);  // there is no such launch
  poison.error_code = 0;     // no error
  CALL_FAILS(Device_PoisonExecution, poison, PJRT_Error_Code_INVALID_ARGUMENT);
  ARGS(Device_GetAttributes, own);
  own.device = device;
  CALL(Device_GetAttributes, own);
  own.attributes_deleter(own.device_attributes);
  ARGS(Device_CreateAsyncTrackingEvent, track);
  track.device = device;
  track.description = "work";
  track.description_size = 4;
  CALL(Device_CreateAsyncTrackingEvent, track);
  ARGS(AsyncTrackingEvent_Destroy, untrack);
  untrack.event = track.event;
  CALL(AsyncTrackingEvent_Destroy, untrack);
}

static int user_data_freed;
static void free_user_data(void* data) { user_data_freed = *(int*)data; }

void ask_memory(void) {
  ARGS(Device_AddressableMemories, memories);
  memories.device = device;
  CALL(Device_AddressableMemories, memories);
  EXPECT(memories.num_memories == 3);
  other_memory = memories.memories[1];
  ARGS(Device_DefaultMemory, standard);
  standard.device = device;
  CALL(Device_DefaultMemory, standard);
  memory = standard.memory;
#define MEMORY(name, args)   \
  ARGS(Memory_##name, args); \
  args.memory = memory;      \
  CALL(Memory_##name, args)
  MEMORY(Id, id);
  MEMORY(Kind, kind);
  EXPECT(kind.kind_size == 6 && memcmp(kind.kind, "device", 6) == 0);
  MEMORY(Kind_Id, kind_id);
  MEMORY(DebugString, debug);
  EXPECT(debug.debug_string_size > 0);
  MEMORY(ToString, text);
  EXPECT(text.to_string_size > 0);
  MEMORY(AddressableByDevices, devices);
  EXPECT(devices.num_devices == 1 && devices.devices[0] == device);
#undef MEMORY
  static int seven = 7;
  EXPECT(memory->vtable->get_user_data(memory, &seven) == NULL);
  memory->vtable->set_user_data(memory, &seven, &seven, free_user_data);
  EXPECT(memory->vtable->get_user_data(memory, &seven) == &seven);
  memory->vtable->set_user_data(memory, &seven, NULL, NULL);
  EXPECT(user_data_freed == 7);
}

static int ready_calls;
static void on_ready(PJRT_Error* error, void* user_arg) {
  ready_calls += *(int*)user_arg;
  EXPECT(take_error(error, 0) == PJRT_Error_Code_ABORTED);
}
static int given_up;
static void on_given_up(PJRT_Error* error, void* user_arg) {
  (void)user_arg;
  given_up += take_error(error, 0) == PJRT_Error_Code_CANCELLED;
}
static int payloads;
static void count_payload(const char* key, size_t key_size, const char* value,
                          size_t value_size, void* user_arg) {
  (void)key, (void)key_size, (void)value, (void)value_size, (void)user_arg;
  ++payloads;
}

void use_events(void) {
  ARGS(Event_Create, create);
  CALL(Event_Create, create);
  ARGS(Event_IsReady, ready);
  ready.event = create.event;
  CALL(Event_IsReady, ready);
  EXPECT(!ready.is_ready);
  ARGS(Event_Error, error);
  error.event = create.event;
  CALL_FAILS(Event_Error, error, PJRT_Error_Code_FAILED_PRECONDITION);
  int one = 1;
  ARGS(Event_OnReady, listen);
  listen.event = create.event;
  listen.callback = on_ready;
  listen.user_arg = &one;
  CALL(Event_OnReady, listen);
  ARGS(Event_Set, set);
  set.event = create.event;
  set.error_code = PJRT_Error_Code_ABORTED;
  set.error_message = "enough";
  set.error_message_size = 6;
  CALL(Event_Set, set);
  EXPECT(ready_calls == 1);
  CALL(Event_OnReady, listen);
  EXPECT(ready_calls == 2);
  CALL_FAILS(Event_Set, set, PJRT_Error_Code_FAILED_PRECONDITION);
  ARGS(Event_Await, await);
  await.event = create.event;
  CALL_FAILS(Event_Await, await, PJRT_Error_Code_ABORTED);
  PJRT_Error* made = api->PJRT_Event_Error(&error);
  EXPECT(made != NULL && made->vtable != NULL);
  EXPECT(made->vtable->get_code(made) == PJRT_Error_Code_ABORTED);
  ARGS(Error_ForEachPayload, each);
  each.error = made;
  each.visitor = count_payload;
  CALL(Error_ForEachPayload, each);
  EXPECT(payloads == 0);
  ARGS(Error_GetCode, code);
  code.error = made;
  CALL(Error_GetCode, code);
  made->vtable->destroy(made);
  destroy_event(create.event);
  // Those that wait for an event which is never set are notified of its end.
  ARGS(Event_Create, forgotten);
  CALL(Event_Create, forgotten);
  listen.event = forgotten.event;
  listen.callback = on_given_up;
  CALL(Event_OnReady, listen);
  EXPECT(given_up == 0);
  destroy_event(forgotten.event);
  EXPECT(given_up == 1);
}
