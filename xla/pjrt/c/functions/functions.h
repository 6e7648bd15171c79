// The functions of the C API, each of which takes its struct of arguments.
// error.h adapts them to the table in api.cc, which gives the least size of
// each struct. pjrt_c_api.h documents them.
#ifndef XLA_PJRT_C_FUNCTIONS_H_
#define XLA_PJRT_C_FUNCTIONS_H_

#include "absl/status/status.h"
#include "xla/pjrt/c/pjrt_c_api.h"

namespace xla::pjrt {

// plugin.cc
absl::Status PluginInitialize(PJRT_Plugin_Initialize_Args& args);
absl::Status PluginAttributes(PJRT_Plugin_Attributes_Args& args);

// event.cc
absl::Status EventDestroy(PJRT_Event_Destroy_Args& args);
absl::Status EventIsReady(PJRT_Event_IsReady_Args& args);
absl::Status EventError(PJRT_Event_Error_Args& args);
absl::Status EventAwait(PJRT_Event_Await_Args& args);
absl::Status EventOnReady(PJRT_Event_OnReady_Args& args);
absl::Status EventCreate(PJRT_Event_Create_Args& args);
absl::Status EventSet(PJRT_Event_Set_Args& args);

// client.cc and make_buffer.cc
absl::Status ClientCreate(PJRT_Client_Create_Args& args);
absl::Status ClientDestroy(PJRT_Client_Destroy_Args& args);
absl::Status ClientPlatformName(PJRT_Client_PlatformName_Args& args);
absl::Status ClientProcessIndex(PJRT_Client_ProcessIndex_Args& args);
absl::Status ClientPlatformVersion(PJRT_Client_PlatformVersion_Args& args);
absl::Status ClientDevices(PJRT_Client_Devices_Args& args);
absl::Status ClientAddressableDevices(
    PJRT_Client_AddressableDevices_Args& args);
absl::Status ClientLookupDevice(PJRT_Client_LookupDevice_Args& args);
absl::Status ClientLookupAddressableDevice(
    PJRT_Client_LookupAddressableDevice_Args& args);
absl::Status ClientAddressableMemories(
    PJRT_Client_AddressableMemories_Args& args);
absl::Status ClientCompile(PJRT_Client_Compile_Args& args);
absl::Status ClientDefaultDeviceAssignment(
    PJRT_Client_DefaultDeviceAssignment_Args& args);
absl::Status ClientBufferFromHostBuffer(
    PJRT_Client_BufferFromHostBuffer_Args& args);
absl::Status ClientCreateViewOfDeviceBuffer(
    PJRT_Client_CreateViewOfDeviceBuffer_Args& args);
absl::Status ClientTopologyDescription(
    PJRT_Client_TopologyDescription_Args& args);
absl::Status ClientCreateBuffersForAsyncHostToDevice(
    PJRT_Client_CreateBuffersForAsyncHostToDevice_Args& args);
absl::Status ClientDmaMap(PJRT_Client_DmaMap_Args& args);
absl::Status ClientDmaUnmap(PJRT_Client_DmaUnmap_Args& args);
absl::Status ClientCreateUninitializedBuffer(
    PJRT_Client_CreateUninitializedBuffer_Args& args);
absl::Status ClientUpdateGlobalProcessInfo(
    PJRT_Client_UpdateGlobalProcessInfo_Args& args);
absl::Status ClientCreateAliasBuffer(PJRT_Client_CreateAliasBuffer_Args& args);
absl::Status ClientFulfillAliasBuffer(
    PJRT_Client_FulfillAliasBuffer_Args& args);
absl::Status ClientCreateErrorBuffer(PJRT_Client_CreateErrorBuffer_Args& args);
absl::Status ClientLoad(PJRT_Client_Load_Args& args);

// device.cc
absl::Status DeviceDescriptionId(PJRT_DeviceDescription_Id_Args& args);
absl::Status DeviceDescriptionProcessIndex(
    PJRT_DeviceDescription_ProcessIndex_Args& args);
absl::Status DeviceDescriptionAttributes(
    PJRT_DeviceDescription_Attributes_Args& args);
absl::Status DeviceDescriptionKind(PJRT_DeviceDescription_Kind_Args& args);
absl::Status DeviceDescriptionDebugString(
    PJRT_DeviceDescription_DebugString_Args& args);
absl::Status DeviceDescriptionToString(
    PJRT_DeviceDescription_ToString_Args& args);
absl::Status DeviceGetDescription(PJRT_Device_GetDescription_Args& args);
absl::Status DeviceIsAddressable(PJRT_Device_IsAddressable_Args& args);
absl::Status DeviceLocalHardwareId(PJRT_Device_LocalHardwareId_Args& args);
absl::Status DeviceAddressableMemories(
    PJRT_Device_AddressableMemories_Args& args);
absl::Status DeviceDefaultMemory(PJRT_Device_DefaultMemory_Args& args);
absl::Status DeviceMemoryStats(PJRT_Device_MemoryStats_Args& args);
absl::Status DevicePoisonExecution(PJRT_Device_PoisonExecution_Args& args);
absl::Status DeviceCreateAsyncTrackingEvent(
    PJRT_Device_CreateAsyncTrackingEvent_Args& args);
absl::Status AsyncTrackingEventDestroy(
    PJRT_AsyncTrackingEvent_Destroy_Args& args);
absl::Status DeviceGetAttributes(PJRT_Device_GetAttributes_Args& args);
absl::Status DeviceClearMemoryStats(PJRT_Device_ClearMemoryStats_Args& args);

// memory.cc
absl::Status MemoryId(PJRT_Memory_Id_Args& args);
absl::Status MemoryKind(PJRT_Memory_Kind_Args& args);
absl::Status MemoryDebugString(PJRT_Memory_DebugString_Args& args);
absl::Status MemoryToString(PJRT_Memory_ToString_Args& args);
absl::Status MemoryAddressableByDevices(
    PJRT_Memory_AddressableByDevices_Args& args);
absl::Status MemoryKindId(PJRT_Memory_Kind_Id_Args& args);

// executable.cc
absl::Status ExecutableDestroy(PJRT_Executable_Destroy_Args& args);
absl::Status ExecutableName(PJRT_Executable_Name_Args& args);
absl::Status ExecutableNumReplicas(PJRT_Executable_NumReplicas_Args& args);
absl::Status ExecutableNumPartitions(PJRT_Executable_NumPartitions_Args& args);
absl::Status ExecutableNumOutputs(PJRT_Executable_NumOutputs_Args& args);
absl::Status ExecutableSizeOfGeneratedCodeInBytes(
    PJRT_Executable_SizeOfGeneratedCodeInBytes_Args& args);
absl::Status ExecutableGetCostAnalysis(
    PJRT_Executable_GetCostAnalysis_Args& args);
absl::Status ExecutableOutputMemoryKinds(
    PJRT_Executable_OutputMemoryKinds_Args& args);
absl::Status ExecutableOptimizedProgram(
    PJRT_Executable_OptimizedProgram_Args& args);
absl::Status ExecutableSerialize(PJRT_Executable_Serialize_Args& args);
absl::Status ExecutableDeserializeAndLoad(
    PJRT_Executable_DeserializeAndLoad_Args& args);
absl::Status ExecutableOutputElementTypes(
    PJRT_Executable_OutputElementTypes_Args& args);
absl::Status ExecutableOutputDimensions(
    PJRT_Executable_OutputDimensions_Args& args);
absl::Status ExecutableFingerprint(PJRT_Executable_Fingerprint_Args& args);
absl::Status ExecutableGetCompiledMemoryStats(
    PJRT_Executable_GetCompiledMemoryStats_Args& args);
absl::Status ExecutableGetCompileOptions(
    PJRT_Executable_GetCompileOptions_Args& args);
absl::Status ExecutableParameterMemoryKinds(
    PJRT_Executable_ParameterMemoryKinds_Args& args);

// loaded_executable.cc and execute.cc
absl::Status LoadedExecutableDestroy(PJRT_LoadedExecutable_Destroy_Args& args);
absl::Status LoadedExecutableGetExecutable(
    PJRT_LoadedExecutable_GetExecutable_Args& args);
absl::Status LoadedExecutableAddressableDevices(
    PJRT_LoadedExecutable_AddressableDevices_Args& args);
absl::Status LoadedExecutableDelete(PJRT_LoadedExecutable_Delete_Args& args);
absl::Status LoadedExecutableIsDeleted(
    PJRT_LoadedExecutable_IsDeleted_Args& args);
absl::Status LoadedExecutableExecute(PJRT_LoadedExecutable_Execute_Args& args);
absl::Status LoadedExecutableFingerprint(
    PJRT_LoadedExecutable_Fingerprint_Args& args);
absl::Status LoadedExecutableGetDeviceAssignment(
    PJRT_LoadedExecutable_GetDeviceAssignment_Args& args);
absl::Status LoadedExecutableAddressableDeviceLogicalIds(
    PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args& args);

// buffer.cc and copy_buffer.cc
absl::Status BufferDestroy(PJRT_Buffer_Destroy_Args& args);
absl::Status BufferElementType(PJRT_Buffer_ElementType_Args& args);
absl::Status BufferDimensions(PJRT_Buffer_Dimensions_Args& args);
absl::Status BufferUnpaddedDimensions(
    PJRT_Buffer_UnpaddedDimensions_Args& args);
absl::Status BufferDynamicDimensionIndices(
    PJRT_Buffer_DynamicDimensionIndices_Args& args);
absl::Status BufferGetMemoryLayout(PJRT_Buffer_GetMemoryLayout_Args& args);
absl::Status BufferOnDeviceSizeInBytes(
    PJRT_Buffer_OnDeviceSizeInBytes_Args& args);
absl::Status BufferDevice(PJRT_Buffer_Device_Args& args);
absl::Status BufferMemory(PJRT_Buffer_Memory_Args& args);
absl::Status BufferDelete(PJRT_Buffer_Delete_Args& args);
absl::Status BufferIsDeleted(PJRT_Buffer_IsDeleted_Args& args);
absl::Status BufferCopyToDevice(PJRT_Buffer_CopyToDevice_Args& args);
absl::Status BufferToHostBuffer(PJRT_Buffer_ToHostBuffer_Args& args);
absl::Status BufferIsOnCpu(PJRT_Buffer_IsOnCpu_Args& args);
absl::Status BufferReadyEvent(PJRT_Buffer_ReadyEvent_Args& args);
absl::Status BufferUnsafePointer(PJRT_Buffer_UnsafePointer_Args& args);
absl::Status BufferIncreaseExternalReferenceCount(
    PJRT_Buffer_IncreaseExternalReferenceCount_Args& args);
absl::Status BufferDecreaseExternalReferenceCount(
    PJRT_Buffer_DecreaseExternalReferenceCount_Args& args);
absl::Status BufferOpaqueDeviceMemoryDataPointer(
    PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args& args);
absl::Status BufferCopyToMemory(PJRT_Buffer_CopyToMemory_Args& args);
absl::Status BufferCopyRawToHost(PJRT_Buffer_CopyRawToHost_Args& args);
absl::Status BufferCopyRawToHostFuture(
    PJRT_Buffer_CopyRawToHostFuture_Args& args);
absl::Status BufferDonateWithControlDependency(
    PJRT_Buffer_DonateWithControlDependency_Args& args);
absl::Status BufferBitcast(PJRT_Buffer_Bitcast_Args& args);

// context.cc
absl::Status CopyToDeviceStreamDestroy(
    PJRT_CopyToDeviceStream_Destroy_Args& args);
absl::Status CopyToDeviceStreamAddChunk(
    PJRT_CopyToDeviceStream_AddChunk_Args& args);
absl::Status CopyToDeviceStreamTotalBytes(
    PJRT_CopyToDeviceStream_TotalBytes_Args& args);
absl::Status CopyToDeviceStreamGranuleSize(
    PJRT_CopyToDeviceStream_GranuleSize_Args& args);
absl::Status CopyToDeviceStreamCurrentBytes(
    PJRT_CopyToDeviceStream_CurrentBytes_Args& args);
absl::Status ExecuteContextCreate(PJRT_ExecuteContext_Create_Args& args);
absl::Status ExecuteContextDestroy(PJRT_ExecuteContext_Destroy_Args& args);

// topology.cc
absl::Status TopologyDescriptionCreate(
    PJRT_TopologyDescription_Create_Args& args);
absl::Status TopologyDescriptionDestroy(
    PJRT_TopologyDescription_Destroy_Args& args);
absl::Status TopologyDescriptionPlatformName(
    PJRT_TopologyDescription_PlatformName_Args& args);
absl::Status TopologyDescriptionPlatformVersion(
    PJRT_TopologyDescription_PlatformVersion_Args& args);
absl::Status TopologyDescriptionGetDeviceDescriptions(
    PJRT_TopologyDescription_GetDeviceDescriptions_Args& args);
absl::Status TopologyDescriptionSerialize(
    PJRT_TopologyDescription_Serialize_Args& args);
absl::Status TopologyDescriptionAttributes(
    PJRT_TopologyDescription_Attributes_Args& args);
absl::Status Compile(PJRT_Compile_Args& args);
absl::Status TopologyDescriptionDeserialize(
    PJRT_TopologyDescription_Deserialize_Args& args);
absl::Status TopologyDescriptionFingerprint(
    PJRT_TopologyDescription_Fingerprint_Args& args);
absl::Status TopologyDescriptionMakeCanonicalShapeForMemorySpace(
    PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args& args);
absl::Status TopologyDescriptionGetMemorySpaceKindIds(
    PJRT_TopologyDescription_GetMemorySpaceKindIds_Args& args);

// transfer_manager.cc
absl::Status AsyncHostToDeviceTransferManagerDestroy(
    PJRT_AsyncHostToDeviceTransferManager_Destroy_Args& args);
absl::Status AsyncHostToDeviceTransferManagerTransferData(
    PJRT_AsyncHostToDeviceTransferManager_TransferData_Args& args);
absl::Status AsyncHostToDeviceTransferManagerRetrieveBuffer(
    PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args& args);
absl::Status AsyncHostToDeviceTransferManagerDevice(
    PJRT_AsyncHostToDeviceTransferManager_Device_Args& args);
absl::Status AsyncHostToDeviceTransferManagerBufferCount(
    PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args& args);
absl::Status AsyncHostToDeviceTransferManagerBufferSize(
    PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args& args);
absl::Status AsyncHostToDeviceTransferManagerSetBufferError(
    PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args& args);
absl::Status AsyncHostToDeviceTransferManagerAddMetadata(
    PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args& args);
absl::Status AsyncHostToDeviceTransferManagerTransferLiteral(
    PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args& args);

}  // namespace xla::pjrt

#endif  // XLA_PJRT_C_FUNCTIONS_FUNCTIONS_H_
