// Emits functions, and the control flow inside sequences.
#include "xla/backends/cpu/codegen/kernel_emitter.h"

#include <algorithm>
#include <deque>

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "xla/backends/cpu/codegen/elementwise/out_of_line.h"
#include "xla/backends/cpu/codegen/instruction_emitter.h"
#include "xla/backends/cpu/codegen/kernel_arrays.h"
#include "xla/backends/cpu/codegen/llvm_ir/loops.h"
#include "xla/backends/cpu/codegen/plans/loop_plan.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

// The function of xla/base/control/cancellation.h that returns a pointer to the
// run's token: the address of a 64-bit word, and the word's value as long as
// the run is not cancelled.
constexpr char kTokenFunction[] = "TesseraCancellationToken";

// Sequences of more instructions load pointers where they are needed.
constexpr size_t kManyInstructions = 16;

// Adds an empty `void name(ptr arrays, i64 begin, i64 end)`.
llvm::Function* AddFunction(llvm::Module& module, const std::string& name) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::FunctionType* type = llvm::FunctionType::get(
      llvm::Type::getVoidTy(context), {pointer, i64, i64}, false);
  llvm::Function* function = llvm::Function::Create(
      type, llvm::GlobalValue::ExternalLinkage, name, module);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addParamAttr(0, llvm::Attribute::NoAlias);
  function->addParamAttr(0, llvm::Attribute::ReadOnly);
  llvm::BasicBlock::Create(context, "entry", function);
  return function;
}

// Emits the instructions of a sequence one after the other.
class SequenceEmitter {
 public:
  SequenceEmitter(EmitContext& context, KernelArrays& arrays,
                  const KernelSpec& spec)
      : context_(context), arrays_(arrays), spec_(spec) {
    if (!spec_.cancellable_loops.empty()) LoadToken();
  }

  absl::Status Emit(const HloInstruction* instruction) {
    if (IsMemoryName(instruction->opcode())) return absl::OkStatus();
    if (instruction->opcode() == HloOpcode::kWhile) {
      return EmitWhile(instruction);
    }
    if (instruction->opcode() == HloOpcode::kConditional) {
      return EmitConditional(instruction);
    }
    const Work work = WorkOf(*instruction, context_.target);
    return EmitInstruction(context_, arrays_, *instruction,
                           context_.b.getInt64(0),
                           context_.b.getInt64(work.workgroups));
  }

  absl::Status EmitAll(const HloComputation* computation) {
    for (const auto& instruction : computation->instructions()) {
      TF_RETURN_IF_ERROR(Emit(instruction));
    }
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<Element> LoadScalar(const HloInstruction* instruction) {
    ElementalEmitter emitter(context_);
    if (!instruction->IsConstant()) {
      TF_ASSIGN_OR_RETURN(IrArray array, arrays_.ArrayOf(instruction, 0));
      emitter.BindArray(instruction, 0, array);
    }
    return emitter.EmitScalar(instruction);
  }

  llvm::BasicBlock* NewBlock(const char* name) {
    return llvm::BasicBlock::Create(context_.b.getContext(), name,
                                    context_.b.GetInsertBlock()->getParent());
  }

  absl::Status EmitWhile(const HloInstruction* loop) {
    llvm::IRBuilder<>& b = context_.b;
    llvm::BasicBlock* test = NewBlock("while.condition");
    llvm::BasicBlock* body = NewBlock("while.body");
    llvm::BasicBlock* after = NewBlock("while.end");
    b.CreateBr(test);
    b.SetInsertPoint(test);
    TF_RETURN_IF_ERROR(EmitAll(loop->while_condition()));
    TF_ASSIGN_OR_RETURN(
        Element go_on, LoadScalar(loop->while_condition()->root_instruction()));
    llvm::Value* goes_on = go_on.value;
    // After the condition, whose loads are then in each iteration too.
    if (spec_.cancellable_loops.contains(loop)) {
      goes_on = b.CreateAnd(goes_on, EmitNotCancelled());
    }
    b.CreateCondBr(goes_on, body, after);
    b.SetInsertPoint(body);
    TF_RETURN_IF_ERROR(EmitAll(loop->while_body()));
    b.CreateBr(test);
    b.SetInsertPoint(after);
    return absl::OkStatus();
  }

  void LoadToken() {
    llvm::IRBuilder<>& b = context_.b;
    llvm::Module* const module = b.GetInsertBlock()->getModule();
    const llvm::FunctionCallee function =
        module->getOrInsertFunction(kTokenFunction, b.getPtrTy());
    llvm::CallInst* const token = b.CreateCall(function);
    token->setDoesNotThrow();
    token->setOnlyReadsMemory();
    word_ = b.CreateLoad(b.getPtrTy(), token);
    begun_ = b.CreateLoad(
        b.getInt64Ty(), b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), token, 8));
  }

  // Returns whether the run goes on. If not, the loop ends as if its condition
  // were false, and the executor makes an error of it. The load is volatile,
  // and not atomic, so that it is in each iteration but does not keep LLVM from
  // moving accesses of other memory.
  llvm::Value* EmitNotCancelled() {
    llvm::IRBuilder<>& b = context_.b;
    llvm::Value* const word =
        b.CreateAlignedLoad(b.getInt64Ty(), word_, llvm::Align(8),
                            /*isVolatile=*/true);
    return b.CreateICmpEQ(word, begun_);
  }

  absl::Status EmitConditional(const HloInstruction* conditional) {
    llvm::IRBuilder<>& b = context_.b;
    const HloInstruction* selector = conditional->operand(0);
    TF_ASSIGN_OR_RETURN(Element choice, LoadScalar(selector));
    const int branches =
        static_cast<int>(conditional->called_computations().size());
    llvm::Value* number = choice.value;
    if (selector->shape().element_type() == PRED) {
      // The first branch is that for true.
      number = b.CreateZExt(b.CreateNot(number), b.getInt32Ty());
    }
    llvm::BasicBlock* after = NewBlock("conditional.end");
    llvm::BasicBlock* last = NewBlock("branch");
    llvm::SwitchInst* dispatch = b.CreateSwitch(number, last, branches);
    for (int i = 0; i < branches; ++i) {
      llvm::BasicBlock* block = i + 1 < branches ? NewBlock("branch") : last;
      if (block != last) dispatch->addCase(b.getInt32(i), block);
      b.SetInsertPoint(block);
      TF_RETURN_IF_ERROR(EmitAll(conditional->branch_computation(i)));
      b.CreateBr(after);
    }
    b.SetInsertPoint(after);
    return absl::OkStatus();
  }

  EmitContext& context_;
  KernelArrays& arrays_;
  const KernelSpec& spec_;
  llvm::Value* word_ = nullptr;  // these two are set if there are such loops
  llvm::Value* begun_ = nullptr;
};

