// The table of compilers, and the one of this project.
#include "xla/pjrt/pjrt_compiler.h"

#include <map>
#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/pjrt/pjrt_client.h"

namespace xla {
namespace {

// Returns a client that has the devices of the topology. Executables may use
// what belongs to their client, so the process keeps it.
absl::StatusOr<PjRtClient*> ClientFor(const PjRtTopologyDescription& topology) {
  static auto* const mutex = new std::mutex;
  static auto* const clients =
      new std::map<std::string, std::unique_ptr<PjRtClient>>;
  TF_ASSIGN_OR_RETURN(const std::string key, topology.Serialize());
  std::lock_guard<std::mutex> lock(*mutex);
  std::unique_ptr<PjRtClient>& client = (*clients)[key];
  if (client == nullptr) {
    TF_ASSIGN_OR_RETURN(client, PjRtClient::CreateFor(topology));
  }
  return client.get();
}

class OwnCompiler : public PjRtCompiler {
 public:
  absl::StatusOr<std::unique_ptr<PjRtExecutable>> Compile(
      CompileOptions options, const XlaComputation& computation,
      const PjRtTopologyDescription& topology, PjRtClient* client) override {
    return CompileWith(std::move(options), computation, topology, client);
  }
  absl::StatusOr<std::unique_ptr<PjRtExecutable>> Compile(
      CompileOptions options, std::unique_ptr<HloModule> module,
      const PjRtTopologyDescription& topology, PjRtClient* client) override {
    return CompileWith(std::move(options), std::move(module), topology, client);
  }

 private:
  template <typename Program>
  absl::StatusOr<std::unique_ptr<PjRtExecutable>> CompileWith(
      CompileOptions options, Program&& program,
      const PjRtTopologyDescription& topology, PjRtClient* client) {
    if (client == nullptr) {
      TF_ASSIGN_OR_RETURN(client, ClientFor(topology));
    }
    return client->Compile(std::forward<Program>(program), std::move(options));
  }
};

struct Compilers {
  std::mutex mutex;
  // By platform and variant, which is empty for the default.
  std::map<std::pair<std::string, std::string>, std::unique_ptr<PjRtCompiler>>
      by_name;
};

Compilers& All() {
  static auto* const compilers = [] {
    auto* all = new Compilers;
    for (absl::string_view name :
         {kPlatformName, absl::string_view(CpuName())}) {
      all->by_name[{std::string(name), ""}] = std::make_unique<OwnCompiler>();
    }
    return all;
  }();
  return *compilers;
}

absl::StatusOr<PjRtCompiler*> CompilerOf(
    const CompileOptions& options, const PjRtTopologyDescription& topology) {
  return GetPjRtCompiler(topology.platform_name(),
                         options.compiler_variant.value_or(""));
}

}  // namespace

absl::StatusOr<std::unique_ptr<PjRtTopologyDescription>>
PjRtCompiler::DeserializePjRtTopologyDescription(
    const std::string& serialized_topology) {
  return PjRtTopologyDescription::Deserialize(serialized_topology);
}

void PjRtRegisterDefaultCompiler(absl::string_view platform_name,
                                 std::unique_ptr<PjRtCompiler> compiler) {
  PjRtRegisterCompiler(platform_name, "", std::move(compiler));
}

void PjRtRegisterCompiler(absl::string_view platform_name,
                          absl::string_view compiler_variant,
                          std::unique_ptr<PjRtCompiler> compiler) {
  Compilers& all = All();
  std::lock_guard<std::mutex> lock(all.mutex);
  std::unique_ptr<PjRtCompiler>& place =
      all.by_name[{std::string(platform_name), std::string(compiler_variant)}];
  // Others may be using the earlier one, so it stays.
  static auto* const replaced = new std::vector<std::unique_ptr<PjRtCompiler>>;
  if (place != nullptr) replaced->push_back(std::move(place));
  place = std::move(compiler);
}

absl::StatusOr<PjRtCompiler*> GetDefaultPjRtCompiler(
    absl::string_view platform_name) {
  return GetPjRtCompiler(platform_name, "");
}

absl::StatusOr<PjRtCompiler*> GetPjRtCompiler(
    absl::string_view platform_name, absl::string_view compiler_variant) {
  Compilers& all = All();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.by_name.find(
      {std::string(platform_name), std::string(compiler_variant)});
  if (found != all.by_name.end() && found->second != nullptr) {
    return found->second.get();
  }
  return absl::NotFoundError(
      absl::StrCat("no compiler ", compiler_variant.empty() ? "" : "variant ",
                   compiler_variant, compiler_variant.empty() ? "" : " ",
                   "is registered for the platform ", platform_name));
}

absl::StatusOr<std::unique_ptr<PjRtExecutable>> PjRtCompile(
    CompileOptions options, const XlaComputation& computation,
    const PjRtTopologyDescription& topology, PjRtClient* client) {
  TF_ASSIGN_OR_RETURN(PjRtCompiler * compiler, CompilerOf(options, topology));
  return compiler->Compile(std::move(options), computation, topology, client);
}

absl::StatusOr<std::unique_ptr<PjRtExecutable>> PjRtCompile(
    CompileOptions options, std::unique_ptr<HloModule> module,
    const PjRtTopologyDescription& topology, PjRtClient* client) {
  TF_ASSIGN_OR_RETURN(PjRtCompiler * compiler, CompilerOf(options, topology));
  return compiler->Compile(std::move(options), std::move(module), topology,
                           client);
}

}  // namespace xla
