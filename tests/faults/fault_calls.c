/* fault_calls.c -- system calls that fail, wherever they come from.
 *
 * Interposed read() and write() would miss those that stdio makes inside libc. A seccomp filter instead turns the
 * calls of the planned kind into SIGSYS; its handler counts, and makes the call itself through one instruction that the
 * filter lets pass. The filter goes on to programs that are started, the handler does not: they would be killed. */
#define _GNU_SOURCE
#include "fault.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>

static const struct {
  int calls;
  int number;
} CALLS[] = {
    {FAULT_READ, SYS_read},       {FAULT_READ, SYS_pread64},    {FAULT_READ, SYS_readv},
    {FAULT_READ, SYS_preadv},     {FAULT_WRITE, SYS_write},     {FAULT_WRITE, SYS_pwrite64},
    {FAULT_WRITE, SYS_writev},    {FAULT_WRITE, SYS_pwritev},   {FAULT_WRITE, SYS_fallocate},
    {FAULT_SYNC, SYS_fsync},      {FAULT_SYNC, SYS_fdatasync},  {FAULT_SYNC, SYS_msync},
    {FAULT_NAME, SYS_renameat},   {FAULT_NAME, SYS_renameat2},  {FAULT_NAME, SYS_linkat},
    {FAULT_NAME, SYS_unlinkat},   {FAULT_NAME, SYS_symlinkat},  {FAULT_NAME, SYS_mkdirat},
    {FAULT_NAME, SYS_ftruncate},  {FAULT_NAME, SYS_fchmod},     {FAULT_NAME, SYS_fchmodat},
    {FAULT_OPEN, SYS_openat},     {FAULT_CLOSE, SYS_close},     {FAULT_LOCK, SYS_fcntl},
    {FAULT_LOCK, SYS_flock},      {FAULT_LOOK, SYS_newfstatat}, {FAULT_LOOK, SYS_fstat},
    {FAULT_LOOK, SYS_statx},      {FAULT_LOOK, SYS_lseek},      {FAULT_LOOK, SYS_faccessat},
    {FAULT_LOOK, SYS_readlinkat}, {FAULT_LOOK, SYS_getdents64},
#ifdef SYS_rename /* not on newer machines */
    {FAULT_NAME, SYS_rename},     {FAULT_NAME, SYS_link},       {FAULT_NAME, SYS_unlink},
    {FAULT_NAME, SYS_symlink},    {FAULT_NAME, SYS_mkdir},      {FAULT_NAME, SYS_rmdir},
    {FAULT_NAME, SYS_chmod},      {FAULT_OPEN, SYS_open},       {FAULT_LOOK, SYS_stat},
    {FAULT_LOOK, SYS_lstat},      {FAULT_LOOK, SYS_access},     {FAULT_LOOK, SYS_readlink},
#endif
#ifdef SYS_faccessat2
    {FAULT_LOOK, SYS_faccessat2},
#endif
};
enum { CALL_COUNT = sizeof CALLS / sizeof CALLS[0] };

/* --- the one instruction that passes --- */

long fault_pass(long number, long a, long b, long c, long d, long e, long f);
extern const char fault_pass_end[];

#if defined __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
__asm__(
    ".text\n.hidden fault_pass\n.global fault_pass\n.type fault_pass, @function\nfault_pass:\n"
    "mov %rdi, %rax\nmov %rsi, %rdi\nmov %rdx, %rsi\nmov %rcx, %rdx\nmov %r8, %r10\nmov %r9, %r8\n"
    "mov 8(%rsp), %r9\nsyscall\n"
    ".hidden fault_pass_end\n.global fault_pass_end\nfault_pass_end:\nret\n.size fault_pass, .-fault_pass\n");
#define ARGUMENT(context, i) \
  ((long)(context)->uc_mcontext.gregs[(const int[]){REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9}[i]])
#define RESULT(context) ((context)->uc_mcontext.gregs[REG_RAX])
#elif defined __aarch64__
#define MACHINE AUDIT_ARCH_AARCH64
__asm__(
    ".text\n.hidden fault_pass\n.global fault_pass\n.type fault_pass, %function\nfault_pass:\n"
    "mov x8, x0\nmov x0, x1\nmov x1, x2\nmov x2, x3\nmov x3, x4\nmov x4, x5\nmov x5, x6\nsvc #0\n"
    ".hidden fault_pass_end\n.global fault_pass_end\nfault_pass_end:\nret\n.size fault_pass, .-fault_pass\n");