// Emits `spec.mapped` at elements [begin, end) of the arrays: a loop over
// vectors, then one over the remaining elements.
absl::Status EmitMapped(EmitContext& context, KernelArrays& arrays,
                        const KernelSpec& spec, llvm::Value* begin,
                        llvm::Value* end) {
  llvm::IRBuilder<>& b = context.b;
  const HloComputation& computation = *spec.mapped;
  std::vector<const HloInstruction*> values(
      computation.parameter_instructions().begin(),
      computation.parameter_instructions().end());
  values.push_back(computation.root_instruction());
  // The arrays have any length: the number of workgroups is known only when the
  // kernel is called.
  std::deque<Shape> shapes;
  std::vector<IrArray> memory;
  int bytes = 1;
  for (const HloInstruction* value : values) {
    const PrimitiveType type = value->shape().element_type();
    bytes = std::max(bytes, RegisterBytes(type));
    shapes.push_back(ShapeUtil::MakeShape(type, {INT32_MAX}));
    memory.push_back(arrays.ArrayNumber(memory.size(), &shapes.back()));
  }
  auto step = [&](llvm::Value* i, int lanes) -> absl::Status {
    VectorIndex index{.lanes = lanes};
    index.linear = AffineIndex{.base = i, .step = lanes == 1 ? 0 : 1};
    std::vector<Element> arguments;
    for (size_t p = 0; p + 1 < memory.size(); ++p) {
      arguments.push_back(memory[p].Load(context, index));
    }
    ElementalEmitter emitter(context);
    TF_ASSIGN_OR_RETURN(std::vector<Element> result,
                        emitter.EmitComputation(computation, arguments));
    memory.back().Store(context, index, result[0]);
    return absl::OkStatus();
  };
  const int lanes = context.target.Lanes(bytes);
  llvm::Value* rest = b.CreateSRem(b.CreateSub(end, begin), b.getInt64(lanes));
  llvm::Value* whole = b.CreateSub(end, rest);
  TF_RETURN_IF_ERROR(EmitFor(b, begin, whole, lanes,
                             [&](llvm::Value* i) { return step(i, lanes); }));
  return EmitFor(b, whole, end, 1, [&](llvm::Value* i) { return step(i, 1); });
}

absl::Status EmitSequence(EmitContext& context, KernelArrays& arrays,
                          const KernelSpec& spec) {
  SequenceEmitter emitter(context, arrays, spec);
  arrays.LoadLocals();
  for (const HloInstruction* instruction : spec.instructions) {
    // The pointers that a loop uses must be loaded before it.
    arrays.set_load_late(spec.instructions.size() > kManyInstructions &&
                         instruction->opcode() != HloOpcode::kWhile);
    TF_RETURN_IF_ERROR(emitter.Emit(instruction));
  }
  arrays.StoreLocals();
  return absl::OkStatus();
}

}  // namespace

bool IsSequence(absl::Span<const HloInstruction* const> instructions) {
  return instructions.size() > 1 ||
         (instructions.size() == 1 && HasBodies(*instructions[0]));
}

absl::Status EmitKernel(const KernelSpec& spec, const TargetInfo& target,
                        const std::string& symbol, llvm::Module& llvm_module) {
  llvm::Function* function = AddFunction(llvm_module, symbol);
  llvm::IRBuilder<> b(&function->getEntryBlock());
  // Code that is added to the entry block later goes before this branch.
  llvm::BasicBlock* body =
      llvm::BasicBlock::Create(b.getContext(), "body", function);
  b.SetInsertPoint(body);
  EmitContext context{
      .b = b,
      .target = target,
      .long_operations = FirstLongOperations(spec.instructions)};
  KernelArrays arrays(b, function->getArg(0), spec);
  llvm::Value* begin = function->getArg(1);
  llvm::Value* end = function->getArg(2);
  arrays.LoadColumnRange(context.column_range);
  if (spec.mapped != nullptr) {
    TF_RETURN_IF_ERROR(EmitMapped(context, arrays, spec, begin, end));
  } else if (IsSequence(spec.instructions)) {
    TF_RETURN_IF_ERROR(EmitSequence(context, arrays, spec));
  } else {
    TF_RETURN_IF_ERROR(
        spec.row_columns > 0
            ? EmitBlocksOfRows(context, arrays, *spec.instructions[0],
                               spec.row_columns, begin, end)
            : EmitInstruction(context, arrays, *spec.instructions[0], begin,
                              end));
  }
  b.CreateRetVoid();
  b.SetInsertPoint(&function->getEntryBlock());
  b.CreateBr(body);
  return absl::OkStatus();
}

}  // namespace xla::cpu
