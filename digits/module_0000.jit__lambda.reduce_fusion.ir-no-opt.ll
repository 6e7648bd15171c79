; ModuleID = 'reduce_fusion'
source_filename = "reduce_fusion"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nounwind
define void @kernel.2(ptr noalias readonly %0, i64 %1, i64 %2) #0 {
  %4 = alloca <8 x i32>, align 32
  %5 = alloca <8 x float>, align 32
  %6 = alloca <8 x i32>, align 32
  %7 = alloca <8 x float>, align 32
  %8 = getelementptr inbounds ptr, ptr %0, i64 1
  %9 = load ptr, ptr %8, align 8, !invariant.load !0
  %10 = getelementptr inbounds ptr, ptr %0, i64 0
  %11 = load ptr, ptr %10, align 8, !invariant.load !0
  %12 = getelementptr inbounds ptr, ptr %0, i64 3
  %13 = load ptr, ptr %12, align 8, !invariant.load !0
  %14 = getelementptr inbounds ptr, ptr %0, i64 2
  %15 = load ptr, ptr %14, align 8, !invariant.load !0
  br label %16

16:                                               ; preds = %3
  %17 = sub i64 %2, 1
  %18 = icmp slt i64 %1, %2
  br i1 %18, label %19, label %191

19:                                               ; preds = %19, %16
  %20 = phi i64 [ %1, %16 ], [ %189, %19 ]
  %21 = add nuw nsw i64 %20, 1
  %22 = call i64 @llvm.smin.i64(i64 %21, i64 %17)
  store <8 x float> <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>, ptr %7, align 32
  store <8 x i32> zeroinitializer, ptr %6, align 32
  store <8 x float> <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>, ptr %5, align 32
  store <8 x i32> zeroinitializer, ptr %4, align 32
  %23 = mul nsw i64 %20, 10
  %24 = add nsw i64 0, %23
  %25 = getelementptr inbounds float, ptr %9, i64 %24
  %26 = load <8 x float>, ptr %25, align 8, !invariant.load !0
  %27 = getelementptr inbounds float, ptr %11, i64 0
  %28 = load <8 x float>, ptr %27, align 4, !invariant.load !0
  %29 = fadd <8 x float> %26, %28
  %30 = fcmp ogt <8 x float> <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>, %29
  %31 = or <8 x i1> %30, zeroinitializer
  %32 = select <8 x i1> %31, <8 x float> <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>, <8 x float> %29
  %33 = fcmp oeq <8 x float> <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>, %29
  %34 = and <8 x i1> %33, <i1 false, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %35 = or <8 x i1> %31, %34
  %36 = select <8 x i1> %35, <8 x i32> zeroinitializer, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %37 = select i1 true, <8 x float> %29, <8 x float> %32
  %38 = select i1 true, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, <8 x i32> %36
  store <8 x float> %37, ptr %7, align 32
  store <8 x i32> %38, ptr %6, align 32
  %39 = mul nsw i64 %22, 10
  %40 = add nsw i64 0, %39
  %41 = getelementptr inbounds float, ptr %9, i64 %40
  %42 = load <8 x float>, ptr %41, align 8, !invariant.load !0
  %43 = fadd <8 x float> %42, %28
  %44 = fcmp ogt <8 x float> <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>, %43
  %45 = or <8 x i1> %44, zeroinitializer
  %46 = select <8 x i1> %45, <8 x float> <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>, <8 x float> %43
  %47 = fcmp oeq <8 x float> <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>, %43
  %48 = and <8 x i1> %47, <i1 false, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %49 = or <8 x i1> %45, %48
  %50 = select <8 x i1> %49, <8 x i32> zeroinitializer, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %51 = select i1 true, <8 x float> %43, <8 x float> %46
  %52 = select i1 true, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, <8 x i32> %50
  store <8 x float> %51, ptr %5, align 32
  store <8 x i32> %52, ptr %4, align 32
  %53 = mul nsw i64 %20, 10
  %54 = add nsw i64 8, %53
  %55 = getelementptr inbounds float, ptr %9, i64 %54
  %56 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %55, i32 8, <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> zeroinitializer), !invariant.load !0
  %57 = getelementptr inbounds float, ptr %11, i64 8
  %58 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %57, i32 4, <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> zeroinitializer), !invariant.load !0
  %59 = fadd <8 x float> %56, %58
  %60 = fcmp ogt <8 x float> %37, %59
  %61 = fcmp une <8 x float> %37, %37
  %62 = or <8 x i1> %60, %61
  %63 = select <8 x i1> %62, <8 x float> %37, <8 x float> %59
  %64 = fcmp oeq <8 x float> %37, %59
  %65 = icmp slt <8 x i32> %38, <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %66 = and <8 x i1> %64, %65
  %67 = or <8 x i1> %62, %66
  %68 = select <8 x i1> %67, <8 x i32> %38, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %69 = select i1 false, <8 x float> %59, <8 x float> %63
  %70 = select i1 false, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, <8 x i32> %68
  %71 = select <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> %69, <8 x float> %37
  %72 = select <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x i32> %70, <8 x i32> %38
  store <8 x float> %71, ptr %7, align 32
  store <8 x i32> %72, ptr %6, align 32
  %73 = mul nsw i64 %22, 10
  %74 = add nsw i64 8, %73
  %75 = getelementptr inbounds float, ptr %9, i64 %74
  %76 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %75, i32 8, <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> zeroinitializer), !invariant.load !0
  %77 = fadd <8 x float> %76, %58
  %78 = fcmp ogt <8 x float> %51, %77
  %79 = fcmp une <8 x float> %51, %51
  %80 = or <8 x i1> %78, %79
  %81 = select <8 x i1> %80, <8 x float> %51, <8 x float> %77
  %82 = fcmp oeq <8 x float> %51, %77
  %83 = icmp slt <8 x i32> %52, <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %84 = and <8 x i1> %82, %83
  %85 = or <8 x i1> %80, %84
  %86 = select <8 x i1> %85, <8 x i32> %52, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %87 = select i1 false, <8 x float> %77, <8 x float> %81
  %88 = select i1 false, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, <8 x i32> %86
  %89 = select <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x float> %87, <8 x float> %51
  %90 = select <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <8 x i32> %88, <8 x i32> %52
  store <8 x float> %89, ptr %5, align 32
  store <8 x i32> %90, ptr %4, align 32
  %91 = shufflevector <8 x float> %71, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %92 = shufflevector <8 x i32> %72, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %93 = shufflevector <8 x float> %71, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %94 = shufflevector <8 x i32> %72, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %95 = fcmp ogt <4 x float> %91, %93
  %96 = fcmp une <4 x float> %91, %91
  %97 = or <4 x i1> %95, %96
  %98 = select <4 x i1> %97, <4 x float> %91, <4 x float> %93
  %99 = fcmp oeq <4 x float> %91, %93
  %100 = icmp slt <4 x i32> %92, %94
  %101 = and <4 x i1> %99, %100
  %102 = or <4 x i1> %97, %101
  %103 = select <4 x i1> %102, <4 x i32> %92, <4 x i32> %94
  %104 = shufflevector <4 x float> %98, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %105 = shufflevector <4 x i32> %103, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
  %106 = shufflevector <4 x float> %98, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %107 = shufflevector <4 x i32> %103, <4 x i32> poison, <2 x i32> <i32 2, i32 3>
  %108 = fcmp ogt <2 x float> %104, %106
  %109 = fcmp une <2 x float> %104, %104
  %110 = or <2 x i1> %108, %109
  %111 = select <2 x i1> %110, <2 x float> %104, <2 x float> %106
  %112 = fcmp oeq <2 x float> %104, %106
  %113 = icmp slt <2 x i32> %105, %107
  %114 = and <2 x i1> %112, %113
  %115 = or <2 x i1> %110, %114
  %116 = select <2 x i1> %115, <2 x i32> %105, <2 x i32> %107
  %117 = extractelement <2 x float> %111, i64 0
  %118 = extractelement <2 x i32> %116, i64 0
  %119 = extractelement <2 x float> %111, i64 1
  %120 = extractelement <2 x i32> %116, i64 1
  %121 = fcmp ogt float %117, %119
  %122 = fcmp une float %117, %117
  %123 = or i1 %121, %122
  %124 = select i1 %123, float %117, float %119
  %125 = fcmp oeq float %117, %119
  %126 = icmp slt i32 %118, %120
  %127 = and i1 %125, %126
  %128 = or i1 %123, %127
  %129 = select i1 %128, i32 %118, i32 %120
  %130 = fcmp ogt float 0xFFF0000000000000, %124
  %131 = or i1 %130, false
  %132 = select i1 %131, float 0xFFF0000000000000, float %124
  %133 = fcmp oeq float 0xFFF0000000000000, %124
  %134 = icmp slt i32 0, %129
  %135 = and i1 %133, %134
  %136 = or i1 %131, %135
  %137 = select i1 %136, i32 0, i32 %129
  %138 = shufflevector <8 x float> %89, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %139 = shufflevector <8 x i32> %90, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %140 = shufflevector <8 x float> %89, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %141 = shufflevector <8 x i32> %90, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %142 = fcmp ogt <4 x float> %138, %140
  %143 = fcmp une <4 x float> %138, %138
  %144 = or <4 x i1> %142, %143
  %145 = select <4 x i1> %144, <4 x float> %138, <4 x float> %140
  %146 = fcmp oeq <4 x float> %138, %140
  %147 = icmp slt <4 x i32> %139, %141
  %148 = and <4 x i1> %146, %147
  %149 = or <4 x i1> %144, %148
  %150 = select <4 x i1> %149, <4 x i32> %139, <4 x i32> %141
  %151 = shufflevector <4 x float> %145, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %152 = shufflevector <4 x i32> %150, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
  %153 = shufflevector <4 x float> %145, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %154 = shufflevector <4 x i32> %150, <4 x i32> poison, <2 x i32> <i32 2, i32 3>
  %155 = fcmp ogt <2 x float> %151, %153
  %156 = fcmp une <2 x float> %151, %151
  %157 = or <2 x i1> %155, %156
  %158 = select <2 x i1> %157, <2 x float> %151, <2 x float> %153
  %159 = fcmp oeq <2 x float> %151, %153
  %160 = icmp slt <2 x i32> %152, %154
  %161 = and <2 x i1> %159, %160
  %162 = or <2 x i1> %157, %161
  %163 = select <2 x i1> %162, <2 x i32> %152, <2 x i32> %154
  %164 = extractelement <2 x float> %158, i64 0
  %165 = extractelement <2 x i32> %163, i64 0
  %166 = extractelement <2 x float> %158, i64 1
  %167 = extractelement <2 x i32> %163, i64 1
  %168 = fcmp ogt float %164, %166
  %169 = fcmp une float %164, %164
  %170 = or i1 %168, %169
  %171 = select i1 %170, float %164, float %166
  %172 = fcmp oeq float %164, %166
  %173 = icmp slt i32 %165, %167
  %174 = and i1 %172, %173
  %175 = or i1 %170, %174
  %176 = select i1 %175, i32 %165, i32 %167
  %177 = fcmp ogt float 0xFFF0000000000000, %171
  %178 = or i1 %177, false
  %179 = select i1 %178, float 0xFFF0000000000000, float %171
  %180 = fcmp oeq float 0xFFF0000000000000, %171
  %181 = icmp slt i32 0, %176
  %182 = and i1 %180, %181
  %183 = or i1 %178, %182
  %184 = select i1 %183, i32 0, i32 %176
  %185 = getelementptr inbounds float, ptr %15, i64 %20
  store float %132, ptr %185, align 4
  %186 = getelementptr inbounds float, ptr %15, i64 %22
  store float %179, ptr %186, align 4
  %187 = getelementptr inbounds i32, ptr %13, i64 %20
  store i32 %137, ptr %187, align 4
  %188 = getelementptr inbounds i32, ptr %13, i64 %22
  store i32 %184, ptr %188, align 4
  %189 = add nuw nsw i64 %20, 2
  %190 = icmp slt i64 %189, %2
  br i1 %190, label %19, label %191

191:                                              ; preds = %19, %16
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
