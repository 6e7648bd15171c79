// Cases of program right_calls: buffers and transfer managers.
#include "tests/pjrt/c/right_calls.h"

void ask_buffer(void) {
  PJRT_Buffer* buffer = make_buffer();
#define BUFFER(name, args)   \
  ARGS(Buffer_##name, args); \
  args.buffer = buffer;      \
  CALL(Buffer_##name, args)
  BUFFER(ElementType, type);
  EXPECT(type.type == PJRT_Buffer_Type_F32);
  BUFFER(Dimensions, dims);
  EXPECT(dims.num_dims == 1 && dims.dims[0] == 4);
  BUFFER(UnpaddedDimensions, unpadded);
  EXPECT(unpadded.num_dims == 1 && unpadded.unpadded_dims[0] == 4);
  BUFFER(DynamicDimensionIndices, dynamic);
  EXPECT(dynamic.num_dynamic_dims == 0);
  BUFFER(GetMemoryLayout, layout);
  EXPECT(layout.layout.tiled.minor_to_major_size == 1);
  BUFFER(OnDeviceSizeInBytes, size);
  EXPECT(size.on_device_size_in_bytes == 16);
  BUFFER(IsOnCpu, on_cpu);
  EXPECT(on_cpu.is_on_cpu);
  BUFFER(Device, where);
  EXPECT(where.device == device);
  BUFFER(Memory, in);
  EXPECT(in.memory == memory);
  BUFFER(ReadyEvent, ready);
  finish(ready.event);
  BUFFER(IncreaseExternalReferenceCount, increase);
  BUFFER(OpaqueDeviceMemoryDataPointer, pointer);
  EXPECT(memcmp(pointer.device_memory_ptr, kData, sizeof(kData)) == 0);
  BUFFER(UnsafePointer, address);
  EXPECT(address.buffer_pointer == (uintptr_t)pointer.device_memory_ptr);
  BUFFER(DecreaseExternalReferenceCount, decrease);
  CALL_FAILS(Buffer_DecreaseExternalReferenceCount, decrease,
             PJRT_Error_Code_FAILED_PRECONDITION);
  BUFFER(Delete, delete_args);
  BUFFER(IsDeleted, deleted);
  EXPECT(deleted.is_deleted);
  CALL(Buffer_ReadyEvent, ready);
  ARGS(Event_Await, await);
  await.event = ready.event;
  CALL_FAILS(Event_Await, await, PJRT_Error_Code_INVALID_ARGUMENT);
  destroy_event(ready.event);
#undef BUFFER
  destroy_buffer(buffer);
}

void copy_buffer(void) {
  PJRT_Buffer* buffer = make_buffer();
  ARGS(Client_LookupDevice, lookup);
  lookup.client = client;
  lookup.id = 1;
  CALL(Client_LookupDevice, lookup);
  ARGS(Buffer_CopyToDevice, to_device);
  to_device.buffer = buffer;
  to_device.dst_device = lookup.device;
  CALL(Buffer_CopyToDevice, to_device);
  EXPECT(holds(to_device.dst_buffer, 1));
  destroy_buffer(to_device.dst_buffer);
  ARGS(Buffer_CopyToMemory, to_memory);
  to_memory.buffer = buffer;
  to_memory.dst_memory = other_memory;
  CALL(Buffer_CopyToMemory, to_memory);
  EXPECT(holds(to_memory.dst_buffer, 1));
  destroy_buffer(to_memory.dst_buffer);
  float two[2] = {0, 0};
  ARGS(Buffer_CopyRawToHost, raw);
  raw.buffer = buffer;
  raw.dst = two;
  raw.offset = 4;
  raw.transfer_size = 8;
  CALL(Buffer_CopyRawToHost, raw);
  finish(raw.event);
  EXPECT(two[0] == 2 && two[1] == 3);
  ARGS(Buffer_CopyRawToHostFuture, later);
  later.buffer = buffer;
  later.offset = 8;
  later.transfer_size = 8;
  CALL(Buffer_CopyRawToHostFuture, later);
  PJRT_Buffer_CopyRawToHostFuture_Callback_Args there = {
      .struct_size = PJRT_Buffer_CopyRawToHostFuture_Callback_Args_STRUCT_SIZE};
  there.callback_data = later.callback_data;
  there.dst = two;
  later.future_ready_callback(&there);
  finish(later.event);
  EXPECT(two[0] == 3 && two[1] == 4);
  later.transfer_size = 9;
  CALL_FAILS(Buffer_CopyRawToHostFuture, later,
             PJRT_Error_Code_INVALID_ARGUMENT);
  const int64_t dims[] = {2, 2};
  ARGS(Buffer_Bitcast, bitcast);
  bitcast.buffer = buffer;
  bitcast.element_type = PJRT_Buffer_Type_S32;
  bitcast.dims = dims;
  bitcast.num_dims = 2;
  CALL(Buffer_Bitcast, bitcast);
  destroy_buffer(bitcast.out_buffer);
  ARGS(Buffer_DonateWithControlDependency, donate);
  donate.buffer = buffer;
  CALL(Buffer_DonateWithControlDependency, donate);
  PJRT_Buffer_DonateWithControlDependency_Callback_Args happened = {
      .struct_size =
          PJRT_Buffer_DonateWithControlDependency_Callback_Args_STRUCT_SIZE};
  happened.callback_data = donate.callback_data;
  donate.dependency_ready_callback(&happened);
  EXPECT(holds(donate.out_buffer, 1));
  destroy_buffer(donate.out_buffer);
  destroy_buffer(buffer);
}

static int view_deleted;
static void on_view_deleted(void* data, void* user_arg) {
  EXPECT(data == user_arg);
  ++view_deleted;
}

void make_other_buffers(void) {
  ARGS(Client_CreateUninitializedBuffer, empty);
  empty.client = client;
  empty.shape_dims = kDims;
  empty.shape_num_dims = 1;
  empty.shape_element_type = PJRT_Buffer_Type_F32;
  empty.device = device;
  CALL(Client_CreateUninitializedBuffer, empty);
  destroy_buffer(empty.buffer);
  ARGS(Client_CreateErrorBuffer, error);
  error.client = client;
  error.error_code = PJRT_Error_Code_DATA_LOSS;
  error.error_message = "gone";
  error.error_message_size = 4;
  error.shape_dims = kDims;
  error.shape_num_dims = 1;
  error.shape_element_type = PJRT_Buffer_Type_F32;
  error.memory = memory;
  CALL(Client_CreateErrorBuffer, error);
  ARGS(Buffer_ReadyEvent, ready);
  ready.buffer = error.buffer;
  CALL(Buffer_ReadyEvent, ready);
  ARGS(Event_Await, await);
  await.event = ready.event;
  CALL_FAILS(Event_Await, await, PJRT_Error_Code_DATA_LOSS);
  destroy_event(ready.event);
  destroy_buffer(error.buffer);
  static _Alignas(64) float data[4] = {1, 2, 3, 4};
  ARGS(Client_CreateViewOfDeviceBuffer, view);
  view.client = client;
  view.device_buffer_ptr = data;
  view.dims = kDims;
  view.num_dims = 1;
  view.element_type = PJRT_Buffer_Type_F32;
  view.device = device;
  view.on_delete_callback = on_view_deleted;
  view.on_delete_callback_arg = data;
  CALL(Client_CreateViewOfDeviceBuffer, view);
  EXPECT(holds(view.buffer, 1));
  destroy_buffer(view.buffer);
  EXPECT(view_deleted == 1);
  ARGS(Client_CreateAliasBuffer, alias);
  alias.client = client;
  alias.memory = memory;
  alias.shape_dims = kDims;
  alias.shape_num_dims = 1;
  alias.shape_element_type = PJRT_Buffer_Type_F32;
  CALL(Client_CreateAliasBuffer, alias);
  PJRT_Buffer* real = make_buffer();
  ARGS(Client_FulfillAliasBuffer, fulfill);
  fulfill.client = client;
  fulfill.buffer = real;
  fulfill.fulfill_alias_buffer_cb = alias.fulfill_alias_buffer_cb;
  CALL(Client_FulfillAliasBuffer, fulfill);
  EXPECT(holds(alias.alias_buffer, 1));
  destroy_buffer(real);
  destroy_buffer(alias.alias_buffer);
}

void use_transfer_manager(void) {
  PJRT_ShapeSpec specs[3];
  memset(specs, 0, sizeof(specs));
  for (int i = 0; i < 3; ++i) {
    specs[i].struct_size = PJRT_ShapeSpec_STRUCT_SIZE;
    specs[i].dims = kDims;
    specs[i].num_dims = 1;
    specs[i].element_type = PJRT_Buffer_Type_F32;
  }
  ARGS(Client_CreateBuffersForAsyncHostToDevice, create);
  create.client = client;
  create.shape_specs = specs;
  create.num_shape_specs = 3;
  create.memory = memory;
  CALL(Client_CreateBuffersForAsyncHostToDevice, create);
#define MANAGER(name, args)                            \
  ARGS(AsyncHostToDeviceTransferManager_##name, args); \
  args.transfer_manager = create.transfer_manager
#define MANAGER_CALL(name, args) \
  CALL(AsyncHostToDeviceTransferManager_##name, args)
  MANAGER(BufferCount, count);
  MANAGER_CALL(BufferCount, count);
  EXPECT(count.buffer_count == 3);
  MANAGER(BufferSize, size);
  MANAGER_CALL(BufferSize, size);
  EXPECT(size.buffer_size == 16);
  size.buffer_index = 3;
  CALL_FAILS(AsyncHostToDeviceTransferManager_BufferSize, size,
             PJRT_Error_Code_INVALID_ARGUMENT);
  MANAGER(Device, where);
  MANAGER_CALL(Device, where);
  EXPECT(where.device_out == device);
  MANAGER(AddMetadata, metadata);
  MANAGER_CALL(AddMetadata, metadata);
  MANAGER(RetrieveBuffer, retrieve);
  MANAGER_CALL(RetrieveBuffer, retrieve);
  MANAGER(TransferData, transfer);
  transfer.data = kData;
  transfer.transfer_size = 8;
  MANAGER_CALL(TransferData, transfer);
  finish(transfer.done_with_h2d_transfer);
  transfer.data = kData + 2;
  transfer.offset = 8;
  transfer.is_last_transfer = true;
  MANAGER_CALL(TransferData, transfer);
  finish(transfer.done_with_h2d_transfer);
  EXPECT(holds(retrieve.buffer_out, 1));
  destroy_buffer(retrieve.buffer_out);
  MANAGER(TransferLiteral, literal);
  literal.buffer_index = 1;
  literal.data = kData;
  literal.shape_dims = kDims;
  literal.shape_num_dims = 1;
  literal.shape_element_type = PJRT_Buffer_Type_F32;
  MANAGER_CALL(TransferLiteral, literal);
  finish(literal.done_with_h2d_transfer);
  MANAGER(SetBufferError, error);
  error.buffer_index = 2;
  error.error_code = PJRT_Error_Code_CANCELLED;
  MANAGER_CALL(SetBufferError, error);
  MANAGER(Destroy, destroy);
  MANAGER_CALL(Destroy, destroy);
#undef MANAGER
#undef MANAGER_CALL
}
