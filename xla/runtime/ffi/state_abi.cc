// The two forms of the state functions' arguments, distinguished by their size
// and by whether a stage or a pointer follows the context.
#include "xla/runtime/ffi/state_abi.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"
#include "xla/runtime/ffi/call_context.h"

namespace xla::ffi {
namespace {

// The arguments of version 0.1.
struct OldStateSetArgs {
  size_t struct_size;
  XLA_FFI_Extension_Base* extension_start;
  XLA_FFI_ExecutionContext* ctx;
  XLA_FFI_TypeId* type_id;
  void* state;
  void (*deleter)(void* state);
};
struct OldStateGetArgs {
  size_t struct_size;
  XLA_FFI_Extension_Base* extension_start;
  XLA_FFI_ExecutionContext* ctx;
  XLA_FFI_TypeId* type_id;
  void* state;  // out
};
static_assert(sizeof(OldStateSetArgs) == XLA_FFI_State_Set_Args_STRUCT_SIZE);
static_assert(sizeof(OldStateGetArgs) < XLA_FFI_State_Get_Args_STRUCT_SIZE);

absl::StatusOr<HandlerState*> StateOf(absl::string_view function,
                                      XLA_FFI_ExecutionContext* ctx,
                                      const XLA_FFI_TypeId* type_id,
                                      XLA_FFI_ExecutionStage stage) {
  if (ctx == nullptr || type_id == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat(function, ": context or type_id is null"));
  }
  HandlerState* state = nullptr;
  switch (stage) {
    case XLA_FFI_ExecutionStage_INSTANTIATE:
      state = ctx->states->instantiate;
      break;
    case XLA_FFI_ExecutionStage_PREPARE:
      state = ctx->states->prepare;
      break;
    case XLA_FFI_ExecutionStage_INITIALIZE:
      state = ctx->states->initialize;
      break;
    case XLA_FFI_ExecutionStage_EXECUTE:
      break;
  }
  if (state != nullptr) return state;
  return absl::FailedPreconditionError(
      absl::StrCat(function, ": stage ", static_cast<int>(stage),
                   " has no state in this call"));
}

absl::Status TooSmall(absl::string_view what, size_t size) {
  return absl::InvalidArgumentError(absl::StrCat(
      "XLA FFI: ", what, " has struct_size ", size, ", which is too small"));
}

}  // namespace

absl::Status SetState(const XLA_FFI_State_Set_Args& args) {
  if (args.struct_size < XLA_FFI_State_Set_Args_STRUCT_SIZE) {
    return TooSmall("XLA_FFI_State_Set_Args", args.struct_size);
  }
  // A type_id in place of the stage is an address, hence a larger number.
  if (static_cast<uint32_t>(args.stage) > XLA_FFI_ExecutionStage_EXECUTE) {
    const auto& old = reinterpret_cast<const OldStateSetArgs&>(args);
    TF_ASSIGN_OR_RETURN(HandlerState * state,
                        StateOf("XLA_FFI_State_Set", old.ctx, old.type_id,
                                XLA_FFI_ExecutionStage_INSTANTIATE));
    return state->Set(TypeRegistry::TypeId(old.type_id->type_id), old.state,
                      old.deleter);
  }
  TF_ASSIGN_OR_RETURN(
      HandlerState * state,
      StateOf("XLA_FFI_State_Set", args.ctx, args.type_id, args.stage));
  return state->Set(TypeRegistry::TypeId(args.type_id->type_id), args.state);
}

absl::Status GetState(XLA_FFI_State_Get_Args& args) {
  if (args.struct_size < sizeof(OldStateGetArgs)) {
    return TooSmall("XLA_FFI_State_Get_Args", args.struct_size);
  }
  if (args.struct_size == sizeof(OldStateGetArgs)) {
    auto& old = reinterpret_cast<OldStateGetArgs&>(args);
    TF_ASSIGN_OR_RETURN(HandlerState * state,
                        StateOf("XLA_FFI_State_Get", old.ctx, old.type_id,
                                XLA_FFI_ExecutionStage_INSTANTIATE));
    TF_ASSIGN_OR_RETURN(old.state,
                        state->Get(TypeRegistry::TypeId(old.type_id->type_id)));
    return absl::OkStatus();
  }
  TF_ASSIGN_OR_RETURN(
      HandlerState * state,
      StateOf("XLA_FFI_State_Get", args.ctx, args.type_id, args.stage));
  TF_ASSIGN_OR_RETURN(args.state,
                      state->Get(TypeRegistry::TypeId(args.type_id->type_id)));
  return absl::OkStatus();
}

}  // namespace xla::ffi
