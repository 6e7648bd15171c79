// Finds and calls the targets of custom-call.
#include "xla/hlo/evaluator/custom_call.h"

#include <dlfcn.h>

#include <memory>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/interpreter/device_context.h"
#include "xla/hlo/evaluator/linear/convolution.h"
#include "xla/hlo/evaluator/movement/sorting.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/table/known_calls.h"

struct XlaCustomCallStatus_ {
  std::optional<std::string> message;  // the failure's message
};

void XlaCustomCallStatusSetSuccess(XlaCustomCallStatus* status) {
  status->message.reset();
}

void XlaCustomCallStatusSetFailure(XlaCustomCallStatus* status,
                                   const char* message, size_t message_len) {
  status->message = std::string(message, message_len);
}

namespace xla {
namespace {

// The buffers of a value as a target sees them: a pointer to elements, or to an
// array of such pointers. Owns the arrays of pointers.
class BufferTable {
 public:
  void* Add(const Literal& literal, ShapeIndex index) {
    const Shape& shape = ShapeUtil::GetSubshape(literal.shape(), index);
    if (!shape.IsTuple()) {
      return const_cast<void*>(literal.untyped_data(index));
    }
    auto table = std::make_unique<std::vector<void*>>();
    for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
      index.push_back(i);
      table->push_back(Add(literal, index));
      index.pop_back();
    }
    tables_.push_back(std::move(table));
    return tables_.back()->data();
  }

 private:
  std::vector<std::unique_ptr<std::vector<void*>>> tables_;
};

bool IsRuntimeLibrary(void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return true;
  absl::string_view file(info.dli_fname);
  file.remove_prefix(file.rfind('/') + 1);  // 0 without a '/'
  for (absl::string_view library :
       {"libc.", "libc-", "libm.", "libm-", "ld-", "libdl.", "libpthread.",
        "librt.", "libstdc++.", "libc++", "libgcc_s.", "libasan.", "libtsan.",
        "libubsan.", "linux-vdso"}) {
    if (absl::StartsWith(file, library)) return true;
  }
  return false;
}

absl::StatusOr<Value> CallHandler(const CustomCallHandler& handler,
                                  const HloInstruction& hlo,
                                  const std::vector<Value>& operands) {
  std::vector<Literal> literals;
  for (const Value& operand : operands) {
    literals.push_back(operand.ToLiteral());
  }
  std::vector<const Literal*> pointers;
  for (const Literal& literal : literals) pointers.push_back(&literal);
  TF_ASSIGN_OR_RETURN(Literal result, handler(&hlo, absl::MakeSpan(pointers)));
  return Value(std::move(result));
}

absl::StatusOr<Value> EvaluateKnownCall(Interpreter& interpreter,
                                        KnownCall known,
                                        const HloInstruction& hlo,
                                        std::vector<Value> operands) {
  TF_RETURN_IF_ERROR(CheckKnownCall(known, hlo.attrs<CustomCallAttrs>(),
                                    OperandShapes(hlo.operands()),
                                    hlo.shape()));
  if (known == KnownCall::kIdentity) return std::move(operands[0]);
  if (known == KnownCall::kGetRngSeed) {
    return Value(
        LiteralUtil::CreateR0<uint64_t>(interpreter.device().NextRandomBits()));
  }
  if (known == KnownCall::kDynamicConvolution) {
    std::vector<const Literal*> arrays;
    for (const Value& operand : operands) arrays.push_back(&operand.array());
    TF_ASSIGN_OR_RETURN(Literal result,
                        EvaluateDynamicConvolution(hlo, arrays));
    return Value(std::move(result));
  }
  const Literal* array = &operands[0].array();
  TF_ASSIGN_OR_RETURN(Literal result, EvaluateTopK(hlo, {&array, 1}));
  return Value(std::move(result));
}

}  // namespace

CustomCallTargetRegistry* CustomCallTargetRegistry::Global() {
  static auto* const registry = new CustomCallTargetRegistry;
  return registry;
}

void CustomCallTargetRegistry::Register(const std::string& symbol,
                                        void* address,
                                        const std::string& platform) {
  std::lock_guard<std::mutex> lock(mutex_);
  targets_[{symbol, platform}] = address;
}

