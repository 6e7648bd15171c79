// Programs that are built in one process and run in another: serialized as a
// proto, as text and as compiled code.
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/pjrt/plugin/xla_cpu/cpu_client_options.h"
#include "xla/pjrt/plugin/xla_cpu/xla_cpu_pjrt_client.h"
#include "xla/service/hlo.pb.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/statusor.h"

namespace {

struct Saved {
  std::string proto;
  std::string text;
  std::string code;
  std::string argument;
};

absl::StatusOr<Saved> Build(xla::PjRtClient& client) {
  xla::XlaBuilder builder("saved");
  xla::Square(xla::Parameter(&builder, 0,
                             xla::ShapeUtil::MakeShape(xla::F64, {3}), "x"));
  TF_ASSIGN_OR_RETURN(const xla::XlaComputation computation, builder.Build());
  Saved saved;
  saved.proto = computation.proto().SerializeAsString();
  TF_ASSIGN_OR_RETURN(const xla::HloModuleConfig config,
                      xla::HloModule::CreateModuleConfigFromProto(
                          computation.proto(), xla::DebugOptions()));
  TF_ASSIGN_OR_RETURN(
      const std::unique_ptr<xla::HloModule> module,
      xla::HloModule::CreateFromProto(computation.proto(), config));
  saved.text = module->ToString();
  TF_ASSIGN_OR_RETURN(auto executable,
                      client.Compile(computation, xla::CompileOptions()));
  TF_ASSIGN_OR_RETURN(saved.code, executable->SerializeExecutable());
  TF_ASSIGN_OR_RETURN(
      saved.argument,
      xla::LiteralUtil::CreateR1<double>({1, 2, 3}).SerializeAsString());
  return saved;
}

absl::Status RunOn(xla::PjRtClient& client, const Saved& saved,
                   const xla::PjRtLoadedExecutable& executable) {
  TF_ASSIGN_OR_RETURN(const xla::Literal argument,
                      xla::Literal::DeserializeFromString(saved.argument));
  TF_ASSIGN_OR_RETURN(xla::PjRtMemorySpace * memory,
                      client.addressable_devices()[0]->default_memory_space());
  TF_ASSIGN_OR_RETURN(auto buffer,
                      client.BufferFromHostLiteral(argument, memory));
  TF_ASSIGN_OR_RETURN(auto results, executable.Execute({{buffer.get()}},
                                                       xla::ExecuteOptions()));
  TF_ASSIGN_OR_RETURN(std::shared_ptr<xla::Literal> result,
                      results[0][0]->ToLiteralSync());
  if (*result != xla::LiteralUtil::CreateR1<double>({1, 4, 9})) {
    return absl::InternalError(result->ToString());
  }
  return absl::OkStatus();
}

absl::Status Run() {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<xla::PjRtClient> client,
                      xla::GetXlaPjrtCpuClient(xla::CpuClientOptions()));
  TF_ASSIGN_OR_RETURN(const Saved saved, Build(*client));

  xla::HloModuleProto proto;
  if (!proto.ParseFromString(saved.proto)) {
    return absl::InternalError("the proto is broken");
  }
  TF_ASSIGN_OR_RETURN(auto from_proto,
                      client->CompileAndLoad(xla::XlaComputation(proto),
                                             xla::CompileOptions()));
  TF_RETURN_IF_ERROR(RunOn(*client, saved, *from_proto));

  TF_ASSIGN_OR_RETURN(std::unique_ptr<xla::HloModule> module,
                      xla::ParseAndReturnUnverifiedModule(saved.text));
  TF_ASSIGN_OR_RETURN(
      auto from_text,
      client->CompileAndLoad(std::move(module), xla::CompileOptions()));
  TF_RETURN_IF_ERROR(RunOn(*client, saved, *from_text));

  TF_ASSIGN_OR_RETURN(auto from_code,
                      client->LoadSerializedExecutable(saved.code, std::nullopt,
                                                       xla::LoadOptions()));
  TF_RETURN_IF_ERROR(RunOn(*client, saved, *from_code));

  std::string damaged = saved.code;
  damaged[damaged.size() / 2] ^= 1;
  if (client
          ->LoadSerializedExecutable(damaged, std::nullopt, xla::LoadOptions())
          .ok()) {
    return absl::InternalError("damaged code was loaded");
  }
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = Run();
  std::puts(status.ok() ? "all checks passed" : status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
