// LLVM may have bugs: tests each of its operations that code generation uses,
// at every width at which it is emitted and for processors of every level, on
// special values; and that code generation uses no others.
#include "tests/backends/cpu/codegen/llvm_operations.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "tests/backends/cpu/codegen/isa_targets.h"
#include "xla/backends/cpu/jit/jit_compiler.h"

namespace xla::cpu {
namespace {

// A multiple of the largest number of lanes, 256 of 8 bits.
constexpr int64_t kLaneCount = 1536;
// The most registers that one value may take: loops handle that many at a time.
constexpr int kMaxRegisters = 4;

// Packs operands contiguously in memory of their type.
std::vector<uint8_t> Packed(LaneType type, const std::vector<uint64_t>& lanes) {
  const int bytes = LaneBits(type) / 8;
  std::vector<uint8_t> memory(lanes.size() * bytes);
  for (size_t i = 0; i < lanes.size(); ++i) {
    std::memcpy(&memory[i * bytes], &lanes[i], bytes);
  }
  return memory;
}

uint64_t LaneAt(LaneType type, const std::vector<uint8_t>& memory, int64_t i) {
  const int bytes = LaneBits(type) / 8;
  uint64_t bits = 0;
  std::memcpy(&bits, &memory[i * bytes], bytes);
  return bits;
}

// All pairs of special values, then others; a third value with each.
std::vector<uint64_t> OperandLanes(LaneType type, int position) {
  const std::vector<uint64_t> specials = SpecialBits(type);
  const int64_t n = static_cast<int64_t>(specials.size());
  std::vector<uint64_t> lanes(kLaneCount);
  for (int64_t i = 0; i < kLaneCount; ++i) {
    const int64_t k = position == 0   ? i
                      : position == 1 ? i / n + i % n
                                      : i * 7 + i / n;
    lanes[i] = specials[k % n];
  }
  return lanes;
}

llvm::Type* LanesOf(llvm::Type* scalar, int lanes) {
  return lanes == 1 ? scalar : llvm::FixedVectorType::get(scalar, lanes);
}

// Emits void name(ptr x, ptr y, ptr z, ptr out), which handles all kLaneCount
// lanes, `lanes` at a time.
void EmitOperation(llvm::Module& module, const LlvmOperation& operation,
                   int lanes, const std::string& name) {
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> b(context);
  llvm::Type* ptr = b.getPtrTy();
  auto* function = llvm::Function::Create(
      llvm::FunctionType::get(b.getVoidTy(), {ptr, ptr, ptr, ptr}, false),
      llvm::Function::ExternalLinkage, name, module);
  auto* entry = llvm::BasicBlock::Create(context, "", function);
  auto* loop = llvm::BasicBlock::Create(context, "", function);
  auto* done = llvm::BasicBlock::Create(context, "", function);
  b.SetInsertPoint(entry);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  llvm::PHINode* index = b.CreatePHI(b.getInt64Ty(), 2);
  llvm::Type* in = ScalarOf(context, operation.in);
  llvm::Value* operands[3] = {};
  for (int i = 0; i < operation.arity; ++i) {
    operands[i] = b.CreateAlignedLoad(
        LanesOf(in, lanes), b.CreateGEP(in, function->getArg(i), index),
        llvm::Align(1));
  }
  llvm::Value* result =
      operation.emit(b, operands[0], operands[1], operands[2]);
  llvm::Type* out = ScalarOf(context, operation.out);
  if (operation.out == LaneType::kI1) {
    out = b.getInt8Ty();
    result = b.CreateZExt(result, LanesOf(out, lanes));
  }
  b.CreateAlignedStore(result, b.CreateGEP(out, function->getArg(3), index),
                       llvm::Align(1));
  llvm::Value* next = b.CreateAdd(index, b.getInt64(lanes));
  index->addIncoming(b.getInt64(0), entry);
  index->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpULT(next, b.getInt64(kLaneCount)), loop, done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
}

using OperationFunction = void(const void*, const void*, const void*, void*);

void RunOperation(const LlvmOperation& operation, int lanes,
                  OperationFunction* function) {
  std::vector<uint64_t> operands[3];
  std::vector<uint8_t> memory[3];
  for (int i = 0; i < 3; ++i) {
    operands[i] = OperandLanes(operation.in, i);
    memory[i] = Packed(operation.in, operands[i]);
  }
  std::vector<uint8_t> out(kLaneCount * LaneBits(operation.out) / 8, 0xee);
  function(memory[0].data(), memory[1].data(), memory[2].data(), out.data());
  int wrong = 0;
  for (int64_t i = 0; i < kLaneCount; ++i) {
    const uint64_t x = operands[0][i], y = operands[1][i], z = operands[2][i];
    const uint64_t expected = operation.expected(x, y, z);
    const uint64_t actual = LaneAt(operation.out, out, i);
    if (SameResult(operation.out, actual, expected, operation.tolerance)) {
      continue;
    }
    if (++wrong > 3) break;
    ADD_FAILURE() << operation.source << " on " << lanes << " lanes of "
                  << LaneBits(operation.in) << " bits: " << std::hex << x << " "
                  << y << " " << z << " gives " << actual << ", not "
                  << expected;
  }
}

// Tests all operations at all widths for `target`, at one optimization level.
void CompileAndRun(const IsaTarget& isa, OptLevel level) {
  const TargetInfo& target = isa.target;
  const std::vector<LlvmOperation> operations = LlvmOperations();
  ModuleInput input = NewModule("operations", target, level);
  struct Made {
    const LlvmOperation* operation;
    int lanes;
    std::string name;
  };
  std::vector<Made> made;
  for (const LlvmOperation& operation : operations) {
    if (operation.used != nullptr && !operation.used(target)) continue;
    const int bytes =
        std::max(LaneBits(operation.in), LaneBits(operation.out)) / 8;
    const int most = kMaxRegisters * target.vector_bytes / bytes;
    // Code that does not run need not be compiled at each width.
    const int step = isa.missing.empty() && level == OptLevel::kHot ? 2 : most;
    for (int lanes = 1; lanes <= most; lanes *= step) {
      made.push_back(
          {&operation, lanes, absl::StrCat("operation_", made.size())});
      EmitOperation(*input.module, operation, lanes, made.back().name);
    }
  }
  JitOptions options;
  options.target = target;
  options.verify = true;
  std::vector<ModuleInput> modules;
  modules.push_back(std::move(input));
  if (!isa.missing.empty()) {
    ASSERT_TRUE(CompileToObject(std::move(modules[0]), target, {}).ok());
    return;
  }
  const auto code = JitCompiler(options).Compile(std::move(modules));
  ASSERT_TRUE(code.ok()) << code.status();
  for (const Made& one : made) {
    const auto function = (*code)->Function<OperationFunction>(one.name);
    ASSERT_TRUE(function.ok()) << function.status();
    RunOperation(*one.operation, one.lanes, *function);
  }
}

class LlvmOperationsTest : public testing::TestWithParam<size_t> {
 protected:
  const IsaTarget& isa() const { return IsaTargets()[GetParam()]; }
};

TEST_P(LlvmOperationsTest, Optimised) { CompileAndRun(isa(), OptLevel::kHot); }

TEST_P(LlvmOperationsTest, Cold) { CompileAndRun(isa(), OptLevel::kCold); }

// Masked loads, gathers, scatters and stores of each width, for every pattern
// of the mask: out[3 i] = x[i] where the mask of i is set, in `lanes` lanes.
void EmitMasked(llvm::Module& module, LaneType type, int lanes,
                const std::string& name) {
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> b(context);
  llvm::Type* ptr = b.getPtrTy();
  auto* function = llvm::Function::Create(
      llvm::FunctionType::get(b.getInt1Ty(), {ptr, ptr, ptr, ptr, ptr}, false),
      llvm::Function::ExternalLinkage, name, module);
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "", function));
  llvm::Type* scalar = ScalarOf(context, type);
  llvm::Type* vector = llvm::FixedVectorType::get(scalar, lanes);
  const llvm::Align align(LaneBits(type) / 8);
  llvm::Value* bytes =
      b.CreateAlignedLoad(llvm::FixedVectorType::get(b.getInt8Ty(), lanes),
                          function->getArg(1), llvm::Align(1));
  llvm::Value* mask =
      b.CreateICmpNE(bytes, llvm::Constant::getNullValue(bytes->getType()));
  llvm::Constant* zero = llvm::Constant::getNullValue(vector);
  // Loads x[i] with a mask and stores it to out; gathers x[lanes - 1 - i] and
  // scatters it to every third element of out2.
  llvm::Value* loaded =
      b.CreateMaskedLoad(vector, function->getArg(0), align, mask, zero);
  b.CreateMaskedStore(loaded, function->getArg(2), align, mask);
  std::vector<llvm::Constant*> back, thirds;
  std::vector<int> reversed;
  for (int i = 0; i < lanes; ++i) {
    back.push_back(b.getInt64(lanes - 1 - i));
    thirds.push_back(b.getInt64(3 * i));
    reversed.push_back(lanes - 1 - i);
  }
  llvm::Value* addresses = b.CreateInBoundsGEP(scalar, function->getArg(0),
                                               llvm::ConstantVector::get(back));
  llvm::Value* gathered =
      b.CreateMaskedGather(vector, addresses, align, mask, zero);
  llvm::Value* places = b.CreateInBoundsGEP(scalar, function->getArg(3),
                                            llvm::ConstantVector::get(thirds));
  b.CreateMaskedScatter(gathered, places, align, mask);
  // Reverses all of x, passing the first and the last element through scalars.
  llvm::Value* whole = b.CreateAlignedLoad(vector, function->getArg(0), align);
  llvm::Value* backwards = b.CreateShuffleVector(whole, reversed);
  llvm::Value* first = b.CreateExtractElement(whole, uint64_t{0});
  backwards = b.CreateInsertElement(backwards, first, uint64_t(lanes - 1));
  b.CreateMemCpy(function->getArg(4), llvm::Align(1), function->getArg(0),
                 llvm::Align(1), lanes * LaneBits(type) / 8);
  b.CreateAlignedStore(
      backwards,
      b.CreateConstInBoundsGEP1_64(scalar, function->getArg(4), lanes), align);
  b.CreateRet(b.CreateOrReduce(mask));
}

