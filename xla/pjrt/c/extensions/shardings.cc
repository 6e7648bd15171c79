// The Shardings extension.
#include <optional>

#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/error.h"
#include "xla/pjrt/c/extensions/extensions.h"
#include "xla/pjrt/c/functions/executable_details.h"
#include "xla/pjrt/c/pjrt_c_api_shardings_extension.h"

namespace xla::pjrt {
namespace {

// Points `args` and `*count` to the strings, or to nothing if the program has
// no shardings.
template <typename Args>
void SetShardings(const std::optional<StringList>& shardings, Args& args,
                  size_t* count) {
  const bool known = shardings.has_value();
  *count = known ? shardings->pointers.size() : 0;
  args.shardings = known ? shardings->pointers.data() : nullptr;
  args.sharding_sizes = known ? shardings->sizes.data() : nullptr;
}

absl::Status ParameterShardings(
    PJRT_Shardings_PJRT_Executable_ParameterShardings_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_ASSIGN_OR_RETURN(const ExecutableDetails* details,
                      DetailsOf(args.executable));
  SetShardings(details->parameter_shardings, args, &args.num_parameters);
  return absl::OkStatus();
}

absl::Status OutputShardings(
    PJRT_Shardings_PJRT_Executable_OutputShardings_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_ASSIGN_OR_RETURN(const ExecutableDetails* details,
                      DetailsOf(args.executable));
  SetShardings(details->output_shardings, args, &args.num_outputs);
  return absl::OkStatus();
}

}  // namespace

PJRT_Extension_Base* ShardingsExtension(PJRT_Extension_Base* next) {
  static PJRT_Shardings_Extension extension = {
      {PJRT_Shardings_Extension_STRUCT_SIZE, PJRT_Extension_Type_Shardings,
       nullptr},
      Function<
          "PJRT_Shardings_PJRT_Executable_ParameterShardings",
          PJRT_Shardings_PJRT_Executable_ParameterShardings_Args_STRUCT_SIZE,
          ParameterShardings>::Call,
      Function<"PJRT_Shardings_PJRT_Executable_OutputShardings",
               PJRT_Shardings_PJRT_Executable_OutputShardings_Args_STRUCT_SIZE,
               OutputShardings>::Call,
  };
  extension.base.next = next;
  return &extension.base;
}

}  // namespace xla::pjrt
