// Builds the C structs of a call: the unchanging ones once, the rest on the
// stack.
#include "xla/runtime/ffi/call.h"

#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "xla/runtime/ffi/call_context.h"
#include "xla/runtime/ffi/ffi_api.h"

absl::Status XLA_FFI_Future::Complete(absl::Status status) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (status_.has_value()) {
    return absl::FailedPreconditionError(
        "XLA FFI: the future was completed before");
  }
  status_ = std::move(status);
  completed_.notify_all();
  return absl::OkStatus();
}

absl::Status XLA_FFI_Future::Wait() {
  xla::BlockingSection blocking;
  std::unique_lock<std::mutex> lock(mutex_);
  completed_.wait(lock, [this] { return status_.has_value(); });
  return *status_;
}

namespace xla::ffi {

// A dictionary as the C ABI has it. The vectors do not change once filled, so
// pointers into them stay valid.
struct CallSignature::AttributeTables {
  std::vector<XLA_FFI_ByteSpan> names;
  std::vector<XLA_FFI_ByteSpan*> name_pointers;
  std::vector<XLA_FFI_AttrType> types;
  std::vector<void*> values;
  std::vector<XLA_FFI_Scalar> scalars;
  std::vector<XLA_FFI_Array> arrays;
  std::vector<XLA_FFI_ByteSpan> strings;
  XLA_FFI_Attrs attrs = {};

  using Tables = std::vector<std::unique_ptr<AttributeTables>>;

  // Appends the tables of `map`, after those of its nested dictionaries.
  // Recursion is bounded by ParseAttributes.
  static AttributeTables* Build(const AttributesMap& map, Tables& tables);

 private:
  void Add(const Attribute& attribute, Tables& tables);
};

void CallSignature::AttributeTables::Add(const Attribute& attribute,
                                         Tables& all) {
  if (const auto* scalar = attribute.get_if<ScalarAttribute>()) {
    types.push_back(XLA_FFI_AttrType_SCALAR);
    scalars.push_back({static_cast<XLA_FFI_DataType>(scalar->type),
                       const_cast<char*>(scalar->bytes.data())});
    values.push_back(&scalars.back());
  } else if (const auto* array = attribute.get_if<ArrayAttribute>()) {
    types.push_back(XLA_FFI_AttrType_ARRAY);
    arrays.push_back({static_cast<XLA_FFI_DataType>(array->type),
                      static_cast<size_t>(array->size()),
                      const_cast<char*>(array->bytes.data())});
    values.push_back(&arrays.back());
  } else if (const auto* text = attribute.get_if<std::string>()) {
    types.push_back(XLA_FFI_AttrType_STRING);
    strings.push_back({text->data(), text->size()});
    values.push_back(&strings.back());
  } else if (const auto* map = attribute.get_if<Attribute::Dictionary>()) {
    types.push_back(XLA_FFI_AttrType_DICTIONARY);
    values.push_back(&Build(**map, all)->attrs);
  }
}

CallSignature::AttributeTables* CallSignature::AttributeTables::Build(
    const AttributesMap& map, Tables& all) {
  auto tables = std::make_unique<AttributeTables>();
  const size_t size = map.size();
  tables->names.reserve(size);
  tables->scalars.reserve(size);
  tables->arrays.reserve(size);
  tables->strings.reserve(size);
  for (const auto& [name, attribute] : map) {
    tables->names.push_back({name.data(), name.size()});
    tables->name_pointers.push_back(&tables->names.back());
    tables->Add(attribute, all);
  }
  tables->attrs = {XLA_FFI_Attrs_STRUCT_SIZE,    nullptr,
                   static_cast<int64_t>(size),   tables->types.data(),
                   tables->name_pointers.data(), tables->values.data()};
  all.push_back(std::move(tables));
  return all.back().get();
}

namespace {

std::vector<XLA_FFI_Buffer> BuffersOf(std::vector<BufferType>& types) {
  std::vector<XLA_FFI_Buffer> buffers;
  buffers.reserve(types.size());
  for (BufferType& type : types) {
    buffers.push_back({XLA_FFI_Buffer_STRUCT_SIZE, nullptr,
                       static_cast<XLA_FFI_DataType>(type.type), nullptr,
                       static_cast<int64_t>(type.dimensions.size()),
                       type.dimensions.data()});
  }
  return buffers;
}

// The buffers with their data, and the pointers to them that a frame needs.
class BufferPointers {
 public:
  BufferPointers(const std::vector<XLA_FFI_Buffer>& templates,
                 absl::Span<void* const> data)
      : buffers_(templates.begin(), templates.end()) {
    for (size_t i = 0; i < data.size(); ++i) {
      buffers_[i].data = data[i];
      pointers_.push_back(&buffers_[i]);
    }
  }
  int64_t size() const { return static_cast<int64_t>(pointers_.size()); }
  void** data() { return pointers_.data(); }

 private:
  absl::InlinedVector<XLA_FFI_Buffer, 8> buffers_;
  absl::InlinedVector<void*, 8> pointers_;
};

absl::Status CheckCount(absl::string_view what, size_t given, size_t wanted) {
  if (given == wanted || given == 0) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("FFI call: ", given, " ", what,
                                          " for a signature of ", wanted));
}

}  // namespace

CallSignature::CallSignature(std::vector<BufferType> arguments,
                             std::vector<BufferType> results,
                             AttributesMap attributes)
    : arguments_(std::move(arguments)),
      results_(std::move(results)),
      attributes_(std::move(attributes)),
      argument_buffers_(BuffersOf(arguments_)),
      result_buffers_(BuffersOf(results_)),
      argument_types_(arguments_.size(), XLA_FFI_ArgType_BUFFER),
      result_types_(results_.size(), XLA_FFI_RetType_BUFFER) {
  AttributeTables::Build(attributes_, tables_);
}

CallSignature::~CallSignature() = default;

absl::Status Call(XLA_FFI_Handler* handler, const CallSignature& signature,
                  absl::Span<void* const> arguments,
                  absl::Span<void* const> results, XLA_FFI_ExecutionStage stage,
                  const CallOptions& options, const CallStates& states) {
  absl::Status status =
      CheckCount("arguments", arguments.size(), signature.arguments_.size());
  status.Update(
      CheckCount("results", results.size(), signature.results_.size()));
  if (!status.ok()) return status;
  BufferPointers args(signature.argument_buffers_, arguments);
  BufferPointers rets(signature.result_buffers_, results);
  XLA_FFI_ExecutionContext context = {&options, &states};
  XLA_FFI_CallFrame frame = {
      .struct_size = XLA_FFI_CallFrame_STRUCT_SIZE,
      .extension_start = nullptr,
      .api = GetXlaFfiApi(),
      .ctx = &context,
      .stage = stage,
      .args = {XLA_FFI_Args_STRUCT_SIZE, nullptr, args.size(),
               const_cast<XLA_FFI_ArgType*>(signature.argument_types_.data()),
               args.data()},
      .rets = {XLA_FFI_Rets_STRUCT_SIZE, nullptr, rets.size(),
               const_cast<XLA_FFI_RetType*>(signature.result_types_.data()),
               rets.data()},
      .attrs = signature.tables_.back()->attrs,
      .future = nullptr,
  };
  status = TakeStatus(handler(&frame));
  // A handler that failed may have left a future that no one will complete.
  if (frame.future != nullptr && status.ok()) {
    status = frame.future->Wait();
    delete frame.future;
  }
  return status;
}

}  // namespace xla::ffi
