// Errors and bytes of the C API, and its versions.
#include <charconv>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "xla/base/errors.h"
#include "xla/base/version.h"
#include "xla/capi/arguments.h"
#include "xla/capi/handles.h"

namespace xla::capi {
namespace {

// Marks errors of ArgumentError.
constexpr absl::string_view kArgumentPayload = "tessera/capi_argument";

// Takes a number from the beginning of `text`; 0 if there is none.
int64_t TakeNumber(absl::string_view* text) {
  int64_t number = 0;
  const auto [end, error] =
      std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || number < 0) return 0;
  text->remove_prefix(end - text->data());
  return number;
}

// Messages of HLO's reader begin with "LINE:COLUMN: "; those of StableHLO's
// have "line LINE, column COLUMN".
void FindPlace(tessera_status* status) {
  absl::string_view text = status->message;
  int64_t line = TakeNumber(&text);
  int64_t column = absl::ConsumePrefix(&text, ":") ? TakeNumber(&text) : 0;
  if (column == 0 || !absl::StartsWith(text, ":")) {
    constexpr absl::string_view kLine = "line ";
    text = status->message;
    const size_t at = text.find(kLine);
    if (at == absl::string_view::npos) return;
    text.remove_prefix(at + kLine.size());
    line = TakeNumber(&text);
    column = absl::ConsumePrefix(&text, ", column ") ? TakeNumber(&text) : 0;
  }
  if (line <= 0 || column <= 0) return;
  status->line = line;
  status->column = column;
}

void EraseOwnPayloads(absl::Status* status) {
  std::vector<std::string> keys;
  status->ForEachPayload([&](absl::string_view key, const absl::Cord&) {
    if (absl::StartsWith(key, "tessera/")) keys.emplace_back(key);
  });
  for (const std::string& key : keys) status->ErasePayload(key);
}

const char* Text(absl::string_view text, size_t* size) {
  if (size != nullptr) *size = text.size();
  return text.data();
}

}  // namespace

tessera_status* OutOfMemory() {
  static tessera_status* const status = [] {
    auto* made = new tessera_status;
    made->status = absl::ResourceExhaustedError("out of memory");
    made->message = "out of memory";
    return made;
  }();
  return status;
}
absl::Status ArgumentError(absl::string_view text) {
  absl::Status status = absl::InvalidArgumentError(text);
  status.SetPayload(kArgumentPayload, absl::Cord());
  return status;
}

absl::Status NullError(absl::string_view name) {
  return ArgumentError(absl::StrCat(name, " is NULL"));
}

absl::Status HandleError(absl::string_view name) {
  return ArgumentError(absl::StrCat(name, " is no live handle of its kind"));
}

absl::StatusOr<absl::string_view> TextArgument(const char* data, size_t size,
                                               absl::string_view name) {
  const auto span = ArrayArgument(data, size, name);
  if (!span.ok()) return span.status();
  return absl::string_view(span->data(), span->size());
}

tessera_status* MakeStatus(absl::Status status, bool place) {
  if (status.ok()) return nullptr;
  try {
    auto made = std::make_unique<tessera_status>();
    EraseOwnPayloads(&status);
    made->message = std::string(status.message());
    made->status = std::move(status);
    if (place) FindPlace(made.get());
    return made.release();
  } catch (const std::bad_alloc&) {
    return OutOfMemory();
  }
}

tessera_status* Fail(const char* function, absl::Status status) {
  try {
    if (status.ErasePayload(kArgumentPayload)) {
      status = AddStatus(status, function);
    }
    const bool place = status.ErasePayload(kTextPayload);
    return MakeStatus(std::move(status), place);
  } catch (const std::bad_alloc&) {
    return OutOfMemory();
  }
}

extern "C" {

int32_t tessera_api_version(void) {
  return TESSERA_API_MAJOR * 1000 + TESSERA_API_MINOR;
}

const char* tessera_version(size_t* size) {
  return Text(TesseraVersion(), size);
}

tessera_code tessera_status_code(const tessera_status* status) {
  if (status == nullptr) return TESSERA_OK;
  if (!status->tag.ok()) return TESSERA_UNKNOWN;
  return static_cast<tessera_code>(status->status.code());
}

const char* tessera_status_message(const tessera_status* status, size_t* size) {
  if (status == nullptr) return Text("", size);
  if (!status->tag.ok()) return Text("not a live tessera_status", size);
  return Text(status->message, size);
}

bool tessera_status_place(const tessera_status* status, int64_t* line,
                          int64_t* column) {
  const bool known = status != nullptr && status->tag.ok() && status->line > 0;
  if (line != nullptr) *line = known ? status->line : 0;
  if (column != nullptr) *column = known ? status->column : 0;
  return known;
}

void tessera_status_destroy(tessera_status* status) {
  if (status == nullptr || !status->tag.ok()) return;
  if (status != OutOfMemory()) delete status;
}

const char* tessera_bytes_data(const tessera_bytes* bytes, size_t* size) {
  if (bytes == nullptr || !bytes->tag.ok()) {
    if (size != nullptr) *size = 0;
    return nullptr;
  }
  return Text(bytes->bytes, size);
}

void tessera_bytes_destroy(tessera_bytes* bytes) {
  if (bytes != nullptr && bytes->tag.ok()) delete bytes;
}

}  // extern "C"
}  // namespace xla::capi
