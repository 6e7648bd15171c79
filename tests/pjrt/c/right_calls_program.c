// Calls every function of the table correctly, checks the results, and lists
// functions that no call reached. Compiles, runs and serializes a program with
// one addition, and runs it again.
#include "tests/pjrt/c/api_functions.h"
#include "tests/pjrt/c/right_calls.h"

PJRT_Client* client;
PJRT_Device* device;
PJRT_Memory* memory;
PJRT_Memory* other_memory;

const int64_t kDims[] = {4};
const float kData[] = {1, 2, 3, 4};

void destroy_event(PJRT_Event* event) {
  ARGS(Event_Destroy, args);
  args.event = event;
  CALL(Event_Destroy, args);
}

void finish(PJRT_Event* event) {
  EXPECT(event != NULL);
  if (event == NULL) return;
  ARGS(Event_Await, args);
  args.event = event;
  CALL(Event_Await, args);
  destroy_event(event);
}

void destroy_buffer(PJRT_Buffer* buffer) {
  ARGS(Buffer_Destroy, args);
  args.buffer = buffer;
  CALL(Buffer_Destroy, args);
}

PJRT_Buffer* make_buffer(void) {
  ARGS(Client_BufferFromHostBuffer, args);
  args.client = client;
  args.data = kData;
  args.type = PJRT_Buffer_Type_F32;
  args.dims = kDims;
  args.num_dims = 1;
  args.device = device;
  CALL(Client_BufferFromHostBuffer, args);
  finish(args.done_with_host_buffer);
  return args.buffer;
}

int holds(PJRT_Buffer* buffer, float factor) {
  float got[4] = {0};
  ARGS(Buffer_ToHostBuffer, args);
  args.src = buffer;
  CALL(Buffer_ToHostBuffer, args);
  EXPECT(args.dst_size == sizeof(got));
  args.dst = got;
  CALL(Buffer_ToHostBuffer, args);
  finish(args.event);
  for (int i = 0; i < 4; ++i) {
    if (got[i] != kData[i] * factor) return 0;
  }
  return 1;
}

static void check_every_function_was_called(void) {
#define CHECK_CALLED(name)                  \
  if (!called[PJRT_SLOT(name)]) {           \
    printf("%s was never called\n", #name); \
    ++failures;                             \
  }
  PJRT_FUNCTIONS(CHECK_CALLED)
#undef CHECK_CALLED
}

int main(int argc, char** argv) {
  if (argc != 2 || (api = load(argv[1])) == NULL) return 1;
  create_client();
  if (client == NULL) return end_case("client") != 0;
  ask_client();
  use_older_structs();
  find_devices();
  end_case("client");
  ask_device();
  ask_memory();
  end_case("device");
  use_events();
  end_case("events");
  ask_buffer();
  copy_buffer();
  make_other_buffers();
  end_case("buffers");
  use_transfer_manager();
  end_case("transfer_manager");
  use_executables();
  end_case("executables");
  use_topology();
  end_case("topology");
  use_callbacks();
  end_case("callbacks");
  use_layouts();
  use_transfers();
  use_memory_descriptions();
  use_ffi();
  use_compilation_cache();
  use_interrupts();
  use_custom_partitioner();
  use_profiler();
  end_case("extensions");
  ARGS(Client_Destroy, destroy);
  destroy.client = client;
  CALL(Client_Destroy, destroy);
  check_every_function_was_called();
  return end_case("every_function") != 0;
}