void* CustomCallTargetRegistry::Lookup(const std::string& symbol,
                                       const std::string& platform) const {
  std::lock_guard<std::mutex> lock(mutex_);
  auto it = targets_.find({symbol, platform});
  return it == targets_.end() ? nullptr : it->second;
}

absl::StatusOr<void*> FindCustomCallTarget(const std::string& symbol) {
  void* target = CustomCallTargetRegistry::Global()->Lookup(symbol);
  if (target != nullptr) return target;
  if (!symbol.empty()) target = dlsym(RTLD_DEFAULT, symbol.c_str());
  if (target != nullptr && !IsRuntimeLibrary(target)) return target;
  return absl::NotFoundError(
      absl::StrCat("custom-call: no function is registered, or exported, for "
                   "custom_call_target \"",
                   symbol, "\""));
}

absl::Status CallCustomCallTarget(const HloInstruction& hlo, void* target,
                                  void* out, const void** in) {
  XlaCustomCallStatus status;
  switch (hlo.attrs<CustomCallAttrs>().api_version) {
    case API_VERSION_UNSPECIFIED:
    case API_VERSION_ORIGINAL:
      reinterpret_cast<void (*)(void*, const void**)>(target)(out, in);
      break;
    case API_VERSION_STATUS_RETURNING:
      reinterpret_cast<void (*)(void*, const void**, XlaCustomCallStatus*)>(
          target)(out, in, &status);
      break;
    case API_VERSION_STATUS_RETURNING_UNIFIED: {
      const std::string& opaque = hlo.raw_backend_config_string();
      reinterpret_cast<void (*)(void*, const void**, const char*, size_t,
                                XlaCustomCallStatus*)>(target)(
          out, in, opaque.data(), opaque.size(), &status);
      break;
    }
    default:
      return absl::UnimplementedError(absl::StrCat(
          "custom-call: targets of ",
          CustomCallApiVersion_Name(hlo.attrs<CustomCallAttrs>().api_version),
          " are not implemented"));
  }
  if (!status.message.has_value()) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(
      "custom-call to ", hlo.attrs<CustomCallAttrs>().custom_call_target,
      " failed: ", *status.message));
}

absl::StatusOr<Value> EvaluateCustomCall(Interpreter& interpreter,
                                         const HloInstruction& hlo,
                                         std::vector<Value> operands) {
  const CustomCallHandler& handler = interpreter.device().custom_call_handler();
  if (handler) return CallHandler(handler, hlo, operands);
  const auto& attrs = hlo.attrs<CustomCallAttrs>();
  const KnownCall known = KnownCallOf(attrs);
  if (known != KnownCall::kNone) {
    return EvaluateKnownCall(interpreter, known, hlo, std::move(operands));
  }
  if (attrs.api_version == API_VERSION_TYPED_FFI) {
    const FfiCallHandler& ffi = interpreter.device().ffi_call_handler();
    if (ffi)
      return ffi(hlo, interpreter.device().number(), std::move(operands));
    return absl::UnimplementedError(absl::StrCat(
        "custom-call to ", attrs.custom_call_target,
        ": typed FFI calls run in compiled executables, not in a bare "
        "evaluator"));
  }
  TF_ASSIGN_OR_RETURN(void* target,
                      FindCustomCallTarget(attrs.custom_call_target));
  const auto& wanted = attrs.operand_layout_constraints;
  std::vector<Literal> literals;
  std::vector<const void*> in;
  BufferTable buffers;
  literals.reserve(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    Literal literal = operands[i].ToLiteral();
    if (wanted.has_value()) literal = literal.Relayout((*wanted)[i]);
    literals.push_back(std::move(literal));
    in.push_back(buffers.Add(literals.back(), {}));
  }
  // The layout of the result is meaningful if the operands have constraints.
  TF_ASSIGN_OR_RETURN(
      Literal result,
      Literal::Make(wanted.has_value()
                        ? hlo.shape()
                        : LayoutUtil::GetWithDefaultLayout(hlo.shape())));
  TF_RETURN_IF_ERROR(
      CallCustomCallTarget(hlo, target, buffers.Add(result, {}), in.data()));
  return Value(std::move(result));
}

}  // namespace xla
