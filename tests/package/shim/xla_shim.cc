// Built with hidden visibility into a shared library of its own, which shows
// the C functions alone.
#include "xla_shim.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/client/client_library.h"
#include "xla/client/local_client.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/statusor.h"

struct shim_builder {
  explicit shim_builder(const char* name) : builder(name) {}
  xla::XlaBuilder builder;
};
struct shim_op {
  xla::XlaOp op;
};
struct shim_program {
  std::unique_ptr<xla::LocalExecutable> executable;
};

namespace {

thread_local std::string last_error;

template <typename T>
bool Failed(const absl::StatusOr<T>& value) {
  if (!value.ok()) last_error = value.status().ToString();
  return !value.ok();
}

absl::StatusOr<std::unique_ptr<xla::LocalExecutable>> Compile(
    const xla::XlaComputation& computation) {
  TF_ASSIGN_OR_RETURN(xla::ProgramShape program, computation.GetProgramShape());
  std::vector<const xla::Shape*> shapes;
  for (const xla::Shape& shape : program.parameters()) shapes.push_back(&shape);
  TF_ASSIGN_OR_RETURN(auto executables,
                      xla::ClientLibrary::LocalClientOrDie()->Compile(
                          computation, shapes, xla::ExecutableBuildOptions()));
  return std::move(executables[0]);
}

absl::StatusOr<xla::Literal> Run(const xla::LocalExecutable& executable,
                                 const std::vector<xla::Literal>& arguments) {
  xla::LocalClient* client = xla::ClientLibrary::LocalClientOrDie();
  std::vector<xla::ScopedShapedBuffer> buffers;
  for (const xla::Literal& argument : arguments) {
    TF_ASSIGN_OR_RETURN(xla::ScopedShapedBuffer buffer,
                        client->LiteralToShapedBuffer(
                            argument, client->default_device_ordinal()));
    buffers.push_back(std::move(buffer));
  }
  std::vector<const xla::ShapedBuffer*> pointers;
  for (const xla::ScopedShapedBuffer& buffer : buffers) {
    pointers.push_back(&buffer);
  }
  xla::ExecutableRunOptions options;
  options.set_allocator(client->backend().memory_allocator());
  TF_ASSIGN_OR_RETURN(
      xla::ScopedShapedBuffer result,
      const_cast<xla::LocalExecutable&>(executable).Run(pointers, options));
  return client->ShapedBufferToLiteral(result);
}

}  // namespace

const char* xla_shim_error(void) { return last_error.c_str(); }
shim_builder* xla_shim_builder_new(const char* name) {
  return new shim_builder(name);
}
void xla_shim_builder_free(shim_builder* builder) { delete builder; }
shim_op* xla_shim_parameter(shim_builder* builder, int64_t number,
                            int64_t size) {
  return new shim_op{xla::Parameter(&builder->builder, number,
                                    xla::ShapeUtil::MakeShape(xla::F32, {size}),
                                    "p" + std::to_string(number))};
}
shim_op* xla_shim_add(shim_op* a, shim_op* b) {
  return new shim_op{xla::Add(a->op, b->op)};
}
shim_op* xla_shim_exp(shim_op* a) { return new shim_op{xla::Exp(a->op)}; }
void xla_shim_op_free(shim_op* op) { delete op; }

shim_program* xla_shim_compile(shim_builder* builder, shim_op* root) {
  const auto computation = builder->builder.Build(root->op);
  if (Failed(computation)) return nullptr;
  auto executable = Compile(*computation);
  if (Failed(executable)) return nullptr;
  return new shim_program{*std::move(executable)};
}
void xla_shim_program_free(shim_program* program) { delete program; }

int xla_shim_run(shim_program* program, const float* const* arguments,
                 size_t count, int64_t size, float* result) {
  std::vector<xla::Literal> literals;
  for (size_t i = 0; i < count; ++i) {
    literals.push_back(xla::LiteralUtil::CreateR1<float>(
        {arguments[i], static_cast<size_t>(size)}));
  }
  const auto value = Run(*program->executable, literals);
  if (Failed(value)) return -1;
  const auto data = value->data<float>();
  std::copy(data.begin(), data.end(), result);
  return 0;
}
