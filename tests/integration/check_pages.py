#!/usr/bin/env python3
"""Looks at kbuild's pages in a real browser: that nothing is fetched, text can be read on light and dark ground, and
nothing hangs over; a screenshot of each is kept.

    check_pages.py --kbuild PROGRAM --out FOLDER

Exit code 77 (skipped) without a browser; CHROMIUM names one. The browser's command line is enough: a copy of the page
with a measuring script is shown, and its document printed. The page itself forbids scripts, so it is a copy.
"""

import argparse
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
sys.dont_write_bytecode = True
from code_files import code_object, device, kernel, library, metadata  # noqa: E402

SKIPPED = 77
CONTRAST = 4.5  # WCAG 2.1 AA for text
SCHEMES = {"dark": 0, "light": 1}  # Blink's numbers
SIZES = {"wide": (1280, 900), "narrow": (420, 900)}
NAMES = ["gemm<float, 4>(float const*, T&)", "<script>alert(1)</script>", "</code><img src=x onerror=alert(1)>",
         "\"quoted\" & 'quoted'", "x" * 300, "_Z4gemmIfLi4EEvPKT_S2_PS0_"]

MEASURE = """
const bad = [];
const parse = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
const light = (c) => { const f = (v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; };
  return .2126 * f(c[0]) + .7152 * f(c[1]) + .0722 * f(c[2]); };
const ratio = (a, b) => { const x = light(a), y = light(b); return (Math.max(x, y) + .05) / (Math.min(x, y) + .05); };
const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
  if (c[3] === 1) return c; } return [255, 255, 255, 1]; };
let texts = 0, least = 99;
for (const e of document.querySelectorAll('main *')) {
  const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  if (!own) continue;
  texts++;
  const grounds = [ground(e)];
  if (e.parentElement.classList.contains('bar'))
    grounds.push(parse(getComputedStyle(e.parentElement.querySelector('i')).backgroundColor));
  for (const g of grounds) {
    const r = ratio(parse(getComputedStyle(e).color), g);
    least = Math.min(least, r);
    if (r < LIMIT) bad.push(`contrast ${r.toFixed(2)}: ${e.tagName} ${e.className} ${e.textContent.slice(0, 40)}`);
  }
}
const page = document.scrollingElement;
if (page.scrollWidth > page.clientWidth) bad.push(`the page is ${page.scrollWidth} wide in ${page.clientWidth}`);
for (const e of document.querySelectorAll('main *'))
  if (!e.closest('.wide') && e.getBoundingClientRect().right > page.clientWidth + 1)
    bad.push(`hangs over: ${e.tagName} ${e.textContent.slice(0, 40)}`);
for (const e of document.querySelectorAll('td .bar'))
  if (e.querySelector('i').getBoundingClientRect().right > e.getBoundingClientRect().right + 1)
    bad.push(`a bar is longer than its limit: ${e.textContent}`);
document.body.innerHTML = '<pre id=measured></pre>';
document.getElementById('measured').textContent = JSON.stringify({
  bad, texts, least, ground: parse(getComputedStyle(document.body).backgroundColor),
  resources: performance.getEntriesByType('resource').map((e) => e.name) });
"""


