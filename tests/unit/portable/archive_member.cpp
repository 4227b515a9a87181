// Five members of a static library; each -D makes one.
extern int old_name();
extern int helper();
extern int stored;

#if defined(NEWER)
int newer_name() {
    return helper() + old_name();
}
int newer_with_state() {
    return ++stored;
}
#elif defined(HELPER)
int helper() {
    return 1;
}
// A baseline name beside it: the copy here must not be used.
int old_name() {
    return 2;
}
#elif defined(STATE)
int stored = 0;
#elif defined(LOCAL)
static int calls = 0;
int newer_counter() {
    static int* const last = &calls;
    return ++*last;
}
#elif defined(OLD)
int not_asked_for() {
    return 3;
}
#endif
