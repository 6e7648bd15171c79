// Internal functions that are never inlined: their arguments and results are
// elements in registers.
#include "xla/backends/cpu/codegen/elementwise/out_of_line.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla::cpu {
namespace {

// The number of long operations that a function may hold inline. A loop and its
// remainder contain each op of a fusion twice. Beyond this limit, compile time
// outweighs the few per cent of run time that inlining saves.
constexpr int kMaxInline = 64;

std::vector<llvm::Value*> Parts(absl::Span<const Element> elements) {
  std::vector<llvm::Value*> parts;
  for (const Element& element : elements) {
    parts.push_back(element.value);
    if (element.imag != nullptr) parts.push_back(element.imag);
  }
  return parts;
}

// `elements` with their values replaced by `parts`.
template <typename Values>
std::vector<Element> WithParts(absl::Span<const Element> elements,
                               const Values& parts) {
  std::vector<Element> result;
  size_t next = 0;
  for (const Element& element : elements) {
    Element& copy = result.emplace_back();
    copy.value = &parts[next++];
    if (element.imag != nullptr) copy.imag = &parts[next++];
  }
  return result;
}

absl::Status EmitBody(EmitContext& context, llvm::Function* function,
                      absl::Span<const Element> operands, EmitOperation emit) {
  llvm::IRBuilder<> b(
      llvm::BasicBlock::Create(function->getContext(), "entry", function));
  EmitContext inside{.b = b, .target = context.target};
  const std::vector<Element> arguments =
      WithParts(operands, function->arg_begin());
  TF_ASSIGN_OR_RETURN(const Element result, emit(inside, arguments));
  llvm::Value* value = result.value;
  if (result.imag != nullptr) {
    value = llvm::PoisonValue::get(function->getReturnType());
    value = b.CreateInsertValue(value, result.value, 0);
    value = b.CreateInsertValue(value, result.imag, 1);
  }
  b.CreateRet(value);
  return absl::OkStatus();
}

llvm::FunctionType* TypeOf(llvm::LLVMContext& context, PrimitiveType type,
                           int lanes,
                           absl::Span<llvm::Value* const> arguments) {
  std::vector<llvm::Type*> types;
  for (const llvm::Value* argument : arguments) {
    types.push_back(argument->getType());
  }
  llvm::Type* result = WithLanes(RegisterType(context, type), lanes);
  if (primitive_util::IsComplexType(type)) {
    result = llvm::StructType::get(result, result);
  }
  return llvm::FunctionType::get(result, types, /*isVarArg=*/false);
}

// Adds the long operations of `hlo` and of what it calls to `count`; stops once
// `count` exceeds kMaxInline.
void CountLongOperations(const HloInstruction& hlo, int& count) {
  if (count > kMaxInline) return;
  const bool is_complex =
      hlo.operand_count() > 0 &&
      primitive_util::IsComplexType(hlo.operand(0)->shape().element_type());
  if (IsLongOperation(hlo.opcode(), is_complex)) ++count;
  for (const HloComputation* called : hlo.called_computations()) {
    for (const auto& inner : called->instructions()) {
      CountLongOperations(*inner, count);
    }
  }
}

}  // namespace

int FirstLongOperations(absl::Span<const HloInstruction* const> instructions) {
  int count = 0;
  for (const HloInstruction* hlo : instructions) {
    CountLongOperations(*hlo, count);
  }
  return count > kMaxInline ? kMaxInline : 0;
}

bool IsLongOperation(HloOpcode opcode, bool is_complex) {
  switch (GetOpDef(opcode).cost_class) {
    case CostClass::kRemainder:
    case CostClass::kTranscendental:
    case CostClass::kLongTranscendental:
      return true;
    case CostClass::kDivision:
    case CostClass::kSquareRoot:
      return is_complex;
    case CostClass::kArithmetic:
      // Both compute the modulus of a complex number.
      return is_complex &&
             (opcode == HloOpcode::kAbs || opcode == HloOpcode::kSign);
    case CostClass::kNone:
    case CostClass::kControl:
    case CostClass::kFusion:
    case CostClass::kMovement:
    case CostClass::kApplication:
    case CostClass::kScatteredUpdate:
    case CostClass::kContraction:
    case CostClass::kAlgorithm:
    case CostClass::kDevice:
    case CostClass::kForeign:
      return false;
  }
  return false;
}

absl::StatusOr<Element> EmitOrCall(EmitContext& context,
                                   const std::string& name, PrimitiveType type,
                                   absl::Span<const Element> operands,
                                   EmitOperation emit) {
  if (context.long_operations < kMaxInline) {
    ++context.long_operations;
    return emit(context, operands);
  }
  llvm::IRBuilder<>& b = context.b;
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  const int lanes = LanesOf(operands[0].value);
  const std::string symbol = absl::StrCat(name, ".", lanes);
  const std::vector<llvm::Value*> arguments = Parts(operands);
  llvm::Function* function = module.getFunction(symbol);
  if (function == nullptr) {
    function = llvm::Function::Create(
        TypeOf(module.getContext(), type, lanes, arguments),
        llvm::GlobalValue::InternalLinkage, symbol, module);
    function->setCallingConv(llvm::CallingConv::Fast);
    function->addFnAttr(llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    function->addFnAttr(llvm::Attribute::WillReturn);
    function->setDoesNotAccessMemory();
    absl::Status status = EmitBody(context, function, operands, emit);
    if (!status.ok()) {
      function->eraseFromParent();
      return status;
    }
  }
  llvm::CallInst* call = b.CreateCall(function, arguments);
  call->setCallingConv(llvm::CallingConv::Fast);
  if (!primitive_util::IsComplexType(type)) return Element{call};
  return Element{b.CreateExtractValue(call, 0), b.CreateExtractValue(call, 1)};
}

}  // namespace xla::cpu
