// The Layouts extension, on top of PjRtLayout.
#include <memory>
#include <string>
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/convert/array_types.h"
#include "xla/pjrt/c/error.h"
#include "xla/pjrt/c/extensions/extensions.h"
#include "xla/pjrt/c/functions/executable_details.h"
#include "xla/pjrt/c/pjrt_c_api_layouts_extension.h"

// Owns the result of Serialize.
struct PJRT_Layouts_SerializedLayout {
  std::string bytes;
};

namespace xla::pjrt {
namespace {

absl::Status Destroy(PJRT_Layouts_MemoryLayout_Destroy_Args& args) {
  if (args.layout == nullptr) return absl::OkStatus();
  TF_RETURN_IF_ERROR(CheckHandle(args.layout, "layout"));
  if (args.layout->owned_by_executable) {
    return ArgumentError("layout belongs to its executable");
  }
  delete args.layout;
  return absl::OkStatus();
}

absl::Status Serialize(PJRT_Layouts_MemoryLayout_Serialize_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.layout, "layout"));
  auto* holder =
      new PJRT_Layouts_SerializedLayout{args.layout->layout->Serialize()};
  args.serialized_bytes = holder->bytes.data();
  args.serialized_bytes_size = holder->bytes.size();
  args.serialized_layout = holder;
  args.serialized_layout_deleter = [](PJRT_Layouts_SerializedLayout* h) {
    delete h;
  };
  return absl::OkStatus();
}

// The default layout of arrays of `source`, a client or topology.
template <typename Source, typename Args>
absl::Status DefaultLayout(const Source& source, Args& args) {
  // ReadShape checks the dimensions.
  TF_ASSIGN_OR_RETURN(const Shape shape,
                      ReadShape(args.type, args.dims, args.num_dims, nullptr));
  if (!shape.IsArray()) return ArgumentError("a token has no layout");
  TF_ASSIGN_OR_RETURN(
      Layout layout,
      source.GetDefaultLayout(shape.element_type(), shape.dimensions()));
  args.layout = new PJRT_Layouts_MemoryLayout(
      std::make_shared<const PjRtLayout>(std::move(layout)));
  return absl::OkStatus();
}

absl::Status ClientDefault(
    PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  return DefaultLayout(*args.client->client, args);
}

absl::Status TopologyDefault(
    PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args& args) {
  TF_RETURN_IF_ERROR(
      CheckHandle(args.topology_description, "topology_description"));
  return DefaultLayout(*args.topology_description->topology, args);
}

absl::Status OfBuffer(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.buffer, "buffer"));
  if (args.buffer->buffer->IsToken()) {
    return ArgumentError("buffer is a token, which has no layout");
  }
  args.layout = new PJRT_Layouts_MemoryLayout(args.buffer->buffer->layout());
  return absl::OkStatus();
}

absl::Status OfOutputs(
    PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_ASSIGN_OR_RETURN(const ExecutableDetails* details,
                      DetailsOf(args.executable));
  args.num_outputs = details->output_layouts.size();
  args.layouts =
      const_cast<PJRT_Layouts_MemoryLayout**>(details->output_layouts.data());
  return absl::OkStatus();
}

absl::Status OfParameters(
    PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_ASSIGN_OR_RETURN(const ExecutableDetails* details,
                      DetailsOf(args.executable));
  args.num_parameters = details->parameter_layouts.size();
  args.layouts = const_cast<PJRT_Layouts_MemoryLayout**>(
      details->parameter_layouts.data());
  return absl::OkStatus();
}

// The members have the names of types, so they are set one by one.
#define TESSERA_ENTRY(name, function) \
  extension.name = Function<#name, name##_Args_STRUCT_SIZE, function>::Call

}  // namespace

PJRT_Extension_Base* LayoutsExtension(PJRT_Extension_Base* next) {
  static PJRT_Layouts_Extension extension;
  extension.base = {PJRT_Layouts_Extension_STRUCT_SIZE,
                    PJRT_Extension_Type_Layouts, next};
  TESSERA_ENTRY(PJRT_Layouts_MemoryLayout_Destroy, Destroy);
  TESSERA_ENTRY(PJRT_Layouts_MemoryLayout_Serialize, Serialize);
  TESSERA_ENTRY(PJRT_Layouts_PJRT_Client_GetDefaultLayout, ClientDefault);
  TESSERA_ENTRY(PJRT_Layouts_PJRT_Buffer_MemoryLayout, OfBuffer);
  TESSERA_ENTRY(PJRT_Layouts_PJRT_Topology_GetDefaultLayout, TopologyDefault);
  TESSERA_ENTRY(PJRT_Layouts_PJRT_Executable_GetOutputLayouts, OfOutputs);
  TESSERA_ENTRY(PJRT_Layouts_PJRT_Executable_GetParameterLayouts, OfParameters);
  return &extension.base;
}

#undef TESSERA_ENTRY

}  // namespace xla::pjrt
