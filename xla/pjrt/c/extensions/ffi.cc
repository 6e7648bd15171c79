// The FFI extension, and our own for handlers of several stages, both on the
// registries of runtime/ffi.
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/error.h"
#include "xla/pjrt/c/extensions/extensions.h"
#include "xla/pjrt/c/pjrt_c_api_ffi_bundle_extension.h"
#include "xla/pjrt/c/pjrt_c_api_ffi_extension.h"
#include "xla/runtime/ffi/registry.h"
#include "xla/runtime/ffi/type_registry.h"

namespace xla::pjrt {
namespace {

absl::Status TypeRegister(PJRT_FFI_Type_Register_Args& args) {
  TF_ASSIGN_OR_RETURN(
      absl::string_view name,
      StringArgument(args.type_name, args.type_name_size, "type_name"));
  ffi::TypeRegistry::TypeInfo info;
  if (args.type_info != nullptr) info.deleter = args.type_info->deleter;
  if (args.type_id != 0) {
    return ffi::TypeRegistry::RegisterTypeId(name, ffi::TypeId(args.type_id),
                                             info);
  }
  TF_ASSIGN_OR_RETURN(const ffi::TypeId id,
                      ffi::TypeRegistry::AssignTypeId(name, info));
  args.type_id = id.value();
  return absl::OkStatus();
}

absl::Status UserDataAdd(PJRT_FFI_UserData_Add_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.context, "context"));
  TF_RETURN_IF_ERROR(CheckPointer(static_cast<const char*>(args.user_data.data),
                                  "user_data.data"));
  return args.context->context.ffi_context().Insert(
      ffi::TypeId(args.user_data.type_id), args.user_data.data);
}

XLA_FFI_Handler* Handler(void* handler) {
  return reinterpret_cast<XLA_FFI_Handler*>(handler);
}

// Registers `bundle` for the target and platform of `args`. `execute` is the
// name in `args` of the handler that every target has.
template <typename Args>
absl::Status RegisterTarget(const Args& args, absl::string_view execute,
                            const XLA_FFI_Handler_Bundle& bundle) {
  TF_ASSIGN_OR_RETURN(
      absl::string_view name,
      StringArgument(args.target_name, args.target_name_size, "target_name"));
  TF_ASSIGN_OR_RETURN(absl::string_view platform,
                      StringArgument(args.platform_name,
                                     args.platform_name_size, "platform_name"));
  if (bundle.execute == nullptr) return NullError(execute);
  return ffi::RegisterHandler(name, platform, bundle, args.traits);
}

absl::Status RegisterHandler(PJRT_FFI_Register_Handler_Args& args) {
  XLA_FFI_Handler_Bundle bundle = {};
  bundle.execute = Handler(args.handler);
  return RegisterTarget(args, "handler", bundle);
}

absl::Status RegisterBundle(Tessera_FFI_Register_Bundle_Args& args) {
  XLA_FFI_Handler_Bundle bundle = {};
  bundle.instantiate = Handler(args.instantiate);
  bundle.prepare = Handler(args.prepare);
  bundle.initialize = Handler(args.initialize);
  bundle.execute = Handler(args.execute);
  return RegisterTarget(args, "execute", bundle);
}

}  // namespace

PJRT_Extension_Base* FfiExtension(PJRT_Extension_Base* next) {
  static PJRT_FFI_Extension extension = {
      {PJRT_FFI_Extension_STRUCT_SIZE, PJRT_Extension_Type_FFI, nullptr},
      Function<"PJRT_FFI_Type_Register",
               PJRT_STRUCT_SIZE(PJRT_FFI_Type_Register_Args, type_info),
               TypeRegister>::Call,
      Function<"PJRT_FFI_UserData_Add", PJRT_FFI_UserData_Add_Args_STRUCT_SIZE,
               UserDataAdd>::Call,
      Function<"PJRT_FFI_Register_Handler",
               PJRT_FFI_Register_Handler_Args_STRUCT_SIZE,
               RegisterHandler>::Call,
  };
  extension.base.next = next;
  return &extension.base;
}

PJRT_Extension_Base* FfiBundleExtension(PJRT_Extension_Base* next) {
  static Tessera_FFI_Bundle_Extension extension = {
      {Tessera_FFI_Bundle_Extension_STRUCT_SIZE,
       static_cast<PJRT_Extension_Type>(TESSERA_EXTENSION_TYPE_FFI_BUNDLE),
       nullptr},
      Function<"Tessera_FFI_Register_Bundle",
               Tessera_FFI_Register_Bundle_Args_STRUCT_SIZE,
               RegisterBundle>::Call,
  };
  extension.base.next = next;
  return &extension.base;
}

}  // namespace xla::pjrt
