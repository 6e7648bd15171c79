// Shared by the files of the program right_calls: the client, an array, and the
// cases.
#ifndef TESTS_PJRT_C_RIGHT_CALLS_H_
#define TESTS_PJRT_C_RIGHT_CALLS_H_

#include <stdint.h>

#include "tests/pjrt/c/c_api_calls.h"

extern PJRT_Client* client;
extern PJRT_Device* device;
extern PJRT_Memory* memory;
extern PJRT_Memory* other_memory;

extern const int64_t kDims[1];
extern const float kData[4];

// Frees an event.
void destroy_event(PJRT_Event* event);
// Waits for an event, which must succeed, and frees it.
void finish(PJRT_Event* event);
void destroy_buffer(PJRT_Buffer* buffer);
// Makes a buffer f32[4] with kData on the first device.
PJRT_Buffer* make_buffer(void);
// True if the buffer holds kData times `factor`.
int holds(PJRT_Buffer* buffer, float factor);

// The cases, in the order in which they run.
void create_client(void);
void ask_client(void);
void use_older_structs(void);
void find_devices(void);
void ask_device(void);
void ask_memory(void);
void use_events(void);
void ask_buffer(void);
void copy_buffer(void);
void make_other_buffers(void);
void use_transfer_manager(void);
void use_executables(void);
void use_topology(void);
void use_callbacks(void);
void use_layouts(void);
void use_transfers(void);
void use_memory_descriptions(void);
void use_ffi(void);
void use_compilation_cache(void);
void use_interrupts(void);
void use_custom_partitioner(void);
void use_profiler(void);

// A part of the case for executables.
void ask_executable_extensions(PJRT_Executable* executable);

#endif  // TESTS_PJRT_C_RIGHT_CALLS_H_
