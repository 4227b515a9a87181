#pragma once

#include <string_view>

namespace kbuild::ui {

/// The style of all pages. Colours are pairs for light and dark ground, each text on its ground
/// with a contrast of at least 4.5 (tests/integration/test_pages.py measures it in a browser).
inline constexpr std::string_view kHtmlStyle = R"css(
:root {
  --ground: #ffffff; --raised: #f3f4f6; --text: #1b1f24; --dim: #57606a; --line: #d0d7de;
  --bar: #b6d4f2; --bar-high: #f5c089; --error: #a40e26; --warning: #7a4a00; --note: #3a4652; --good: #116329;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --raised: #1f242a; --text: #e6e9ed; --dim: #a3acb6; --line: #3a424b;
    --bar: #1f4a73; --bar-high: #7a4a12; --error: #ff9ba3; --warning: #f0c070; --note: #b6c0ca; --good: #7ee29a;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 88rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .5rem; }
h1, h2, h3, p, dd, li { overflow-wrap: anywhere; }
p { margin: .4rem 0; }
.dim { color: var(--dim); }
.error { color: var(--error); font-weight: 600; }
.warning { color: var(--warning); font-weight: 600; }
.note { color: var(--note); font-weight: 600; }
.good { color: var(--good); font-weight: 600; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { color: var(--dim); }
dd { margin: 0; min-width: 0; }
ul { margin: .2rem 0; padding-left: 1.2rem; }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; margin: .75rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .35rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { background: var(--raised); font-weight: 600; white-space: nowrap; }
tbody tr:last-child td { border-bottom: 0; }
td { min-width: 4.5rem; }
td.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td code { display: inline-block; min-width: 16rem; }
.bar { position: relative; background: var(--raised); border-radius: 3px; min-width: 5.5rem; padding: 0 .35rem; }
.bar span { position: relative; z-index: 1; }
.bar i { position: absolute; inset: 0 auto 0 0; background: var(--bar); border-radius: 3px; }
.bar.high i { background: var(--bar-high); }
@media print { .wide { overflow: visible; } }
)css";

} // namespace kbuild::ui
