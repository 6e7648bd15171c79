	.text
	.file	"reduce_fusion"
	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0
.LCPI0_0:
	.long	0xff800000
	.section	.rodata.cst32,"aM",@progbits,32
	.p2align	5, 0x0
.LCPI0_1:
	.long	0
	.long	1
	.long	2
	.long	3
	.long	4
	.long	5
	.long	6
	.long	7
.LCPI0_2:
	.long	8
	.long	9
	.long	10
	.long	11
	.long	12
	.long	13
	.long	14
	.long	15
	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI0_3:
	.long	2
	.long	3
	.section	.rodata.cst16,"aM",@progbits,16
	.p2align	4, 0x0
.LCPI0_4:
	.long	4
	.long	5
	.long	6
	.long	7
	.text
	.globl	kernel.2
	.p2align	4, 0x90
	.type	kernel.2,@function
kernel.2:
	pushq	%rbp
	pushq	%rbx
	movq	%rdx, -56(%rsp)
	movq	8(%rdi), %rax
	movq	%rax, -48(%rsp)
	movq	(%rdi), %rax
	movq	%rax, -40(%rsp)
	movq	24(%rdi), %rax
	movq	%rax, -32(%rsp)
	movq	16(%rdi), %rax
	movq	%rax, -24(%rsp)
	movq	%rdx, %rax
	subq	$1, %rax
	movq	%rax, -16(%rsp)
	cmpq	%rdx, %rsi
	movq	%rsi, -8(%rsp)
	jge	.LBB0_2
.LBB0_1:
	movq	-48(%rsp), %rax
	movq	-40(%rsp), %rdx
	movq	-16(%rsp), %rcx
	movq	-8(%rsp), %rsi
	movq	%rsi, -104(%rsp)
	movq	%rsi, %rdi
	incq	%rdi
	movq	%rdi, %r8
	subq	%rcx, %r8
	cmovlq	%rdi, %rcx
	movq	%rcx, %rdi
	movq	%rdi, -96(%rsp)
	leaq	(%rsi,%rsi,4), %rsi
	vmovups	(%rax,%rsi,8), %ymm0
	vmovups	(%rdx), %ymm2
	vaddps	%ymm2, %ymm0, %ymm0
	vmovdqa	.LCPI0_1(%rip), %ymm7
	leaq	(%rcx,%rcx,4), %rcx
	vmovups	(%rax,%rcx,8), %ymm1
	vaddps	%ymm2, %ymm1, %ymm3
	movb	$3, %r8b
	movb	%r8b, %dil
	kmovd	%edi, %k1
	vmovups	32(%rax,%rsi,8), %ymm1 {%k1} {z}
	vmovups	32(%rdx), %ymm8 {%k1} {z}
	vaddps	%ymm1, %ymm8, %ymm1
	vcmpltps	%ymm0, %ymm1, %k0
	vcmpunordps	%ymm0, %ymm0, %k2
	korb	%k2, %k0, %k2
	vmovaps	%ymm1, %ymm4
	vmovaps	%ymm0, %ymm4 {%k2}
	vcmpeqps	%ymm1, %ymm0, %k0
	korb	%k0, %k2, %k2
	vmovdqa	.LCPI0_2(%rip), %ymm1
	vmovaps	%ymm1, %ymm2
	vmovdqa32	%ymm7, %ymm2 {%k2}
	vmovaps	%xmm4, %xmm5
	vmovaps	%xmm0, %xmm4
	vblendpd	$1, %xmm5, %xmm4, %xmm5
	vpbroadcastq	.LCPI0_3(%rip), %xmm6
	vpunpcklqdq	%xmm6, %xmm2, %xmm4
	vmovups	32(%rax,%rcx,8), %ymm2 {%k1} {z}
	vaddps	%ymm2, %ymm8, %ymm8
	vcmpltps	%ymm3, %ymm8, %k0
	vcmpunordps	%ymm3, %ymm3, %k1
	korb	%k1, %k0, %k1
	vmovaps	%ymm8, %ymm2
	vmovaps	%ymm3, %ymm2 {%k1}
	vcmpeqps	%ymm8, %ymm3, %k0
	korb	%k0, %k1, %k1
	vmovdqa32	%ymm7, %ymm1 {%k1}
	vmovaps	%xmm2, %xmm7
	vmovaps	%xmm3, %xmm2
	vblendpd	$1, %xmm7, %xmm2, %xmm2
	vpunpcklqdq	%xmm6, %xmm1, %xmm1
	vextractf128	$1, %ymm0, %xmm7
	vcmpltps	%xmm5, %xmm7, %k0
	vcmpunordps	%xmm5, %xmm5, %k1
	korw	%k1, %k0, %k2
	vmovaps	%xmm7, %xmm6
	vmovaps	%xmm5, %xmm6 {%k2}
	vmovdqa	.LCPI0_4(%rip), %xmm0
	vpcmpgtd	%xmm4, %xmm0, %k1
	vcmpeqps	%xmm7, %xmm5, %k1 {%k1}
	kmovq	%k2, %k0
	korw	%k1, %k0, %k1
	vmovaps	%xmm0, %xmm5
	vmovdqa32	%xmm4, %xmm5 {%k1}
	vpermilpd	$1, %xmm6, %xmm7
	vpshufd	$238, %xmm5, %xmm8
	vcmpltps	%xmm6, %xmm7, %k0
	vcmpunordps	%xmm6, %xmm6, %k1
	korw	%k1, %k0, %k0
	kmovq	%k0, %k1
	vmovaps	%xmm7, %xmm4
	vmovaps	%xmm6, %xmm4 {%k1}
	vcmpeqps	%xmm7, %xmm6, %k1
	vpcmpgtd	%xmm5, %xmm8, %k2
	kandw	%k2, %k1, %k1
	korw	%k1, %k0, %k1
	vmovdqa32	%xmm5, %xmm8 {%k1}
	vmovaps	%xmm4, %xmm5
	vmovd	%xmm8, %eax
	vmovshdup	%xmm4, %xmm7
	vmovaps	%xmm7, %xmm6
	vpextrd	$1, %xmm8, %esi
	vcmpltps	%xmm4, %xmm7, %k0
	vcmpunordps	%xmm4, %xmm4, %k1
	korw	%k1, %k0, %k0
	kmovd	%k0, %ecx
	movb	%cl, %dl
	andb	$1, %dl
	movb	%dl, %cl
	kmovd	%ecx, %k1
	vmovaps	%xmm5, %xmm8
	vmovaps	%xmm6, %xmm4
	vmovss	%xmm8, %xmm7, %xmm4 {%k1}
	vmovaps	%xmm4, %xmm7
	vmovss	%xmm7, -88(%rsp)
	movl	%eax, %ecx
	subl	%esi, %ecx
	movl	%esi, %ecx
	cmovll	%eax, %ecx
	vucomiss	%xmm6, %xmm5
	cmovnel	%esi, %ecx
	cmovpl	%esi, %ecx
	testb	%dl, %dl
	cmovnel	%eax, %ecx
	xorl	%edx, %edx
	testl	%ecx, %ecx
	movl	%ecx, %eax
	cmovgl	%edx, %eax
	vmovss	.LCPI0_0(%rip), %xmm5
	vucomiss	%xmm5, %xmm4
	cmovnel	%ecx, %eax
	cmovpl	%ecx, %eax
	movl	%eax, -84(%rsp)
	vextractf128	$1, %ymm3, %xmm4
	vcmpltps	%xmm2, %xmm4, %k0
	vcmpunordps	%xmm2, %xmm2, %k1
	korw	%k1, %k0, %k2
	vmovaps	%xmm4, %xmm3
	vmovaps	%xmm2, %xmm3 {%k2}
	vpcmpgtd	%xmm1, %xmm0, %k1
	vcmpeqps	%xmm4, %xmm2, %k1 {%k1}
	kmovq	%k2, %k0
	korw	%k1, %k0, %k1
	vmovdqa32	%xmm1, %xmm0 {%k1}
	vpermilpd	$1, %xmm3, %xmm4
	vpshufd	$238, %xmm0, %xmm2
	vcmpltps	%xmm3, %xmm4, %k0
	vcmpunordps	%xmm3, %xmm3, %k1
	korw	%k1, %k0, %k0
	kmovq	%k0, %k1
	vmovaps	%xmm4, %xmm1
	vmovaps	%xmm3, %xmm1 {%k1}
	vcmpeqps	%xmm4, %xmm3, %k1
	vpcmpgtd	%xmm0, %xmm2, %k2
	kandw	%k2, %k1, %k1
	korw	%k1, %k0, %k1
	vmovdqa32	%xmm0, %xmm2 {%k1}
	vmovaps	%xmm1, %xmm0
	vmovss	%xmm0, -80(%rsp)
	vmovd	%xmm2, %eax
	movl	%eax, -76(%rsp)
	vmovshdup	%xmm1, %xmm1
	vmovss	%xmm1, -72(%rsp)
	vpextrd	$1, %xmm2, %eax
	movl	%eax, -68(%rsp)
	vucomiss	%xmm1, %xmm0
	seta	%al
	vucomiss	%xmm0, %xmm0
	setp	%cl
	orb	%cl, %al
	movb	%al, -61(%rsp)
	testb	$1, %al
	vmovss	%xmm0, -60(%rsp)
	jne	.LBB0_4
	vmovss	-72(%rsp), %xmm0
	vmovss	%xmm0, -60(%rsp)
