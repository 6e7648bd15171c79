// The Shardings extension.
#include "xla/base/status_macros.h"
#include "xla/pjrt/arguments.h"
#include "xla/pjrt/error.h"
#include "xla/pjrt/executable_details.h"
#include "xla/pjrt/extensions/extensions.h"
#include "xla/pjrt/extensions/pjrt_c_api_shardings_extension.h"

namespace xla::pjrt {
namespace {

absl::Status ParameterShardings(
    PJRT_Shardings_PJRT_Executable_ParameterShardings_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_ASSIGN_OR_RETURN(const ExecutableDetails* details,
                      DetailsOf(args.executable));
  args.num_parameters = 0;
  args.shardings = nullptr;
  args.sharding_sizes = nullptr;
  if (details->parameter_shardings.has_value()) {
    args.num_parameters = details->parameter_shardings->pointers.size();
    args.shardings = details->parameter_shardings->pointers.data();
    args.sharding_sizes = details->parameter_shardings->sizes.data();
  }
  return absl::OkStatus();
}

absl::Status OutputShardings(
    PJRT_Shardings_PJRT_Executable_OutputShardings_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_ASSIGN_OR_RETURN(const ExecutableDetails* details,
                      DetailsOf(args.executable));
  args.num_outputs = 0;
  args.shardings = nullptr;
  args.sharding_sizes = nullptr;
  if (details->output_shardings.has_value()) {
    args.num_outputs = details->output_shardings->pointers.size();
    args.shardings = details->output_shardings->pointers.data();
    args.sharding_sizes = details->output_shardings->sizes.data();
  }
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
