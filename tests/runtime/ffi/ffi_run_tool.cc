// Loads handlers from a shared library and runs a program that calls them:
// ffi_run_tool LIBRARY PROGRAM.hlo TARGET..., where each target is also the
// name of the handler's function. Prints the result or the error.
#include <dlfcn.h>

#include <fstream>
#include <iostream>
#include <sstream>

#include "xla/backends/evaluator/evaluator_compiler.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/runtime/ffi/registry.h"

namespace {

absl::Status Run(int argc, char** argv) {
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return absl::NotFoundError(dlerror());
  for (int i = 3; i < argc; ++i) {
    auto* handler = reinterpret_cast<XLA_FFI_Handler*>(dlsym(library, argv[i]));
    if (handler == nullptr) return absl::NotFoundError(argv[i]);
    TF_RETURN_IF_ERROR(xla::ffi::RegisterHandler(
        argv[i], "Host", {nullptr, nullptr, nullptr, handler}));
  }
  std::ifstream file(argv[2]);
  std::stringstream text;
  text << file.rdbuf();
  TF_ASSIGN_OR_RETURN(auto module,
                      xla::ParseAndReturnUnverifiedModule(text.str()));
  TF_ASSIGN_OR_RETURN(auto executable,
                      xla::EvaluatorCompiler().Compile(std::move(module)));
  TF_ASSIGN_OR_RETURN(auto results, executable->Execute({{}}, {}));
  std::cout << results.front().ToStringWithoutShapeOneline() << "\n";
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: ffi_run_tool LIBRARY PROGRAM.hlo TARGET...\n";
    return 2;
  }
  const absl::Status status = Run(argc, argv);
  if (!status.ok()) std::cout << status << "\n";
  return 0;
}