#define ARGUMENT(context, i) ((long)(context)->uc_mcontext.regs[i])
#define RESULT(context) ((context)->uc_mcontext.regs[0])
#else
#error "fault_calls.c knows x86-64 and 64-bit ARM; add the registers of this machine"
#endif

/* --- what becomes of a call --- */

static int calls_of(int number) {
  for (int i = 0; i < CALL_COUNT; i++)
    if (CALLS[i].number == number) return CALLS[i].calls;
  return 0;
}

/* Messages on standard error must stay possible, and fcntl does more than lock. */
static int is_meant(int number, const long a[6]) {
  if (number == SYS_write || number == SYS_writev) return a[0] != 2;
  if (number == SYS_fcntl) return a[1] == F_SETLK || a[1] == F_SETLKW || a[1] == F_OFD_SETLK;
  return 1;
}

/* The first half of what was asked for. */
static long transfer_half(int number, const long a[6]) {
  int vector = number == SYS_readv || number == SYS_writev || number == SYS_preadv || number == SYS_pwritev;
  struct iovec half;
  long size = a[2];
  if (vector) {
    memcpy(&half, (const void*)a[1], sizeof half); /* NOLINT(performance-no-int-to-ptr): an argument */
    half.iov_len = (half.iov_len + 1) / 2;
    return fault_pass(number, a[0], (long)&half, 1, a[3], a[4], a[5]);
  }
  return fault_pass(number, a[0], a[1], size > 1 ? size / 2 : size, a[3], a[4], a[5]);
}

static long fail_call(int number, const long a[6]) {
  const fault_kind* kind = fault_planned();
  if (!kind->error) return transfer_half(number, a);
  if (number == SYS_close) fault_pass(number, a[0], 0, 0, 0, 0, 0); /* it is closed, whatever it returns */
  return -kind->error;
}

static void on_call(int signal_number, siginfo_t* info, void* context_) {
  ucontext_t* context = (ucontext_t*)context_;
  int kept = errno, number = info->si_syscall;
  long a[6];
  (void)signal_number;
  for (int i = 0; i < 6; i++) a[i] = ARGUMENT(context, i);
  int due = is_meant(number, a) && fault_due(calls_of(number));
  RESULT(context) = due ? fail_call(number, a) : fault_pass(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  errno = kept;
}

/* --- the filter --- */

#define LOAD(field) \
  (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
#define UNLESS(value, skip) \
  (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, (uint8_t)(skip))
#define RETURN(what) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, what)

/* Passes the call from fault_pass and all that are not of the kind; little-endian, as both machines are. */
static int write_filter(struct sock_filter* f) {
  uint64_t end = (uint64_t)(uintptr_t)fault_pass_end;
  int n = 0;
  f[n++] = LOAD(arch);
  f[n++] = UNLESS(MACHINE, 4);
  f[n++] = LOAD(instruction_pointer);
  f[n++] = UNLESS((uint32_t)end, 3);
  f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                        (uint32_t)offsetof(struct seccomp_data, instruction_pointer) + 4);
  f[n++] = UNLESS(end >> 32, 1);
  f[n++] = RETURN(SECCOMP_RET_ALLOW);
  f[n++] = LOAD(nr);
  for (int i = 0; i < CALL_COUNT; i++) {
    if (!(CALLS[i].calls & fault_planned()->calls)) continue;
    f[n++] = UNLESS(CALLS[i].number, 1);
    f[n++] = RETURN(SECCOMP_RET_TRAP);
  }
  f[n++] = RETURN(SECCOMP_RET_ALLOW);
  return n;
}

int fault_calls_catch(void) {
  struct sock_filter filter[2 * CALL_COUNT + 16];
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_call;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  if (sigaction(SIGSYS, &action, NULL) != 0) return 0;
  const struct sock_fprog program = {(unsigned short)write_filter(filter), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
