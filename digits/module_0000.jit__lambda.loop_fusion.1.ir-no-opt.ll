; ModuleID = 'loop_fusion.1'
source_filename = "loop_fusion.1"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nounwind
define void @kernel.0(ptr noalias readonly %0, i64 %1, i64 %2) #0 {
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
  br i1 %12, label %13, label %94

13:                                               ; preds = %13, %11
  %14 = phi i64 [ %1, %11 ], [ %92, %13 ]
  %15 = urem i64 %14, 4
  %16 = udiv i64 %14, 4
  %17 = urem i64 %16, 4
  %18 = udiv i64 %16, 4
  store <16 x float> <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>, ptr %4, align 64
  %19 = mul nsw i64 %17, 2
  %20 = mul nsw i64 %15, 2
  %21 = mul nsw i64 %20, 16
  %22 = add nsw i64 0, %21
  %23 = mul nsw i64 %19, 128
  %24 = add nsw i64 %22, %23
  %25 = mul nsw i64 %18, 1024
  %26 = add nsw i64 %24, %25
  %27 = getelementptr inbounds float, ptr %6, i64 %26
  %28 = load <16 x float>, ptr %27, align 64, !invariant.load !0
  %29 = getelementptr inbounds float, ptr %8, i64 0
  %30 = load <16 x float>, ptr %29, align 4, !invariant.load !0
  %31 = fadd <16 x float> %28, %30
  %32 = call <16 x float> @llvm.maximum.v16f32(<16 x float> %31, <16 x float> zeroinitializer)
  %33 = call <16 x float> @llvm.maximum.v16f32(<16 x float> <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>, <16 x float> %32)
  store <16 x float> %33, ptr %4, align 64
  %34 = mul nsw i64 %17, 2
  %35 = mul nsw i64 %15, 2
  %36 = add nsw i64 %35, 1
  %37 = mul nsw i64 %36, 16
  %38 = add nsw i64 0, %37
  %39 = mul nsw i64 %34, 128
  %40 = add nsw i64 %38, %39
  %41 = mul nsw i64 %18, 1024
  %42 = add nsw i64 %40, %41
  %43 = getelementptr inbounds float, ptr %6, i64 %42
  %44 = load <16 x float>, ptr %43, align 64, !invariant.load !0
  %45 = getelementptr inbounds float, ptr %8, i64 0
  %46 = load <16 x float>, ptr %45, align 4, !invariant.load !0
  %47 = fadd <16 x float> %44, %46
  %48 = call <16 x float> @llvm.maximum.v16f32(<16 x float> %47, <16 x float> zeroinitializer)
  %49 = call <16 x float> @llvm.x86.avx512.mask.range.ps.512(<16 x float> %33, <16 x float> %48, i32 5, <16 x float> %33, i16 -1, i32 4)
  %50 = fcmp uno <16 x float> %33, %48
  %51 = select <16 x i1> %50, <16 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>, <16 x float> %49
  store <16 x float> %51, ptr %4, align 64
  %52 = mul nsw i64 %17, 2
  %53 = add nsw i64 %52, 1
  %54 = mul nsw i64 %15, 2
  %55 = mul nsw i64 %54, 16
  %56 = add nsw i64 0, %55
  %57 = mul nsw i64 %53, 128
  %58 = add nsw i64 %56, %57
  %59 = mul nsw i64 %18, 1024
  %60 = add nsw i64 %58, %59
  %61 = getelementptr inbounds float, ptr %6, i64 %60
  %62 = load <16 x float>, ptr %61, align 64, !invariant.load !0
  %63 = getelementptr inbounds float, ptr %8, i64 0
  %64 = load <16 x float>, ptr %63, align 4, !invariant.load !0
  %65 = fadd <16 x float> %62, %64
  %66 = call <16 x float> @llvm.maximum.v16f32(<16 x float> %65, <16 x float> zeroinitializer)
  %67 = call <16 x float> @llvm.x86.avx512.mask.range.ps.512(<16 x float> %51, <16 x float> %66, i32 5, <16 x float> %51, i16 -1, i32 4)
  %68 = fcmp uno <16 x float> %51, %66
  %69 = select <16 x i1> %68, <16 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>, <16 x float> %67
  store <16 x float> %69, ptr %4, align 64
  %70 = mul nsw i64 %17, 2
  %71 = add nsw i64 %70, 1
  %72 = mul nsw i64 %15, 2
  %73 = add nsw i64 %72, 1
  %74 = mul nsw i64 %73, 16
  %75 = add nsw i64 0, %74
  %76 = mul nsw i64 %71, 128
  %77 = add nsw i64 %75, %76
  %78 = mul nsw i64 %18, 1024
  %79 = add nsw i64 %77, %78
  %80 = getelementptr inbounds float, ptr %6, i64 %79
  %81 = load <16 x float>, ptr %80, align 64, !invariant.load !0
  %82 = getelementptr inbounds float, ptr %8, i64 0
  %83 = load <16 x float>, ptr %82, align 4, !invariant.load !0
  %84 = fadd <16 x float> %81, %83
  %85 = call <16 x float> @llvm.maximum.v16f32(<16 x float> %84, <16 x float> zeroinitializer)
  %86 = call <16 x float> @llvm.x86.avx512.mask.range.ps.512(<16 x float> %69, <16 x float> %85, i32 5, <16 x float> %69, i16 -1, i32 4)
  %87 = fcmp uno <16 x float> %69, %85
  %88 = select <16 x i1> %87, <16 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>, <16 x float> %86
  store <16 x float> %88, ptr %4, align 64
  %89 = mul nsw i64 %14, 16
  %90 = add nsw i64 0, %89
  %91 = getelementptr inbounds float, ptr %10, i64 %90
  store <16 x float> %88, ptr %91, align 64
  %92 = add nuw nsw i64 %14, 1
  %93 = icmp slt i64 %92, %2
  br i1 %93, label %13, label %94

94:                                               ; preds = %13, %11
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
