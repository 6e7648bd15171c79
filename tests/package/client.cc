// A program written only against XLA's headers. It must build unchanged with
// find_package(Tessera) and one target_link_libraries line, and give correct
// results: exit status 0 and "all checks passed".
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/array2d.h"
#include "xla/client/client_library.h"
#include "xla/client/global_data.h"
#include "xla/client/local_client.h"
#include "xla/error_spec.h"
#include "xla/executable_run_options.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/loops.h"
#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/lib/matrix.h"
#include "xla/hlo/builder/lib/slicing.h"
#include "xla/hlo/builder/lib/sorting.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/layout.h"
#include "xla/layout_util.h"
#include "xla/literal.h"
#include "xla/literal_comparison.h"
#include "xla/literal_util.h"
#include "xla/primitive_util.h"
#include "xla/service/hlo.pb.h"
#include "xla/service/shaped_buffer.h"
#include "xla/shape.h"
#include "xla/shape_tree.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/errors.h"
#include "xla/tsl/platform/statusor.h"
#include "xla/types.h"
#include "xla/util.h"
#include "xla/xla_data.pb.h"

namespace {

using xla::Literal;
using xla::LiteralUtil;
using xla::Shape;
using xla::ShapeUtil;
using xla::XlaBuilder;
using xla::XlaOp;

// Returns an Internal error unless the two are equal.
absl::Status Same(const char* what, const Literal& got, const Literal& want) {
  if (got == want) return absl::OkStatus();
  return xla::Internal("%s: got %s, want %s", what, got.ToString(),
                       want.ToString());
}

absl::Status ShapesAndLayouts() {
  const Shape shape = ShapeUtil::MakeShape(xla::F32, {2, 3});
  TF_RET_CHECK(ShapeUtil::HumanString(shape) == "f32[2,3]");
  TF_RET_CHECK(ShapeUtil::ElementsIn(shape) == 6);
  TF_RET_CHECK(ShapeUtil::ByteSizeOf(shape) == 24);
  TF_RET_CHECK(shape.layout() == xla::LayoutUtil::MakeLayout({1, 0}));
  TF_ASSIGN_OR_RETURN(Shape parsed, xla::ParseShape("(f32[2]{0}, s32[<=4])"));
  TF_RET_CHECK(parsed.IsTuple() && parsed.tuple_shapes(1).is_dynamic());
  TF_ASSIGN_OR_RETURN(Shape again, Shape::FromProto(parsed.ToProto()));
  TF_RET_CHECK(parsed == again);
  xla::ShapeTree<int> tree(parsed, 1);
  int sum = 0;
  tree.ForEachElement([&](const xla::ShapeIndex& index, int n) { sum += n; });
  TF_RET_CHECK(sum == 3);
  TF_RET_CHECK(xla::primitive_util::BitWidth(xla::BF16) == 16);
  return absl::OkStatus();
}

absl::Status Literals() {
  Literal a = LiteralUtil::CreateR2<float>({{1, 2.5}, {3, 4}});
  TF_RET_CHECK(a.Get<float>({0, 1}) == 2.5f);
  TF_ASSIGN_OR_RETURN(Literal small, a.Convert(xla::BF16));
  TF_RET_CHECK(small.Get<xla::bfloat16>({1, 0}) == xla::bfloat16(3.0f));
  TF_ASSIGN_OR_RETURN(Literal flat, a.Reshape({4}));
  const Literal near = LiteralUtil::CreateR1<float>({1, 2.5, 3, 4.00001});
  TF_RETURN_IF_ERROR(
      xla::literal_comparison::Near(near, flat, xla::ErrorSpec(1e-3)));
  TF_ASSIGN_OR_RETURN(Literal copy, Literal::CreateFromProto(a.ToProto()));
  TF_RETURN_IF_ERROR(Same("proto", copy, a));
  xla::Array2D<int32_t> array(2, 2, 7);
  return Same("array", LiteralUtil::CreateR2FromArray2D(array),
              LiteralUtil::CreateR2<int32_t>({{7, 7}, {7, 7}}));
}

// softmax(x w + b) along the rows.
absl::StatusOr<xla::XlaComputation> Layer() {
  XlaBuilder builder("layer");
  XlaOp x = Parameter(&builder, 0, ShapeUtil::MakeShape(xla::F32, {2, 3}), "x");
  XlaOp w = Parameter(&builder, 1, ShapeUtil::MakeShape(xla::F32, {3, 4}), "w");
  XlaOp b = Parameter(&builder, 2, ShapeUtil::MakeShape(xla::F32, {4}), "b");
  XlaOp z = xla::Add(xla::Dot(x, w), b, /*broadcast_dimensions=*/{1});
  XlaOp top =
      xla::Reduce(z, xla::MinValue(&builder, xla::F32),
                  xla::CreateScalarMaxComputation(xla::F32, &builder), {1});
  XlaOp e = xla::Exp(xla::Sub(z, top, {0}));
  XlaOp sum =
      xla::Reduce(e, xla::Zero(&builder, xla::F32),
                  xla::CreateScalarAddComputation(xla::F32, &builder), {1});
  xla::Div(e, sum, {0});
  return builder.Build();
}

absl::Status RunsThroughTheClient() {
  xla::LocalClient* client = xla::ClientLibrary::LocalClientOrDie();
  TF_ASSIGN_OR_RETURN(xla::XlaComputation layer, Layer());
  TF_ASSIGN_OR_RETURN(xla::ProgramShape shape, layer.GetProgramShape());
  TF_RET_CHECK(shape.parameters_size() == 3);
  Literal x = LiteralUtil::CreateR2<float>({{0, 0, 0}, {1, 1, 1}});
  Literal w =
      LiteralUtil::CreateR2<float>({{1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}});
  Literal b = LiteralUtil::CreateR1<float>({0, 0, std::log(2.0f), 0});
  std::vector<std::unique_ptr<xla::GlobalData>> data;
  std::vector<xla::GlobalData*> arguments;
  for (const Literal* literal : {&x, &w, &b}) {
    TF_ASSIGN_OR_RETURN(std::unique_ptr<xla::GlobalData> held,
                        client->TransferToServer(*literal));
    arguments.push_back(held.get());
    data.push_back(std::move(held));
  }
  TF_ASSIGN_OR_RETURN(Literal result,
                      client->ExecuteAndTransfer(layer, arguments));
  return xla::literal_comparison::Near(
      LiteralUtil::CreateR2<float>({{.2, .2, .4, .2}, {.2, .2, .4, .2}}),
      result, xla::ErrorSpec(1e-5));
}

absl::Status CompilesAndRunsOnBuffers() {
  XlaBuilder builder("square");
  const Shape shape = ShapeUtil::MakeShape(xla::S32, {3});
  xla::Square(Parameter(&builder, 0, shape, "x"));
  TF_ASSIGN_OR_RETURN(xla::XlaComputation square, builder.Build());
  xla::LocalClient* client = xla::ClientLibrary::LocalClientOrDie();
  xla::ExecutableBuildOptions build_options;
  build_options.set_device_ordinal(client->default_device_ordinal());
  TF_ASSIGN_OR_RETURN(
      std::vector<std::unique_ptr<xla::LocalExecutable>> executables,
      client->Compile(square, {&shape}, build_options));
  TF_ASSIGN_OR_RETURN(
      xla::ScopedShapedBuffer x,
      client->LiteralToShapedBuffer(LiteralUtil::CreateR1<int32_t>({1, 2, 3}),
                                    client->default_device_ordinal()));
  xla::ExecutableRunOptions run_options;
  run_options.set_device_ordinal(client->default_device_ordinal());
  run_options.set_allocator(client->backend().memory_allocator());
  TF_ASSIGN_OR_RETURN(xla::ScopedShapedBuffer y,
                      executables[0]->Run({&x}, run_options));
  TF_ASSIGN_OR_RETURN(Literal result, client->ShapedBufferToLiteral(y));
  return Same("square", result, LiteralUtil::CreateR1<int32_t>({1, 4, 9}));
}

absl::Status UsesTheLibrary() {
  XlaBuilder builder("library");
  // 2^5 by a loop, the identity matrix, and the two largest of three numbers.
  auto doubled = xla::ForEachIndex(
      5, xla::S32,
      [](XlaOp i, absl::Span<const XlaOp> values,
         XlaBuilder* body) -> absl::StatusOr<std::vector<XlaOp>> {
        return std::vector<XlaOp>{values[0] + values[0]};
      },
      {xla::ConstantR0<int32_t>(&builder, 1)}, "powers", &builder);
  TF_RETURN_IF_ERROR(doubled.status());
  XlaOp eye = xla::IdentityMatrix(&builder, xla::F32, 2, 2);
  XlaOp top = xla::TopK(xla::ConstantR1<float>(&builder, {3, 9, 5}), 2,
                        xla::PrimitiveType::S32);
  xla::Tuple(&builder, {(*doubled)[0], eye, xla::GetTupleElement(top, 1),
                        xla::Erf(xla::ConstantR0<float>(&builder, 0))});
  TF_ASSIGN_OR_RETURN(xla::XlaComputation computation, builder.Build());
  TF_ASSIGN_OR_RETURN(
      Literal result,
      xla::ClientLibrary::LocalClientOrDie()->ExecuteAndTransfer(computation,
                                                                 {}));
  std::vector<Literal> parts = result.DecomposeTuple();
  TF_RETURN_IF_ERROR(
      Same("loop", parts[0], LiteralUtil::CreateR0<int32_t>(32)));
  TF_RETURN_IF_ERROR(
      Same("eye", parts[1], LiteralUtil::CreateR2<float>({{1, 0}, {0, 1}})));
  TF_RETURN_IF_ERROR(
      Same("top", parts[2], LiteralUtil::CreateR1<int32_t>({1, 2})));
  return Same("erf", parts[3], LiteralUtil::CreateR0<float>(0));
}

absl::Status EvaluatesModules() {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<xla::HloModule> module,
                      xla::ParseAndReturnUnverifiedModule(R"(
HloModule m
ENTRY e {
  x = f32[2]{0} parameter(0)
  ROOT y = f32[2]{0} negate(x)
})"));
  TF_RET_CHECK(module->entry_computation()->root_instruction()->opcode() ==
               xla::HloOpcode::kNegate);
  const Literal x = LiteralUtil::CreateR1<float>({1, -2});
  const Literal want = LiteralUtil::CreateR1<float>({-1, 2});
  xla::HloEvaluator evaluator;
  TF_ASSIGN_OR_RETURN(Literal y, evaluator.Evaluate(*module, {&x}));
  TF_RETURN_IF_ERROR(Same("text", y, want));

  // The same through a proto, with the config that it implies.
  const xla::HloModuleProto proto = module->ToProto();
  TF_ASSIGN_OR_RETURN(
      xla::HloModuleConfig config,
      xla::HloModule::CreateModuleConfigFromProto(proto, xla::DebugOptions()));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<xla::HloModule> copy,
                      xla::HloModule::CreateFromProto(proto, config));
  TF_ASSIGN_OR_RETURN(Literal z, evaluator.Evaluate(*copy, {&x}));
  TF_RETURN_IF_ERROR(Same("proto", z, want));
  return Same("computation",
              xla::ClientLibrary::LocalClientOrDie()
                  ->ExecuteAndTransfer(xla::XlaComputation(proto),
                                       {xla::ClientLibrary::LocalClientOrDie()
                                            ->TransferToServer(x)
                                            .value()
                                            .get()})
                  .value(),
              want);
}

absl::Status ErrorsAreStatuses() {
  XlaBuilder builder("wrong");
  xla::Add(xla::ConstantR1<float>(&builder, {1, 2}),
           xla::ConstantR1<float>(&builder, {1, 2, 3}));
  const absl::StatusOr<xla::XlaComputation> wrong = builder.Build();
  TF_RET_CHECK(absl::IsInvalidArgument(wrong.status()));
  TF_RET_CHECK(!xla::ParseAndReturnUnverifiedModule("HloModule {").ok());
  return absl::OkStatus();
}

}  // namespace

int main() {
  for (absl::Status (*check)() :
       {ShapesAndLayouts, Literals, RunsThroughTheClient,
        CompilesAndRunsOnBuffers, UsesTheLibrary, EvaluatesModules,
        ErrorsAreStatuses}) {
    const absl::Status status = check();
    if (!status.ok()) {
      std::printf("%s\n", status.ToString().c_str());
      return 1;
    }
  }
  std::puts("all checks passed");
}