using MaskedFunction = bool(const void* x, const uint8_t* mask, void* out,
                            void* thirds, void* backwards);

// The initial byte of memory, which no operand contains.
constexpr uint8_t kUntouched = 0xee;

void RunMasked(LaneType type, int lanes, MaskedFunction* function) {
  const int bytes = LaneBits(type) / 8;
  std::vector<uint8_t> x(lanes * bytes);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<uint8_t>(i % 199);
  const auto same = [&](const uint8_t* a, int i) {
    return std::memcmp(a, &x[i * bytes], bytes) == 0;
  };
  const auto untouched = [&](const uint8_t* a) {
    return std::all_of(a, a + bytes, [](uint8_t c) { return c == kUntouched; });
  };
  for (int pattern = 0; pattern < 6; ++pattern) {
    std::vector<uint8_t> mask(lanes);
    for (int i = 0; i < lanes; ++i) {
      mask[i] = pattern == 0   ? 0
                : pattern == 1 ? 1
                : pattern == 2 ? i % 2
                : pattern == 3 ? i < lanes / 2
                : pattern == 4 ? i == lanes - 1
                               : i * i % 7 < 3;
    }
    std::vector<uint8_t> out(lanes * bytes, kUntouched);
    std::vector<uint8_t> thirds(3 * lanes * bytes, kUntouched);
    std::vector<uint8_t> backwards(2 * lanes * bytes, kUntouched);
    const bool any = function(x.data(), mask.data(), out.data(), thirds.data(),
                              backwards.data());
    EXPECT_EQ(any, std::count(mask.begin(), mask.end(), 0) != lanes);
    bool right = true;
    for (int i = 0; i < lanes; ++i) {
      const int back = lanes - 1 - i;
      const uint8_t* third = &thirds[3 * i * bytes];
      right &= mask[i] != 0 ? same(&out[i * bytes], i) && same(third, back)
                            : untouched(&out[i * bytes]) && untouched(third);
      right &= untouched(third + bytes) && untouched(third + 2 * bytes);
      right &= same(&backwards[i * bytes], i);
      right &= same(&backwards[(lanes + i) * bytes], back);
    }
    EXPECT_TRUE(right) << lanes << " lanes of " << 8 * bytes << " bits, mask "
                       << pattern;
  }
}

