; ModuleID = 'reduce_fusion'
source_filename = "reduce_fusion"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nounwind
define void @kernel.2(ptr noalias readonly %0, i64 %1, i64 %2) #0 {
  %4 = getelementptr inbounds ptr, ptr %0, i64 1
  %5 = load ptr, ptr %4, align 8, !invariant.load !0
  %6 = load ptr, ptr %0, align 8, !invariant.load !0
  %7 = getelementptr inbounds ptr, ptr %0, i64 3
  %8 = load ptr, ptr %7, align 8, !invariant.load !0
  %9 = getelementptr inbounds ptr, ptr %0, i64 2
  %10 = load ptr, ptr %9, align 8, !invariant.load !0
  %11 = sub i64 %2, 1
  %12 = icmp slt i64 %1, %2
  br i1 %12, label %13, label %152

13:                                               ; preds = %13, %3
  %14 = phi i64 [ %1, %3 ], [ %150, %13 ]
  %15 = add nuw nsw i64 %14, 1
  %16 = call i64 @llvm.smin.i64(i64 %15, i64 %11)
  %17 = mul nsw i64 %14, 10
  %18 = getelementptr inbounds float, ptr %5, i64 %17
  %19 = load <8 x float>, ptr %18, align 8, !invariant.load !0
  %20 = load <8 x float>, ptr %6, align 4, !invariant.load !0
  %21 = fadd <8 x float> %19, %20
  %22 = fcmp oeq <8 x float> <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>, %21
  %23 = and <8 x i1> %22, <i1 false, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %24 = select <8 x i1> %23, <8 x i32> zeroinitializer, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %25 = mul nsw i64 %16, 10
  %26 = getelementptr inbounds float, ptr %5, i64 %25
  %27 = load <8 x float>, ptr %26, align 8, !invariant.load !0
  %28 = fadd <8 x float> %27, %20
  %29 = fcmp oeq <8 x float> <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>, %28
  %30 = and <8 x i1> %29, <i1 false, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %31 = select <8 x i1> %30, <8 x i32> zeroinitializer, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %32 = add nsw i64 8, %17
  %33 = getelementptr inbounds float, ptr %5, i64 %32
  %34 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %33, i32 8, <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> zeroinitializer), !invariant.load !0
  %35 = getelementptr inbounds float, ptr %6, i64 8
  %36 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %35, i32 4, <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> zeroinitializer), !invariant.load !0
  %37 = fadd <8 x float> %34, %36
  %38 = fcmp ogt <8 x float> %21, %37
  %39 = fcmp une <8 x float> %21, %21
  %40 = or <8 x i1> %38, %39
  %41 = select <8 x i1> %40, <8 x float> %21, <8 x float> %37
  %42 = fcmp oeq <8 x float> %21, %37
  %43 = or <8 x i1> %40, %42
  %44 = select <8 x i1> %43, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %45 = select <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> %41, <8 x float> %21
  %46 = select <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x i32> %44, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %47 = add nsw i64 8, %25
  %48 = getelementptr inbounds float, ptr %5, i64 %47
  %49 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %48, i32 8, <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> zeroinitializer), !invariant.load !0
  %50 = fadd <8 x float> %49, %36
  %51 = fcmp ogt <8 x float> %28, %50
  %52 = fcmp une <8 x float> %28, %28
  %53 = or <8 x i1> %51, %52
  %54 = select <8 x i1> %53, <8 x float> %28, <8 x float> %50
  %55 = fcmp oeq <8 x float> %28, %50
  %56 = or <8 x i1> %53, %55
  %57 = select <8 x i1> %56, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %58 = select <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> %54, <8 x float> %28
  %59 = select <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x i32> %57, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %60 = shufflevector <8 x float> %45, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %61 = shufflevector <8 x i32> %46, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %62 = shufflevector <8 x float> %45, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %63 = shufflevector <8 x i32> %46, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %64 = fcmp ogt <4 x float> %60, %62
  %65 = fcmp une <4 x float> %60, %60
  %66 = or <4 x i1> %64, %65
  %67 = select <4 x i1> %66, <4 x float> %60, <4 x float> %62
  %68 = fcmp oeq <4 x float> %60, %62
  %69 = icmp slt <4 x i32> %61, %63
  %70 = and <4 x i1> %68, %69
  %71 = or <4 x i1> %66, %70
  %72 = select <4 x i1> %71, <4 x i32> %61, <4 x i32> %63
  %73 = shufflevector <4 x float> %67, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %74 = shufflevector <4 x i32> %72, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
  %75 = shufflevector <4 x float> %67, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %76 = shufflevector <4 x i32> %72, <4 x i32> poison, <2 x i32> <i32 2, i32 3>
  %77 = fcmp ogt <2 x float> %73, %75
  %78 = fcmp une <2 x float> %73, %73
  %79 = or <2 x i1> %77, %78
  %80 = select <2 x i1> %79, <2 x float> %73, <2 x float> %75
  %81 = fcmp oeq <2 x float> %73, %75
  %82 = icmp slt <2 x i32> %74, %76
  %83 = and <2 x i1> %81, %82
  %84 = or <2 x i1> %79, %83
  %85 = select <2 x i1> %84, <2 x i32> %74, <2 x i32> %76
  %86 = extractelement <2 x float> %80, i64 0
  %87 = extractelement <2 x i32> %85, i64 0
  %88 = extractelement <2 x float> %80, i64 1
  %89 = extractelement <2 x i32> %85, i64 1
  %90 = fcmp ogt float %86, %88
  %91 = fcmp une float %86, %86
  %92 = or i1 %90, %91
  %93 = select i1 %92, float %86, float %88
  %94 = fcmp oeq float %86, %88
  %95 = icmp slt i32 %87, %89
  %96 = and i1 %94, %95
  %97 = or i1 %92, %96
  %98 = select i1 %97, i32 %87, i32 %89
  %99 = fcmp oeq float 0xFFF0000000000000, %93
  %100 = icmp slt i32 0, %98
  %101 = and i1 %99, %100
  %102 = select i1 %101, i32 0, i32 %98
  %103 = shufflevector <8 x float> %58, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %104 = shufflevector <8 x i32> %59, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %105 = shufflevector <8 x float> %58, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %106 = shufflevector <8 x i32> %59, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %107 = fcmp ogt <4 x float> %103, %105
  %108 = fcmp une <4 x float> %103, %103
  %109 = or <4 x i1> %107, %108
  %110 = select <4 x i1> %109, <4 x float> %103, <4 x float> %105
  %111 = fcmp oeq <4 x float> %103, %105
  %112 = icmp slt <4 x i32> %104, %106
  %113 = and <4 x i1> %111, %112
  %114 = or <4 x i1> %109, %113
  %115 = select <4 x i1> %114, <4 x i32> %104, <4 x i32> %106
  %116 = shufflevector <4 x float> %110, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %117 = shufflevector <4 x i32> %115, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
  %118 = shufflevector <4 x float> %110, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %119 = shufflevector <4 x i32> %115, <4 x i32> poison, <2 x i32> <i32 2, i32 3>
  %120 = fcmp ogt <2 x float> %116, %118
  %121 = fcmp une <2 x float> %116, %116
  %122 = or <2 x i1> %120, %121
  %123 = select <2 x i1> %122, <2 x float> %116, <2 x float> %118
  %124 = fcmp oeq <2 x float> %116, %118
  %125 = icmp slt <2 x i32> %117, %119
  %126 = and <2 x i1> %124, %125
  %127 = or <2 x i1> %122, %126
  %128 = select <2 x i1> %127, <2 x i32> %117, <2 x i32> %119
  %129 = extractelement <2 x float> %123, i64 0
  %130 = extractelement <2 x i32> %128, i64 0
  %131 = extractelement <2 x float> %123, i64 1
  %132 = extractelement <2 x i32> %128, i64 1
  %133 = fcmp ogt float %129, %131
  %134 = fcmp une float %129, %129
  %135 = or i1 %133, %134
  %136 = select i1 %135, float %129, float %131
  %137 = fcmp oeq float %129, %131
  %138 = icmp slt i32 %130, %132
  %139 = and i1 %137, %138
  %140 = or i1 %135, %139
  %141 = select i1 %140, i32 %130, i32 %132
  %142 = fcmp oeq float 0xFFF0000000000000, %136
  %143 = icmp slt i32 0, %141
  %144 = and i1 %142, %143
  %145 = select i1 %144, i32 0, i32 %141
  %146 = getelementptr inbounds float, ptr %10, i64 %14
  store float %93, ptr %146, align 4
  %147 = getelementptr inbounds float, ptr %10, i64 %16
  store float %136, ptr %147, align 4
  %148 = getelementptr inbounds i32, ptr %8, i64 %14
  store i32 %102, ptr %148, align 4
  %149 = getelementptr inbounds i32, ptr %8, i64 %16
  store i32 %145, ptr %149, align 4
  %150 = add nuw nsw i64 %14, 2
  %151 = icmp slt i64 %150, %2
  br i1 %151, label %13, label %152

152:                                              ; preds = %13, %3
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr nocapture, i32 immarg, <8 x i1>, <8 x float>) #2

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }

!0 = !{}
