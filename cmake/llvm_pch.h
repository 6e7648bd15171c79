// The precompiled header of the layers with LLVM inside.
#ifndef CMAKE_LLVM_PCH_H_
#define CMAKE_LLVM_PCH_H_

#include "cmake/pch.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#endif  // CMAKE_LLVM_PCH_H_