TEST_P(LlvmOperationsTest, Movements) {
  constexpr LaneType kTypes[] = {LaneType::kI8, LaneType::kI16, LaneType::kI32,
                                 LaneType::kF32, LaneType::kF64};
  ModuleInput input = NewModule("movements", isa().target);
  std::vector<std::pair<LaneType, int>> made;
  for (const LaneType type : kTypes) {
    const int most =
        kMaxRegisters * isa().target.vector_bytes * 8 / LaneBits(type);
    for (int lanes = 2; lanes <= std::min(most, 64); lanes *= 2) {
      EmitMasked(*input.module, type, lanes,
                 absl::StrCat("movement_", made.size()));
      made.push_back({type, lanes});
    }
  }
  if (!isa().missing.empty()) {
    ASSERT_TRUE(CompileToObject(std::move(input), isa().target, {}).ok());
    return;
  }
  JitOptions options;
  options.target = isa().target;
  options.verify = true;
  std::vector<ModuleInput> modules;
  modules.push_back(std::move(input));
  const auto code = JitCompiler(options).Compile(std::move(modules));
  ASSERT_TRUE(code.ok()) << code.status();
  for (size_t i = 0; i < made.size(); ++i) {
    const auto function =
        (*code)->Function<MaskedFunction>(absl::StrCat("movement_", i));
    ASSERT_TRUE(function.ok()) << function.status();
    RunMasked(made[i].first, made[i].second, *function);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, LlvmOperationsTest,
                         testing::Range(size_t{0}, IsaTargets().size()),
                         [](const auto& info) {
                           return IsaTargets()[info.param].name;
                         });

// The words in the sources of code generation that match `pattern`.
std::set<std::string> WordsInSources(const std::string& pattern) {
  const char* root = std::getenv("TESSERA_SRC");
  std::set<std::string> words;
  if (root == nullptr) return words;
  const std::regex regex(pattern);
  for (const char* folder : {"codegen", "jit"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(root) / "xla/backends/cpu" / folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".cc" && extension != ".h") continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const std::string source = text.str();
      for (std::sregex_iterator it(source.begin(), source.end(), regex), end;
           it != end; ++it) {
        words.insert((*it)[1]);
      }
    }
  }
  return words;
}

