; ModuleID = 'loop_fusion'
source_filename = "loop_fusion"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nounwind
define void @kernel.1(ptr noalias readonly %0, i64 %1, i64 %2) #0 {
  %4 = getelementptr inbounds i8, ptr %0, i64 8
  %5 = load ptr, ptr %4, align 8, !invariant.load !0
  %6 = load ptr, ptr %0, align 8, !invariant.load !0
  %7 = getelementptr inbounds i8, ptr %0, i64 16
  %8 = load ptr, ptr %7, align 8, !invariant.load !0
  %9 = icmp slt i64 %1, %2
  br i1 %9, label %10, label %26

10:                                               ; preds = %3, %61
  %11 = phi i64 [ %62, %61 ], [ %1, %3 ]
  %12 = and i64 %11, 2
  %13 = shl i64 %11, 1
  %14 = and i64 %13, 2
  %15 = shl nuw nsw i64 %14, 5
  %16 = shl nuw nsw i64 %12, 7
  %17 = shl nuw nsw i64 %11, 7
  %18 = and i64 %17, 9223372036854775296
  %19 = getelementptr inbounds float, ptr %5, i64 %16
  %20 = getelementptr inbounds float, ptr %19, i64 %18
  %21 = or disjoint i64 %15, 32
  %22 = or disjoint i64 %16, 128
  %23 = getelementptr inbounds float, ptr %5, i64 %22
  %24 = getelementptr inbounds float, ptr %23, i64 %18
  %25 = getelementptr i8, ptr %8, i64 %17
  br label %27

26:                                               ; preds = %61, %3
  ret void

27:                                               ; preds = %27, %10
  %28 = phi i64 [ 0, %10 ], [ %59, %27 ]
  %29 = add nuw nsw i64 %28, %15
  %30 = getelementptr inbounds float, ptr %20, i64 %29
  %31 = load <16 x float>, ptr %30, align 64, !invariant.load !0
  %32 = getelementptr inbounds float, ptr %6, i64 %28
  %33 = load <16 x float>, ptr %32, align 4, !invariant.load !0
  %34 = fadd <16 x float> %31, %33
  %35 = call <16 x float> @llvm.maximum.v16f32(<16 x float> %34, <16 x float> zeroinitializer)
  %36 = add nuw nsw i64 %28, %21
  %37 = getelementptr inbounds float, ptr %20, i64 %36
  %38 = load <16 x float>, ptr %37, align 64, !invariant.load !0
  %39 = fadd <16 x float> %38, %33
  %40 = call <16 x float> @llvm.maximum.v16f32(<16 x float> %39, <16 x float> zeroinitializer)
  %41 = call <16 x float> @llvm.x86.avx512.mask.range.ps.512(<16 x float> %35, <16 x float> %40, i32 5, <16 x float> %35, i16 -1, i32 4)
  %42 = fcmp uno <16 x float> %35, %40
  %43 = select <16 x i1> %42, <16 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>, <16 x float> %41
  %44 = getelementptr inbounds float, ptr %24, i64 %29
  %45 = load <16 x float>, ptr %44, align 64, !invariant.load !0
  %46 = fadd <16 x float> %45, %33
  %47 = call <16 x float> @llvm.maximum.v16f32(<16 x float> %46, <16 x float> zeroinitializer)
  %48 = call <16 x float> @llvm.x86.avx512.mask.range.ps.512(<16 x float> %43, <16 x float> %47, i32 5, <16 x float> %43, i16 -1, i32 4)
  %49 = fcmp uno <16 x float> %43, %47
  %50 = select <16 x i1> %49, <16 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>, <16 x float> %48
  %51 = getelementptr inbounds float, ptr %24, i64 %36
  %52 = load <16 x float>, ptr %51, align 64, !invariant.load !0
  %53 = fadd <16 x float> %52, %33
  %54 = call <16 x float> @llvm.maximum.v16f32(<16 x float> %53, <16 x float> zeroinitializer)
  %55 = call <16 x float> @llvm.x86.avx512.mask.range.ps.512(<16 x float> %50, <16 x float> %54, i32 5, <16 x float> %50, i16 -1, i32 4)
  %56 = fcmp uno <16 x float> %50, %54
  %57 = select <16 x i1> %56, <16 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>, <16 x float> %55
  %58 = getelementptr float, ptr %25, i64 %28
  store <16 x float> %57, ptr %58, align 64
  %59 = add nuw nsw i64 %28, 16
  %60 = icmp eq i64 %28, 0
  br i1 %60, label %27, label %61

61:                                               ; preds = %27
  %62 = add nuw nsw i64 %11, 1
  %63 = icmp slt i64 %62, %2
  br i1 %63, label %10, label %26
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x float> @llvm.maximum.v16f32(<16 x float>, <16 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare <16 x float> @llvm.x86.avx512.mask.range.ps.512(<16 x float>, <16 x float>, i32 immarg, <16 x float>, i16, i32 immarg) #2

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(none) }

!0 = !{}
