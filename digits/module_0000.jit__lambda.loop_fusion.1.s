	.text
	.file	"loop_fusion.1"
	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI0_0:
	.long	0x7fc00000
	.text
	.globl	kernel.0
	.p2align	4, 0x90
	.type	kernel.0,@function
kernel.0:
	cmpq	%rdx, %rsi
	jge	.LBB0_3
	movq	(%rdi), %r8
	movq	8(%rdi), %rax
	movq	16(%rdi), %rcx
	vmovups	(%r8), %zmm0
	vxorps	%xmm1, %xmm1, %xmm1
	vbroadcastss	.LCPI0_0(%rip), %zmm2
	.p2align	4, 0x90
.LBB0_2:
	movl	%esi, %r8d
	shll	$5, %r8d
	andl	$96, %r8d
	movl	%esi, %r9d
	andl	$12, %r9d
	shll	$6, %r9d
	leaq	(%r8,%r9), %r11
	movq	%rsi, %rdi
	shlq	$6, %rdi
	movq	%rdi, %r10
	andq	$-1024, %r10
	orq	%r10, %r11
	vaddps	(%rax,%r11,4), %zmm0, %zmm3
	vmaxps	%zmm1, %zmm3, %zmm4
	vcmpunordps	%zmm3, %zmm3, %k1
	leaq	16(%r8,%r9), %r11
	orq	%r10, %r11
	vaddps	(%rax,%r11,4), %zmm0, %zmm5
	vmovaps	%zmm3, %zmm4 {%k1}
	vmaxps	%zmm1, %zmm5, %zmm3
	vcmpunordps	%zmm5, %zmm5, %k1
	vmovaps	%zmm5, %zmm3 {%k1}
	vpxor	%xmm5, %xmm5, %xmm5
	vrangeps	$5, %zmm3, %zmm4, %zmm5
	vcmpunordps	%zmm3, %zmm4, %k1
	vmovaps	%zmm2, %zmm5 {%k1}
	leaq	128(%r8,%r9), %r11
	orq	%r10, %r11
	vaddps	(%rax,%r11,4), %zmm0, %zmm3
	vmaxps	%zmm1, %zmm3, %zmm4
	vcmpunordps	%zmm3, %zmm3, %k1
	vmovaps	%zmm3, %zmm4 {%k1}
	vpxor	%xmm3, %xmm3, %xmm3
	vrangeps	$5, %zmm4, %zmm5, %zmm3
	vcmpunordps	%zmm4, %zmm5, %k1
	vmovaps	%zmm2, %zmm3 {%k1}
	leaq	144(%r8,%r9), %r8
	orq	%r10, %r8
	vaddps	(%rax,%r8,4), %zmm0, %zmm4
	vmaxps	%zmm1, %zmm4, %zmm5
	vcmpunordps	%zmm4, %zmm4, %k1
	vmovaps	%zmm4, %zmm5 {%k1}
	vpxor	%xmm4, %xmm4, %xmm4
	vrangeps	$5, %zmm5, %zmm3, %zmm4
	vcmpunordps	%zmm5, %zmm3, %k1
	vmovaps	%zmm2, %zmm4 {%k1}
	vmovaps	%zmm4, (%rcx,%rdi)
	incq	%rsi
	cmpq	%rdx, %rsi
	jl	.LBB0_2
.LBB0_3:
	vzeroupper
	retq
.Lfunc_end0:
	.size	kernel.0, .Lfunc_end0-kernel.0

	.section	".note.GNU-stack","",@progbits
