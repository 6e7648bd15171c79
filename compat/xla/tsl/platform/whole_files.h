// Functions of env.h that read and write whole files, and protos in them.
#ifndef COMPAT_XLA_TSL_PLATFORM_WHOLE_FILES_H_
#define COMPAT_XLA_TSL_PLATFORM_WHOLE_FILES_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "xla/base/status_macros.h"
#include "xla/tsl/platform/env.h"
#include "xla/tsl/platform/file_system.h"

namespace tsl {

// Errors: those of Env; DataLoss for a file that is not such a proto.
inline absl::Status ReadFileToString(Env* env, const std::string& fname,
                                     std::string* data) {
  std::unique_ptr<ReadOnlyMemoryRegion> contents;
  TF_RETURN_IF_ERROR(env->NewReadOnlyMemoryRegionFromFile(fname, &contents));
  data->assign(static_cast<const char*>(contents->data()), contents->length());
  return absl::OkStatus();
}
inline absl::Status WriteStringToFile(Env* env, const std::string& fname,
                                      absl::string_view data) {
  std::unique_ptr<WritableFile> file;
  TF_RETURN_IF_ERROR(env->NewWritableFile(fname, &file));
  TF_RETURN_IF_ERROR(file->Append(data));
  return file->Close();
}
inline absl::Status AppendStringToFile(Env* env, const std::string& fname,
                                       absl::string_view data) {
  std::unique_ptr<WritableFile> file;
  TF_RETURN_IF_ERROR(env->NewAppendableFile(fname, &file));
  TF_RETURN_IF_ERROR(file->Append(data));
  return file->Close();
}

inline absl::Status WriteBinaryProto(
    Env* env, const std::string& fname,
    const google::protobuf::MessageLite& proto) {
  return WriteStringToFile(env, fname, proto.SerializeAsString());
}
inline absl::Status ReadBinaryProto(Env* env, const std::string& fname,
                                    google::protobuf::MessageLite* proto) {
  std::string contents;
  TF_RETURN_IF_ERROR(ReadFileToString(env, fname, &contents));
  if (proto->ParseFromString(contents)) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat(fname, " is not a binary ", proto->GetTypeName()));
}
inline absl::Status WriteTextProto(Env* env, const std::string& fname,
                                   const google::protobuf::Message& proto) {
  std::string text;
  if (!google::protobuf::TextFormat::PrintToString(proto, &text)) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot print the ", proto.GetTypeName(), " for ", fname));
  }
  return WriteStringToFile(env, fname, text);
}
inline absl::Status ReadTextProto(Env* env, const std::string& fname,
                                  google::protobuf::Message* proto) {
  std::string text;
  TF_RETURN_IF_ERROR(ReadFileToString(env, fname, &text));
  if (google::protobuf::TextFormat::ParseFromString(text, proto)) {
    return absl::OkStatus();
  }
  return absl::DataLossError(
      absl::StrCat(fname, " is not the text of a ", proto->GetTypeName()));
}
inline absl::Status ReadTextOrBinaryProto(Env* env, const std::string& fname,
                                          google::protobuf::Message* proto) {
  if (ReadTextProto(env, fname, proto).ok()) return absl::OkStatus();
  return ReadBinaryProto(env, fname, proto);
}

}  // namespace tsl

#endif  // COMPAT_XLA_TSL_PLATFORM_WHOLE_FILES_H_
