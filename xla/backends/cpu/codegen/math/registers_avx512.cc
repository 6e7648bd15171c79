// Instructions that only AVX-512 has: vscalef computes x * 2^n and replaces
// eight others; reciprocals from vrcp14 replace a division that takes 16
// cycles; vrange orders zeros of different signs; vpermps and vpermi2pd look up
// 16 numbers.
#include "xla/backends/cpu/codegen/math/registers_avx512.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace xla::cpu {
namespace {

using llvm::Value;

llvm::Intrinsic::ID ScaleIntrinsic(bool is_double, unsigned bits) {
  switch (bits) {
    case 128:
      return is_double ? llvm::Intrinsic::x86_avx512_mask_scalef_pd_128
                       : llvm::Intrinsic::x86_avx512_mask_scalef_ps_128;
    case 256:
      return is_double ? llvm::Intrinsic::x86_avx512_mask_scalef_pd_256
                       : llvm::Intrinsic::x86_avx512_mask_scalef_ps_256;
    default:
      return is_double ? llvm::Intrinsic::x86_avx512_mask_scalef_pd_512
                       : llvm::Intrinsic::x86_avx512_mask_scalef_ps_512;
  }
}

// Emits one instruction on a full register of `bits` bits.
Value* ScaleRegister(FloatLanes& l, Value* x, Value* n, unsigned bits) {
  llvm::IRBuilderBase& b = l.b();
  const unsigned lanes = bits / (l.is_double() ? 64 : 32);
  llvm::Type* mask = b.getIntNTy(std::max(lanes, 8u));
  std::vector<Value*> args = {x, n, x, llvm::Constant::getAllOnesValue(mask)};
  if (bits == 512) args.push_back(b.getInt32(4));  // current rounding mode
  return b.CreateIntrinsic(ScaleIntrinsic(l.is_double(), bits), {}, args);
}

Value* EstimateReciprocal(FloatLanes& l, Value* x, unsigned bits) {
  llvm::IRBuilderBase& b = l.b();
  const llvm::Intrinsic::ID id =
      bits == 128   ? llvm::Intrinsic::x86_avx512_rcp14_ps_128
      : bits == 256 ? llvm::Intrinsic::x86_avx512_rcp14_ps_256
                    : llvm::Intrinsic::x86_avx512_rcp14_ps_512;
  llvm::Type* mask = b.getIntNTy(std::max(bits / 32, 8u));
  return b.CreateIntrinsic(id, {},
                           {x, x, llvm::Constant::getAllOnesValue(mask)});
}

llvm::Intrinsic::ID RangeIntrinsic(bool is_double, unsigned bits) {
  switch (bits) {
    case 128:
      return is_double ? llvm::Intrinsic::x86_avx512_mask_range_pd_128
                       : llvm::Intrinsic::x86_avx512_mask_range_ps_128;
    case 256:
      return is_double ? llvm::Intrinsic::x86_avx512_mask_range_pd_256
                       : llvm::Intrinsic::x86_avx512_mask_range_ps_256;
    default:
      return is_double ? llvm::Intrinsic::x86_avx512_mask_range_pd_512
                       : llvm::Intrinsic::x86_avx512_mask_range_ps_512;
  }
}

Value* ExtremeOfRegisters(FloatLanes& l, Value* x, Value* y, bool greater,
                          unsigned bits) {
  llvm::IRBuilderBase& b = l.b();
  const unsigned lanes = bits / (l.is_double() ? 64 : 32);
  llvm::Type* mask = b.getIntNTy(std::max(lanes, 8u));
  // Bit 0 asks for the maximum, bit 2 for the result's own sign.
  std::vector<Value*> args = {x, y, b.getInt32(greater ? 5 : 4), x,
                              llvm::Constant::getAllOnesValue(mask)};
  if (bits == 512) args.push_back(b.getInt32(4));  // exceptions as elsewhere
  return b.CreateIntrinsic(RangeIntrinsic(l.is_double(), bits), {}, args);
}

// Lanes [begin, begin + count) of x; lanes past its end are undefined.
Value* Slice(FloatLanes& l, Value* x, unsigned begin, unsigned count) {
  std::vector<int> lanes(count, -1);
  for (unsigned i = 0; i < count && begin + i < l.lanes(); ++i) {
    lanes[i] = static_cast<int>(begin + i);
  }
  return l.b().CreateShuffleVector(x, lanes);
}

// Emits an instruction on full registers of `bits` bits. RegisterByRegister
// splits values of any number of lanes into such registers, of `least_bits` or
// more.
using OnRegisters =
    llvm::function_ref<Value*(llvm::ArrayRef<Value*> operands, unsigned bits)>;

Value* OnScalars(FloatLanes& l, llvm::ArrayRef<Value*> operands, unsigned bits,
                 OnRegisters instruction) {
  llvm::IRBuilderBase& b = l.b();
  const unsigned lanes = bits / (l.is_double() ? 64 : 32);
  std::vector<Value*> registers;
  for (Value* operand : operands) {
    llvm::Type* type = llvm::FixedVectorType::get(operand->getType(), lanes);
    registers.push_back(b.CreateInsertElement(llvm::PoisonValue::get(type),
                                              operand, uint64_t{0}));
  }
  return b.CreateExtractElement(instruction(registers, bits), uint64_t{0});
}

Value* RegisterByRegister(FloatLanes& l, llvm::ArrayRef<Value*> operands,
                          OnRegisters instruction, unsigned least_bits = 128) {
  if (l.lanes() == 0) return OnScalars(l, operands, least_bits, instruction);
  const unsigned lane_bits = l.is_double() ? 64 : 32;
  const unsigned bits = l.lanes() * lane_bits;
  const unsigned piece_bits = std::max(least_bits, bits <= 128   ? 128u
                                                   : bits <= 256 ? 256u
                                                                 : 512u);
  const unsigned piece = piece_bits / lane_bits;
  if (piece == l.lanes()) return instruction(operands, piece_bits);
  // Assemble the other widths lane by lane.
  Value* result = nullptr;
  for (unsigned begin = 0; begin < l.lanes(); begin += piece) {
    std::vector<Value*> registers;
    for (Value* operand : operands) {
      registers.push_back(Slice(l, operand, begin, piece));
    }
    Value* part = instruction(registers, piece_bits);
    std::vector<int> spread(l.lanes());
    for (unsigned i = 0; i < l.lanes(); ++i) {
      const bool here = i >= begin && i < begin + piece;
      spread[i] = here ? static_cast<int>(i - begin) : -1;
    }
    part = l.b().CreateShuffleVector(part, spread);
    if (result == nullptr) {
      result = part;
      continue;
    }
    std::vector<int> blend(l.lanes());
    for (unsigned i = 0; i < l.lanes(); ++i) {
      blend[i] = static_cast<int>(i < begin ? i : i + l.lanes());
    }
    result = l.b().CreateShuffleVector(result, part, blend);
  }
  return result;
}

}  // namespace

