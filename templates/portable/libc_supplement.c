/* What headers and inline code of newer glibc versions refer to, in terms of an older one. kbuild compiles this into
   each baseline (docs/decisions/0030); everything in it is hidden, so a library that uses it exports none of it.
   KBUILD_GLIBC is the minor version of the glibc that the library is to be loaded on: 28 for manylinux_2_28. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#if KBUILD_GLIBC < 30
pid_t gettid(void) { return (pid_t)syscall(SYS_gettid); }

/* The older waits know CLOCK_REALTIME only: the same moment on that clock. If it is set while somebody waits, the wait
   is as much longer or shorter, as it was before glibc 2.30. */
static struct timespec on_realtime(clockid_t clock, const struct timespec *deadline) {
    const long second = 1000000000L;
    struct timespec now, real, result;
    if (clock == CLOCK_REALTIME)
        return *deadline;
    clock_gettime(clock, &now);
    clock_gettime(CLOCK_REALTIME, &real);
    result.tv_sec = deadline->tv_sec - now.tv_sec + real.tv_sec;
    result.tv_nsec = deadline->tv_nsec - now.tv_nsec + real.tv_nsec;
    for (; result.tv_nsec < 0; result.tv_sec--)
        result.tv_nsec += second;
    for (; result.tv_nsec >= second; result.tv_sec++)
        result.tv_nsec -= second;
    return result;
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *deadline) {
    const struct timespec real = on_realtime(clock, deadline);
    return pthread_cond_timedwait(condition, mutex, &real);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline) {
    const struct timespec real = on_realtime(clock, deadline);
    return pthread_mutex_timedlock(mutex, &real);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline) {
    const struct timespec real = on_realtime(clock, deadline);
    return pthread_rwlock_timedrdlock(lock, &real);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline) {
    const struct timespec real = on_realtime(clock, deadline);
    return pthread_rwlock_timedwrlock(lock, &real);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline) {
    const struct timespec real = on_realtime(clock, deadline);
    return sem_timedwait(semaphore, &real);
}
#endif

#if KBUILD_GLIBC < 32
/* "There may be other threads": libstdc++ then always counts references atomically. */
const char __libc_single_threaded = 0;
#endif

#if KBUILD_GLIBC < 33
/* Inline functions of sys/stat.h until glibc 2.33; what they called is still there. The first argument is the version of
   the structure. */
#ifdef __x86_64__
#define STAT_VERSION 1
#else
#define STAT_VERSION 0
#endif
extern int __xstat(int, const char *, struct stat *);
extern int __lxstat(int, const char *, struct stat *);
extern int __fxstat(int, int, struct stat *);
extern int __fxstatat(int, int, const char *, struct stat *, int);
extern int __xstat64(int, const char *, struct stat64 *);
extern int __lxstat64(int, const char *, struct stat64 *);
extern int __fxstat64(int, int, struct stat64 *);
extern int __fxstatat64(int, int, const char *, struct stat64 *, int);
extern int __xmknod(int, const char *, mode_t, dev_t *);
extern int __xmknodat(int, int, const char *, mode_t, dev_t *);

int stat(const char *path, struct stat *out) { return __xstat(STAT_VERSION, path, out); }
int lstat(const char *path, struct stat *out) { return __lxstat(STAT_VERSION, path, out); }
int fstat(int file, struct stat *out) { return __fxstat(STAT_VERSION, file, out); }
int fstatat(int folder, const char *path, struct stat *out, int flags) {
    return __fxstatat(STAT_VERSION, folder, path, out, flags);
}
int stat64(const char *path, struct stat64 *out) { return __xstat64(STAT_VERSION, path, out); }
int lstat64(const char *path, struct stat64 *out) { return __lxstat64(STAT_VERSION, path, out); }
int fstat64(int file, struct stat64 *out) { return __fxstat64(STAT_VERSION, file, out); }
int fstatat64(int folder, const char *path, struct stat64 *out, int flags) {
    return __fxstatat64(STAT_VERSION, folder, path, out, flags);
}
int mknod(const char *path, mode_t mode, dev_t device) { return __xmknod(0, path, mode, &device); }
int mknodat(int folder, const char *path, mode_t mode, dev_t device) {
    return __xmknodat(0, folder, path, mode, &device);
}
#endif

#if KBUILD_GLIBC < 36
/* std::random_device asks it for entropy. */
unsigned arc4random(void) {
    unsigned value;
    if (getentropy(&value, sizeof(value)) != 0)
        abort();
    return value;
}
#endif

#if KBUILD_GLIBC < 38
/* Where the language is newer than C17, headers of glibc 2.38 call these; all they add is `0b` before binary digits. */
#define NUMBER_OF(TEXT, NAME, RESULT)                                                                  \
    extern RESULT old_##NAME(const TEXT *, TEXT **, int) __asm__(#NAME);                                \
    RESULT __isoc23_##NAME(const TEXT *text, TEXT **end, int base) { return old_##NAME(text, end, base); }
NUMBER_OF(char, strtol, long)
NUMBER_OF(char, strtoll, long long)
NUMBER_OF(char, strtoul, unsigned long)
NUMBER_OF(char, strtoull, unsigned long long)
NUMBER_OF(char, strtoimax, intmax_t)
NUMBER_OF(char, strtoumax, uintmax_t)
NUMBER_OF(wchar_t, wcstol, long)
NUMBER_OF(wchar_t, wcstoll, long long)
NUMBER_OF(wchar_t, wcstoul, unsigned long)
NUMBER_OF(wchar_t, wcstoull, unsigned long long)

#define SCANNED_FROM(FROM, NAME)                                                                       \
    extern int old_v##NAME(FROM, const char *, va_list) __asm__("__isoc99_v" #NAME);                    \
    int __isoc23_v##NAME(FROM from, const char *format, va_list arguments) {                            \
        return old_v##NAME(from, format, arguments);                                                    \
    }                                                                                                   \
    int __isoc23_##NAME(FROM from, const char *format, ...) {                                           \
        va_list arguments;                                                                              \
        va_start(arguments, format);                                                                    \
        const int count = old_v##NAME(from, format, arguments);                                         \
        va_end(arguments);                                                                              \
        return count;                                                                                   \
    }
SCANNED_FROM(const char *, sscanf)
SCANNED_FROM(FILE *, fscanf)
#endif
