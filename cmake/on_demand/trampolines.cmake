# Writes OUTPUT: an assembly file with one trampoline for each function of the library SONAME that ARCHIVE calls, that is
# each undefined name that starts with PREFIX. A trampoline jumps through its slot; at first the slot leads to code that
# asks kbuild_resolve_on_demand() for the function's address and stores it there.
execute_process(COMMAND "${NM}" -u "${ARCHIVE}" OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " U ${PREFIX}[A-Za-z0-9_]+" names "${listing}")
list(TRANSFORM names REPLACE "^ U " "")
list(REMOVE_DUPLICATES names)
list(SORT names)
set(code "")
set(slots "")
foreach(name IN LISTS names)
  string(APPEND code "
    .globl ${name}
    .type ${name}, @function
${name}:
    jmp *.Lslot_${name}(%rip)
.Lfirst_${name}:
    lea .Lname_${name}(%rip), %r10
    lea .Lslot_${name}(%rip), %r11
    jmp .Lresolve
    .size ${name}, .-${name}
")
  string(APPEND slots ".Lslot_${name}: .quad .Lfirst_${name}\n")
  string(APPEND strings ".Lname_${name}: .asciz \"${name}\"\n")
endforeach()
# The registers that carry arguments of a call by the System V ABI are kept, and %rax for variadic functions; none of these
# libraries takes a floating-point argument, so vector registers are not.
file(WRITE "${OUTPUT}" "    .text
.Lresolve:
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    push %r8
    push %r9
    push %rax
    push %r11
    sub $8, %rsp
    lea .Llibrary(%rip), %rdi
    mov %r10, %rsi
    call kbuild_resolve_on_demand@PLT
    add $8, %rsp
    pop %r11
    mov %rax, (%r11)
    mov %rax, %r10
    pop %rax
    pop %r9
    pop %r8
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    jmp *%r10
${code}
    .data
    .p2align 3
${slots}
    .section .rodata
.Llibrary: .asciz \"${SONAME}\"
${strings}
    .section .note.GNU-stack,\"\",@progbits
")
