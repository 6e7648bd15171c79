; ModuleID = 'loop_fusion.1'
source_filename = "loop_fusion.1"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nounwind
define void @kernel.0(ptr noalias readonly %0, i64 %1, i64 %2) #0 {
  %4 = getelementptr inbounds i8, ptr %0, i64 8
  %5 = load ptr, ptr %4, align 8, !invariant.load !0
  %6 = load ptr, ptr %0, align 8, !invariant.load !0
  %7 = getelementptr inbounds i8, ptr %0, i64 16
  %8 = load ptr, ptr %7, align 8, !invariant.load !0
  %9 = icmp slt i64 %1, %2
  br i1 %9, label %10, label %60

10:                                               ; preds = %3
  %11 = load <16 x float>, ptr %6, align 4, !invariant.load !0
  br label %12

12:                                               ; preds = %10, %12
  %13 = phi i64 [ %58, %12 ], [ %1, %10 ]
  %14 = lshr i64 %13, 1
  %15 = and i64 %14, 6
  %16 = shl i64 %13, 1
  %17 = and i64 %16, 6
  %18 = shl nuw nsw i64 %17, 4
  %19 = shl nuw nsw i64 %15, 7
  %20 = or disjoint i64 %18, %19
  %21 = shl nuw nsw i64 %13, 6
  %22 = and i64 %21, 9223372036854774784
  %23 = or disjoint i64 %20, %22
  %24 = getelementptr inbounds float, ptr %5, i64 %23
  %25 = load <16 x float>, ptr %24, align 64, !invariant.load !0
  %26 = fadd <16 x float> %25, %11
  %27 = call <16 x float> @llvm.maximum.v16f32(<16 x float> %26, <16 x float> zeroinitializer)
  %28 = or disjoint i64 %18, 16
  %29 = or disjoint i64 %28, %19
  %30 = or disjoint i64 %29, %22
  %31 = getelementptr inbounds float, ptr %5, i64 %30
  %32 = load <16 x float>, ptr %31, align 64, !invariant.load !0
  %33 = fadd <16 x float> %32, %11
  %34 = call <16 x float> @llvm.maximum.v16f32(<16 x float> %33, <16 x float> zeroinitializer)
  %35 = call <16 x float> @llvm.x86.avx512.mask.range.ps.512(<16 x float> %27, <16 x float> %34, i32 5, <16 x float> %27, i16 -1, i32 4)
  %36 = fcmp uno <16 x float> %27, %34
  %37 = select <16 x i1> %36, <16 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>, <16 x float> %35
  %38 = or disjoint i64 %19, 128
  %39 = or disjoint i64 %18, %38
  %40 = or disjoint i64 %39, %22
  %41 = getelementptr inbounds float, ptr %5, i64 %40
  %42 = load <16 x float>, ptr %41, align 64, !invariant.load !0
  %43 = fadd <16 x float> %42, %11
  %44 = call <16 x float> @llvm.maximum.v16f32(<16 x float> %43, <16 x float> zeroinitializer)
  %45 = call <16 x float> @llvm.x86.avx512.mask.range.ps.512(<16 x float> %37, <16 x float> %44, i32 5, <16 x float> %37, i16 -1, i32 4)
  %46 = fcmp uno <16 x float> %37, %44
  %47 = select <16 x i1> %46, <16 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>, <16 x float> %45
  %48 = or disjoint i64 %28, %38
  %49 = or disjoint i64 %48, %22
  %50 = getelementptr inbounds float, ptr %5, i64 %49
  %51 = load <16 x float>, ptr %50, align 64, !invariant.load !0
  %52 = fadd <16 x float> %51, %11
  %53 = call <16 x float> @llvm.maximum.v16f32(<16 x float> %52, <16 x float> zeroinitializer)
  %54 = call <16 x float> @llvm.x86.avx512.mask.range.ps.512(<16 x float> %47, <16 x float> %53, i32 5, <16 x float> %47, i16 -1, i32 4)
  %55 = fcmp uno <16 x float> %47, %53
  %56 = select <16 x i1> %55, <16 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>, <16 x float> %54
  %57 = getelementptr inbounds i8, ptr %8, i64 %21
  store <16 x float> %56, ptr %57, align 64
  %58 = add nuw nsw i64 %13, 1
  %59 = icmp slt i64 %58, %2
  br i1 %59, label %12, label %60

60:                                               ; preds = %12, %3
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x float> @llvm.maximum.v16f32(<16 x float>, <16 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare <16 x float> @llvm.x86.avx512.mask.range.ps.512(<16 x float>, <16 x float>, i32 immarg, <16 x float>, i16, i32 immarg) #2

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(none) }

!0 = !{}