.LBB0_4:
	movq	-56(%rsp), %rcx
	movq	-104(%rsp), %rax
	movq	-32(%rsp), %rdx
	movq	-96(%rsp), %rsi
	movl	-84(%rsp), %r8d
	movq	-24(%rsp), %r9
	vmovss	-88(%rsp), %xmm1
	movl	-76(%rsp), %r10d
	movl	-68(%rsp), %edi
	movb	-61(%rsp), %r11b
	vmovss	-80(%rsp), %xmm2
	vmovss	-72(%rsp), %xmm3
	vmovss	-60(%rsp), %xmm0
	vucomiss	%xmm3, %xmm2
	sete	%bl
	setnp	%bpl
	andb	%bpl, %bl
	cmpl	%edi, %r10d
	setl	%bpl
	andb	%bpl, %bl
	orb	%bl, %r11b
	testb	$1, %r11b
	cmovnel	%r10d, %edi
	vmovss	.LCPI0_0(%rip), %xmm2
	vucomiss	%xmm0, %xmm2
	sete	%r11b
	setnp	%r10b
	andb	%r10b, %r11b
	xorl	%r10d, %r10d
	cmpl	%edi, %r10d
	setl	%r10b
	andb	%r10b, %r11b
	xorl	%r10d, %r10d
	testb	$1, %r11b
	cmovnel	%r10d, %edi
	vmovss	%xmm1, (%r9,%rax,4)
	vmovss	%xmm0, (%r9,%rsi,4)
	movl	%r8d, (%rdx,%rax,4)
	movl	%edi, (%rdx,%rsi,4)
	addq	$2, %rax
	cmpq	%rcx, %rax
	movq	%rax, -8(%rsp)
	jl	.LBB0_1
.LBB0_2:
	popq	%rbx
	popq	%rbp
	vzeroupper
	retq
.Lfunc_end0:
	.size	kernel.2, .Lfunc_end0-kernel.2

	.section	".note.GNU-stack","",@progbits
