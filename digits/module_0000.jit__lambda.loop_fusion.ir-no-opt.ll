; ModuleID = 'loop_fusion'
source_filename = "loop_fusion"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nounwind
define void @kernel.1(ptr noalias readonly %0, i64 %1, i64 %2) #0 {
  %4 = alloca <16 x float>, align 64
  %5 = getelementptr inbounds ptr, ptr %0, i64 1
  %6 = load ptr, ptr %5, align 8, !invariant.load !0
  %7 = getelementptr inbounds ptr, ptr %0, i64 0
  %8 = load ptr, ptr %7, align 8, !invariant.load !0
  %9 = getelementptr inbounds ptr, ptr %0, i64 2
  %10 = load ptr, ptr %9, align 8, !invariant.load !0
  br label %11

11:                                               ; preds = %3
  %12 = icmp slt i64 %1, %2
  br i1 %12, label %13, label %19

13:                                               ; preds = %97, %11
  %14 = phi i64 [ %1, %11 ], [ %98, %97 ]
  %15 = urem i64 %14, 2
  %16 = udiv i64 %14, 2
  %17 = urem i64 %16, 2
  %18 = udiv i64 %16, 2
  br label %20

19:                                               ; preds = %97, %11
  ret void

20:                                               ; preds = %20, %13
  %21 = phi i64 [ 0, %13 ], [ %95, %20 ]
  store <16 x float> <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>, ptr %4, align 64
  %22 = mul nsw i64 %17, 2
  %23 = mul nsw i64 %15, 2
  %24 = mul nsw i64 %23, 32
  %25 = add nsw i64 %21, %24
  %26 = mul nsw i64 %22, 128
  %27 = add nsw i64 %25, %26
  %28 = mul nsw i64 %18, 512
  %29 = add nsw i64 %27, %28
  %30 = getelementptr inbounds float, ptr %6, i64 %29
  %31 = load <16 x float>, ptr %30, align 64, !invariant.load !0
  %32 = getelementptr inbounds float, ptr %8, i64 %21
  %33 = load <16 x float>, ptr %32, align 4, !invariant.load !0
  %34 = fadd <16 x float> %31, %33
  %35 = call <16 x float> @llvm.maximum.v16f32(<16 x float> %34, <16 x float> zeroinitializer)
  %36 = call <16 x float> @llvm.maximum.v16f32(<16 x float> <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>, <16 x float> %35)
  store <16 x float> %36, ptr %4, align 64
  %37 = mul nsw i64 %17, 2
  %38 = mul nsw i64 %15, 2
  %39 = add nsw i64 %38, 1
  %40 = mul nsw i64 %39, 32
  %41 = add nsw i64 %21, %40
  %42 = mul nsw i64 %37, 128
  %43 = add nsw i64 %41, %42
  %44 = mul nsw i64 %18, 512
  %45 = add nsw i64 %43, %44
  %46 = getelementptr inbounds float, ptr %6, i64 %45
  %47 = load <16 x float>, ptr %46, align 64, !invariant.load !0
  %48 = getelementptr inbounds float, ptr %8, i64 %21
  %49 = load <16 x float>, ptr %48, align 4, !invariant.load !0
  %50 = fadd <16 x float> %47, %49
  %51 = call <16 x float> @llvm.maximum.v16f32(<16 x float> %50, <16 x float> zeroinitializer)
  %52 = call <16 x float> @llvm.x86.avx512.mask.range.ps.512(<16 x float> %36, <16 x float> %51, i32 5, <16 x float> %36, i16 -1, i32 4)
  %53 = fcmp uno <16 x float> %36, %51
  %54 = select <16 x i1> %53, <16 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>, <16 x float> %52
  store <16 x float> %54, ptr %4, align 64
  %55 = mul nsw i64 %17, 2
  %56 = add nsw i64 %55, 1
  %57 = mul nsw i64 %15, 2
  %58 = mul nsw i64 %57, 32
  %59 = add nsw i64 %21, %58
  %60 = mul nsw i64 %56, 128
  %61 = add nsw i64 %59, %60
  %62 = mul nsw i64 %18, 512
  %63 = add nsw i64 %61, %62
  %64 = getelementptr inbounds float, ptr %6, i64 %63
  %65 = load <16 x float>, ptr %64, align 64, !invariant.load !0
  %66 = getelementptr inbounds float, ptr %8, i64 %21
  %67 = load <16 x float>, ptr %66, align 4, !invariant.load !0
  %68 = fadd <16 x float> %65, %67
  %69 = call <16 x float> @llvm.maximum.v16f32(<16 x float> %68, <16 x float> zeroinitializer)
  %70 = call <16 x float> @llvm.x86.avx512.mask.range.ps.512(<16 x float> %54, <16 x float> %69, i32 5, <16 x float> %54, i16 -1, i32 4)
  %71 = fcmp uno <16 x float> %54, %69
  %72 = select <16 x i1> %71, <16 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>, <16 x float> %70
  store <16 x float> %72, ptr %4, align 64
  %73 = mul nsw i64 %17, 2
  %74 = add nsw i64 %73, 1
  %75 = mul nsw i64 %15, 2
  %76 = add nsw i64 %75, 1
  %77 = mul nsw i64 %76, 32
  %78 = add nsw i64 %21, %77
  %79 = mul nsw i64 %74, 128
  %80 = add nsw i64 %78, %79
  %81 = mul nsw i64 %18, 512
  %82 = add nsw i64 %80, %81
  %83 = getelementptr inbounds float, ptr %6, i64 %82
  %84 = load <16 x float>, ptr %83, align 64, !invariant.load !0
  %85 = getelementptr inbounds float, ptr %8, i64 %21
  %86 = load <16 x float>, ptr %85, align 4, !invariant.load !0
  %87 = fadd <16 x float> %84, %86
  %88 = call <16 x float> @llvm.maximum.v16f32(<16 x float> %87, <16 x float> zeroinitializer)
  %89 = call <16 x float> @llvm.x86.avx512.mask.range.ps.512(<16 x float> %72, <16 x float> %88, i32 5, <16 x float> %72, i16 -1, i32 4)
  %90 = fcmp uno <16 x float> %72, %88
  %91 = select <16 x i1> %90, <16 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>, <16 x float> %89
  store <16 x float> %91, ptr %4, align 64
  %92 = mul nsw i64 %14, 32
  %93 = add nsw i64 %21, %92
  %94 = getelementptr inbounds float, ptr %10, i64 %93
  store <16 x float> %91, ptr %94, align 64
  %95 = add nuw nsw i64 %21, 16
  %96 = icmp slt i64 %95, 32
  br i1 %96, label %20, label %97

97:                                               ; preds = %20
  %98 = add nuw nsw i64 %14, 1
  %99 = icmp slt i64 %98, %2
  br i1 %99, label %13, label %19
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x float> @llvm.maximum.v16f32(<16 x float>, <16 x float>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare <16 x float> @llvm.x86.avx512.mask.range.ps.512(<16 x float>, <16 x float>, i32 immarg, <16 x float>, i16, i32 immarg) #2

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(none) }

!0 = !{}
