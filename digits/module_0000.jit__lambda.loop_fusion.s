	.text
	.file	"loop_fusion"
	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI0_0:
	.long	0x7fc00000
	.text
	.globl	kernel.1
	.p2align	4, 0x90
	.type	kernel.1,@function
kernel.1:
	pushq	%r15
	pushq	%r14
	pushq	%r12
	pushq	%rbx
	cmpq	%rdx, %rsi
	jge	.LBB0_5
	movq	(%rdi), %rax
	movq	8(%rdi), %rcx
	movq	16(%rdi), %rdi
	vxorps	%xmm0, %xmm0, %xmm0
	vbroadcastss	.LCPI0_0(%rip), %zmm1
	.p2align	4, 0x90
.LBB0_2:
	movl	%esi, %ebx
	andl	$2, %ebx
	movl	%esi, %r8d
	shll	$6, %r8d
	andl	$64, %r8d
	movq	%rsi, %r9
	shlq	$7, %r9
	addq	%rdi, %r9
	shll	$9, %ebx
	leaq	(%rcx,%rbx), %r10
	movq	%rsi, %r14
	andq	$-4, %r14
	shlq	$9, %r14
	addq	%r14, %r10
	leaq	32(%r8), %r11
	leaq	512(%rcx,%rbx), %rbx
	addq	%r14, %rbx
	xorl	%r14d, %r14d
	.p2align	4, 0x90
.LBB0_3:
	leaq	(%r14,%r8), %r15
	vmovups	(%rax,%r14,4), %zmm2
	vaddps	(%r10,%r15,4), %zmm2, %zmm3
	vmaxps	%zmm0, %zmm3, %zmm4
	vcmpunordps	%zmm3, %zmm3, %k1
	vmovaps	%zmm3, %zmm4 {%k1}
	leaq	(%r14,%r11), %r12
	vaddps	(%r10,%r12,4), %zmm2, %zmm3
	vmaxps	%zmm0, %zmm3, %zmm5
	vcmpunordps	%zmm3, %zmm3, %k1
	vmovaps	%zmm3, %zmm5 {%k1}
	vpxor	%xmm3, %xmm3, %xmm3
	vrangeps	$5, %zmm5, %zmm4, %zmm3
	vcmpunordps	%zmm5, %zmm4, %k1
	vmovaps	%zmm1, %zmm3 {%k1}
	vaddps	(%rbx,%r15,4), %zmm2, %zmm4
	vmaxps	%zmm0, %zmm4, %zmm5
	vcmpunordps	%zmm4, %zmm4, %k1
	vmovaps	%zmm4, %zmm5 {%k1}
	vpxor	%xmm4, %xmm4, %xmm4
	vrangeps	$5, %zmm5, %zmm3, %zmm4
	vcmpunordps	%zmm5, %zmm3, %k1
	vmovaps	%zmm1, %zmm4 {%k1}
	vaddps	(%rbx,%r12,4), %zmm2, %zmm2
	vmaxps	%zmm0, %zmm2, %zmm3
	vcmpunordps	%zmm2, %zmm2, %k1
	vmovaps	%zmm2, %zmm3 {%k1}
	vpxor	%xmm2, %xmm2, %xmm2
	vrangeps	$5, %zmm3, %zmm4, %zmm2
	vcmpunordps	%zmm3, %zmm4, %k1
	vmovaps	%zmm1, %zmm2 {%k1}
	vmovaps	%zmm2, (%r9,%r14,4)
	leaq	16(%r14), %r15
	testq	%r14, %r14
	movq	%r15, %r14
	je	.LBB0_3
	incq	%rsi
	cmpq	%rdx, %rsi
	jl	.LBB0_2
.LBB0_5:
	popq	%rbx
	popq	%r12
	popq	%r14
	popq	%r15
	vzeroupper
	retq
.Lfunc_end0:
	.size	kernel.1, .Lfunc_end0-kernel.1

	.section	".note.GNU-stack","",@progbits