// Expects `list` and the words to be the same set.
void ExpectListed(const std::set<std::string>& words,
                  const std::set<std::string>& list) {
  ASSERT_FALSE(words.empty()) << "TESSERA_SRC names no tree";
  std::vector<std::string> missing, gone;
  std::set_difference(words.begin(), words.end(), list.begin(), list.end(),
                      std::back_inserter(missing));
  std::set_difference(list.begin(), list.end(), words.begin(), words.end(),
                      std::back_inserter(gone));
  EXPECT_TRUE(missing.empty()) << "in use, but in no list and so untested: "
                               << absl::StrJoin(missing, " ");
  EXPECT_TRUE(gone.empty())
      << "in a list, but not used: " << absl::StrJoin(gone, " ");
}

TEST(LlvmListTest, EveryOperationIsTested) {
  std::set<std::string> list;
  for (const LlvmOperation& operation : LlvmOperations()) {
    for (absl::string_view name : absl::StrSplit(operation.source, ' ')) {
      list.emplace(name);
    }
  }
  for (const std::string& name : LlvmMovements()) list.insert(name);
  ExpectListed(WordsInSources("(?:llvm::|[.>])(Intrinsic::(?!ID)\\w+|"
                              "Create(?!FromName|d)[A-Z]\\w*(?=\\())"),
               list);
}

TEST(LlvmListTest, EveryFlagIsListed) {
  const std::vector<std::string> flags = LlvmFlags();
  ExpectListed(
      WordsInSources("(Attribute::(?!AttrKind|get)\\w+|LLVMContext::MD_\\w+|"
                     "FPOpFusion::\\w+|\\w*[fF]astMathFlags?|"
                     "set(?:HasNo\\w+|IsExact|NonNeg|DoesNot\\w+|Volatile)|"
                     "(?:NSW|NUW)\\w*|\\w*Exact[SU]Div|\\w*InBounds\\w*|"
                     "\"(?:llvm\\.|prefer-|min-|no-)[-.\\w]+\")"),
      {flags.begin(), flags.end()});
}

}  // namespace
}  // namespace xla::cpu