def find_browser():
    for name in (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"):
        if name and shutil.which(name):
            return shutil.which(name)
    print("SKIPPED: there is no chromium; scripts/packages test installs it")
    sys.exit(1 if os.environ.get("KBUILD_TEST_REQUIRED") == "1" else SKIPPED)


class Browser:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, page, scheme, size, *options):
        command = [self.program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
                   "--no-default-browser-check", "--host-resolver-rules=MAP * ~NOTFOUND", "--hide-scrollbars",
                   f"--user-data-dir={self.folder / 'profile'}",
                   f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}",
                   "--window-size={},{}".format(*SIZES[size]), *options, page.as_uri()]
        environment = {**os.environ, "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder),
                       "XDG_CACHE_HOME": str(self.folder)}
        return subprocess.run(command, text=True, capture_output=True, timeout=120, env=environment)

    def measure(self, page, scheme, size):
        copy = self.folder / "measured.html"
        text = page.read_text()
        text, policies = re.subn(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
        assert policies == 1, "a page has one policy"
        script = f"addEventListener('load', () => {{ {MEASURE.replace('LIMIT', str(CONTRAST))} }});"
        copy.write_text(text.replace("</body>", f"<script>{script}</script></body>"))
        result = self.run(copy, scheme, size, "--dump-dom")
        match = re.search(r'<pre id="measured">(.*?)</pre>', result.stdout, re.DOTALL)
        assert match, f"the browser showed nothing: {result.stdout[-500:]} {result.stderr[-2000:]}"
        return json.loads(html.unescape(match.group(1)))



def make_inputs(folder):
    """A library with kernels of all kinds of names, another one that is worse, and a variant that holds it."""
    def with_kernels(**changes):
        kernels = [kernel(name=name, symbol="gemm.kd", agpr_count=8, vgpr_spill_count=0, sgpr_spill_count=0,
                          **{"vgpr_count": 512, "group_segment_fixed_size": 65536, **changes}) for name in NAMES]
        return library(device(code_object(metadata(kernels=kernels))))

    variant = folder / "build/torch213-cxx11-rocm72-x86_64-linux"
    variant.mkdir(parents=True)
    (variant / "__init__.py").write_text("from ._ops import ops\n")
    (variant / "_ops.py").write_text("from . import _page_rocm_1\n")
    (variant / "_page_rocm_1.abi3.so").write_bytes(with_kernels(vgpr_count=64, private_segment_fixed_size=16))
    (variant / "metadata.json").write_text(json.dumps({
        "name": "page", "id": "_page_rocm_1", "version": 1, "license": "<MIT> & others", "python-depends": [],
        "backend": {"type": "rocm", "archs": ["gfx942"]}}))
    (folder / "old.so").write_bytes(with_kernels(vgpr_count=64))
    (folder / "new.so").write_bytes(with_kernels(private_segment_fixed_size=64))


def make_pages(kbuild, folder):
    """The pages by name; each is written twice, and has to be the same."""
    pages = {}
    for name, arguments in {"inspect": ["inspect", "new.so"], "diff": ["inspect", "old.so", "--diff", "new.so"],
                            "audit": ["audit", "build"]}.items():
        texts = []
        for attempt in ("first", "second"):
            page = folder / f"{name}-{attempt}.html"
            result = subprocess.run([kbuild, *arguments, "--html", page], cwd=folder, text=True, capture_output=True,
                                    env={**os.environ, "XDG_DATA_HOME": str(folder), "KBUILD_OPT_DIR": str(folder)})
            assert result.returncode in (0, 6) and page.exists(), result.stderr
            texts.append(page.read_text())
        assert texts[0] == texts[1], f"two runs write two different pages: {name}"
        pages[name] = page
    return pages


def check_source(name, text):
    """What can be said without a browser."""
    assert "<script" not in text and "<img" not in text, f"{name}: a kernel's name became markup"
    assert html.escape(NAMES[0]) in text or name == "audit", f"{name}: a kernel is missing"
    elements = set(re.findall(r"<([a-z0-9]+)", text))
    assert elements <= {"html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "ul", "li",
                        "div", "table", "thead", "tbody", "tr", "th", "td", "span", "code", "i"}, elements


def check_the_check(browser, page):
    """A page that does fetch something, or is hard to read, would be found out."""
    worse = browser.folder / "worse.html"
    worse.write_text(page.read_text().replace("</main>", "<img src='http://127.0.0.1:9/x.png'><p style='color:#888;"
                                              "background:#999;width:9000px'>wide and grey</p></main>"))
    measured = browser.measure(worse, "light", "wide")
    assert measured["resources"] == ["http://127.0.0.1:9/x.png"], measured
    assert any("contrast" in line for line in measured["bad"]), measured
    assert any("hangs over" in line for line in measured["bad"]), measured


def check_page(browser, name, page, out):
    check_source(name, page.read_text())
    grounds = set()
    for scheme in SCHEMES:
        for size in SIZES:
            measured = browser.measure(page, scheme, size)
            assert not measured["bad"], f"{name}, {scheme}, {size}:\n" + "\n".join(measured["bad"])
            assert not measured["resources"], f"{name}: the browser asked for {measured['resources']}"
            assert measured["texts"] > 20, f"{name}: the page is empty"
            grounds.add(tuple(measured["ground"]))
            shot = out / f"{name}-{scheme}-{size}.png"
            browser.run(page, scheme, size, f"--screenshot={shot}")
            assert shot.stat().st_size > 5000, f"{shot.name} shows nothing"
            print(f"{shot.name}: {measured['texts']} texts, least contrast {measured['least']:.1f}")
    assert len(grounds) == 2, f"{name}: light and dark look the same"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kbuild", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path, help="for the screenshots")
    options = parser.parse_args()
    program = find_browser()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="kbuild-pages-") as text:
        folder = pathlib.Path(text).resolve()
        make_inputs(folder)
        browser = Browser(program, folder)
        pages = make_pages(options.kbuild.resolve(), folder)
        check_the_check(browser, pages["inspect"])
        for name, page in pages.items():
            check_page(browser, name, page, options.out.resolve())


if __name__ == "__main__":
    main()