Value* ScaleByInstruction(FloatLanes& l, Value* x, Value* n) {
  return RegisterByRegister(
      l, {x, n}, [&](llvm::ArrayRef<Value*> operands, unsigned bits) {
        return ScaleRegister(l, operands[0], operands[1], bits);
      });
}

Value* ReciprocalByEstimate(FloatLanes& l, Value* x) {
  Value* estimate = RegisterByRegister(
      l, {x}, [&](llvm::ArrayRef<Value*> operands, unsigned bits) {
        return EstimateReciprocal(l, operands[0], bits);
      });
  // The estimate has 14 bits; a Newton step doubles them.
  Value* error = l.Fma(l.Neg(x), estimate, l.C(1));
  return l.Fma(estimate, error, estimate);
}

Value* ExtremeByInstruction(FloatLanes& l, Value* x, Value* y, bool greater) {
  return RegisterByRegister(
      l, {x, y}, [&](llvm::ArrayRef<Value*> operands, unsigned bits) {
        return ExtremeOfRegisters(l, operands[0], operands[1], greater, bits);
      });
}

Value* LookUpByInstruction(FloatLanes& l, const double (&table)[16],
                           Value* index) {
  llvm::IRBuilderBase& b = l.b();
  if (!l.is_double()) {
    std::vector<float> floats(std::begin(table), std::end(table));
    llvm::Constant* entries = llvm::ConstantDataVector::get(
        b.getContext(), llvm::ArrayRef<float>(floats));
    return RegisterByRegister(
        l, {index},
        [&](llvm::ArrayRef<Value*> operands, unsigned) {
          return b.CreateIntrinsic(llvm::Intrinsic::x86_avx512_permvar_sf_512,
                                   {}, {entries, operands[0]});
        },
        /*least_bits=*/512);
  }
  const llvm::ArrayRef<double> entries(table);
  if (l.lanes() == 0) {
    // A load takes less time than moving the index into a vector register.
    llvm::Constant* data =
        llvm::ConstantDataArray::get(b.getContext(), entries);
    Value* at = b.CreateAnd(index, l.I(15));
    return b.CreateLoad(l.type(),
                        b.CreateGEP(l.type(), ConstantTable(b, data), at));
  }
  llvm::Constant* low =
      llvm::ConstantDataVector::get(b.getContext(), entries.take_front(8));
  llvm::Constant* high =
      llvm::ConstantDataVector::get(b.getContext(), entries.take_back(8));
  return RegisterByRegister(
      l, {index},
      [&](llvm::ArrayRef<Value*> operands, unsigned) {
        return b.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_pd_512,
                                 {}, {low, operands[0], high});
      },
      /*least_bits=*/512);
}

}  // namespace xla::cpu
