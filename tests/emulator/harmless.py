"""Whether an s_waitcnt, s_nop or s_barrier of a kernel's assembly can be left out without harm, told from the text alone.

An analysis of its own, over all paths, that shares nothing with the emulator's checks: kill_rate.py asks it about the
deletions that the emulator found nothing in.
"""
import re

COVERED = "is covered: on every path that can be taken another wait comes before the first use"
OWN = "is not needed: behind it lanes read only what they wrote themselves"
FAR = "is not needed: the DPP source was written two wait states before even without it"
MOST = 64  # no counter goes that far


def registers(operand):
    """The registers that an operand names: `v3`, `s[4:7]`, `vcc`."""
    found = set()
    for file, first, last, single in re.findall(r"\b([vsa])(?:\[(\d+):(\d+)\]|(\d+))", operand):
        numbers = range(int(first), int(last) + 1) if first else [int(single)]
        found.update(f"{file}{number}" for number in numbers)
    for name in re.findall(r"\b(vcc|exec|m0)(?:_lo|_hi)?\b", operand):
        found.add(name)
    return found


class Line:
    """An instruction: its name, its operands, and where it goes on."""

    def __init__(self, text):
        self.name, _, rest = text.partition(" ")
        self.operands = [operand.strip() for operand in rest.split(",")] if rest else []
        self.read_or_written = set().union(*(registers(operand) for operand in self.operands)) if self.operands else set()

    @property
    def result(self):
        return registers(self.operands[0]) if self.operands else set()

    def issues(self):
        """What it leaves outstanding: (counter, registers that come later) each."""
        name, text = self.name, ", ".join(self.operands)
        if re.match(r"(global|buffer|scratch|flat)_(load|store|atomic)", name):
            gives = "_load" in name or ("_atomic" in name and " sc0" in text)
            issued = [("vm", self.result if gives else {"memory"})]
            return issued + ([("ds", self.result if gives else {"memory"})] if name.startswith("flat") else [])
        if re.match(r"ds_", name):
            gives = re.match(r"ds_(read|.*_rtn|bpermute|permute|swizzle)", name)
            return [("ds", self.result if gives else {"lds"})]
        return [("sm", self.result)] if re.match(r"s_(load|buffer_load|memtime|memrealtime)", name) else []


def kernel_around(lines, number):
    """The lines of the function that a line is in: (first, behind the last)."""
    first = max(i for i in range(number) if re.match(r"^[A-Za-z_]\S*:", lines[i]))
    last = next(i for i in range(number, len(lines)) if lines[i].startswith(".Lfunc_end"))
    return first, last


def parse(lines, first, last, without):
    """Instructions by line number, and labels."""
    code, labels = {}, {}
    for i in range(first, last):
        text = lines[i].split(";")[0].split("//")[0].strip()
        label = re.match(r"^(\S+):$", text)
        if label:
            labels[label.group(1)] = i
        elif text and not text.startswith(".") and i != without:
            code[i] = Line(re.sub(r"\s+", " ", text))
    return code, labels


def jumps(code, labels, order, position):
    """Where an instruction goes on: (next one or None, branch target or None)."""
    line = code[order[position]]
    after = position + 1 if position + 1 < len(order) else None
    if line.name == "s_endpgm" or line.name.startswith("s_setpc"):
        return None, None
    if not (line.name == "s_branch" or line.name.startswith("s_cbranch")):
        return after, None
    target = labels[line.operands[0]]
    jump = next(p for p, number in enumerate(order) if number > target)
    return (None if line.name == "s_branch" else after), jump


def asks(line):
    """Whether it narrows EXEC to the lanes of VCC."""
    return line.name == "s_and_saveexec_b64" and line.operands[1] == "vcc"


def branches(code, labels, order, position, lanes):
    """Instructions that can come next, each with what is then known about lanes.

    `lanes`: whether EXEC and VCC have lanes in common, which blocks behind `s_and_saveexec_b64 sD, vcc` ask again and again
    while neither changes; None if it is not known.
    """
    line = code[order[position]]
    after, jump = jumps(code, labels, order, position)
    if line.name in ("s_cbranch_execz", "s_cbranch_execnz") and asks(code[order[position - 1]]):
        on_jump = line.name == "s_cbranch_execnz"
        ways = [(jump, on_jump), (after, not on_jump)]
        return [(target, some) for target, some in ways if target is not None and lanes in (None, some)]
    restores = line.name == "s_or_b64" and line.operands[:2] == ["exec", "exec"]
    changes = line.result & {"vcc", "exec"} or "saveexec" in line.name or "wrexec" in line.name or "cmpx" in line.name
    known = lanes if asks(line) or restores or not changes else None
    return [(target, known) for target in (after, jump) if target is not None]


