// Registers the generated protos so that several copies of this library, such
// as the plugin and libtessera, can share a process and libprotobuf.
// libprotobuf's own AddDescriptorsRunner aborts when a file is registered
// twice. This one, which only our generated code uses, skips an equal file. It
// relies on protobuf 3.21's internals.
#include "xla/proto/shared_descriptors.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "google/protobuf/generated_message_reflection.h"
#include "google/protobuf/message.h"

namespace xla {
namespace {

// The name of the first file that differs from another file of that name. A
// pointer, since static initializers set it, in any order.
const char* conflicting_file = nullptr;

bool SameFile(const ::google::protobuf::FileDescriptor& file,
              const ::google::protobuf::internal::DescriptorTable& table) {
  ::google::protobuf::FileDescriptorProto theirs, ours;
  file.CopyTo(&theirs);
  return ours.ParseFromArray(table.descriptor, table.size) &&
         ours.SerializeAsString() == theirs.SerializeAsString();
}

}  // namespace

absl::Status SharedDescriptorsStatus() {
  if (conflicting_file == nullptr) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "this process has another version of Tessera loaded, whose ",
      conflicting_file, " differs; only copies of one version go together"));
}

}  // namespace xla

namespace google::protobuf::internal {
namespace {

// Does the same as a function of protobuf's that it does not export.
void Register(const DescriptorTable* table) {
  if (table->is_initialized) return;
  table->is_initialized = true;
  const FileDescriptor* file =
      DescriptorPool::generated_pool()->FindFileByName(table->filename);
  if (file != nullptr) {
    // Descriptors, and reflection through them, are then the registered file's,
    // with this copy's classes.
    if (!xla::SameFile(*file, *table)) xla::conflicting_file = table->filename;
    return;
  }
  InitProtobufDefaults();
  for (int i = 0; i < table->num_deps; ++i) {
    if (table->deps[i] != nullptr) Register(table->deps[i]);
  }
  DescriptorPool::InternalAddGeneratedFile(table->descriptor, table->size);
  MessageFactory::InternalRegisterGeneratedFile(table);
}

}  // namespace

// The generated code makes one per file, before main() or in dlopen().
__attribute__((visibility("hidden")))
AddDescriptorsRunner::AddDescriptorsRunner(const DescriptorTable* table) {
  Register(table);
}

}  // namespace google::protobuf::internal