def waited(pending, text):
    """What is still outstanding behind an s_waitcnt. Of scalar loads, which come in any order, none or all are."""
    counts = {name: int(count) for name, count in re.findall(r"(vmcnt|lgkmcnt)\((\d+)\)", text)}
    scalar = any(counter == "sm" for counter, _ in pending)
    left = {}
    for (counter, register), younger in pending.items():
        limit = counts.get("vmcnt" if counter == "vm" else "lgkmcnt", MOST)
        done = limit == 0 or (counter != "sm" and not (counter == "ds" and scalar) and younger >= limit)
        if not done:
            left[counter, register] = younger
    return left


def step(pending, line, idle):
    """(what is outstanding afterwards, whether something outstanding was used). At a barrier everything has to be there."""
    if line.name == "s_waitcnt":
        return waited(pending, " ".join(line.operands)), False
    everything = line.name == "s_barrier" and not idle
    used = any(everything or register in line.read_or_written for _, register in pending)
    after = dict(pending)
    for counter, late in line.issues():
        for key in after:
            if key[0] == counter:
                after[key] = min(after[key] + 1, MOST)
        after.update({(counter, register): 0 for register in late})
    return after, used


def wait(lines, number):
    """Why the s_waitcnt at this index does no harm if it is missing; None if it may."""
    first, last = kernel_around(lines, number)
    code, labels = parse(lines, first, last, number)
    order = sorted(code)
    states = {(0, None): {}}
    work = [(0, None)]
    while work:
        position, lanes = work.pop()
        line = code[order[position]]
        idle = line.name == "s_barrier" and barrier(lines, order[position]) is not None
        after, used = step(states[position, lanes], line, idle)
        if used:
            return None
        for place in branches(code, labels, order, position, lanes):
            known = states.get(place)
            # Where paths meet, the fewer younger operations are the harder to wait for.
            merged = dict(known or {})
            for key, younger in after.items():
                merged[key] = min(younger, merged.get(key, MOST))
            if merged != known:
                states[place] = merged
                work.append(place)
    return COVERED


def barrier(lines, number):
    """Why the s_barrier at this index does no harm if it is missing; None if it may.

    Between the barrier before it and itself there is one LDS write, behind it until the end nothing but reads of the same
    place (register and offset): each lane's own word.
    """
    first, last = kernel_around(lines, number)
    code, _ = parse(lines, first, last, number)
    before = []
    for i in sorted((i for i in code if i < number), reverse=True):
        if code[i].name == "s_barrier":
            break
        before.append(code[i])
    behind = [code[i] for i in sorted(code) if i > number]
    writes = [line for line in before if re.match(r"ds_(?!read)", line.name)]
    if len(writes) != 1 or not writes[0].name.startswith("ds_write_b"):
        return None
    address = writes[0].operands[0]
    place = f"{address} {writes[0].operands[1].partition(' ')[2]}".strip()
    for line in before[:before.index(writes[0])] + behind:
        if line.name == "s_barrier" or line.name.startswith("s_cbranch"):
            return None
        if re.match(r"ds_", line.name):
            if line.name != writes[0].name.replace("write", "read") or line.operands[1] != place:
                return None
        elif address in line.result and any(rest.name.startswith("ds_") for rest in behind[behind.index(line):]):
            return None
    return OWN


def nop(lines, number):
    """Why the s_nop at this index does no harm if it is missing; None if it may. Knows DPP's two wait states only."""
    first, last = kernel_around(lines, number)
    code, labels = parse(lines, first, last, number)
    order = sorted(code)
    consumers = [i for i in order if i > number][:2]
    checked = 0
    for consumer in consumers:
        line = code[consumer]
        if not line.name.endswith("_dpp"):
            continue
        checked += 1
        source = registers(line.operands[1])
        states = 0
        for before in reversed([i for i in order if i < consumer]):
            if any(before < place <= consumer for place in labels.values()):
                return None
            if code[before].name.startswith("v_") and code[before].result & source:
                return None
            states += int(code[before].operands[0]) + 1 if code[before].name == "s_nop" else 1
            if states >= 2:
                break
    return FAR if checked else None
