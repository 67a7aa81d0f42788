/** The reference's style: system type, one accent, dark where the reader's machine is dark. Contrasts are at least 4.5:1. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#ffffff, #0e1013);
  --raised: light-dark(#f5f6f8, #171a1f);
  --line: light-dark(#dfe2e7, #2a2f37);
  --ink: light-dark(#15181d, #eceef1);
  --soft: light-dark(#565d68, #a3abb6);
  --accent: light-dark(#0b6b4f, #4fd1a5);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 400 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  -webkit-font-smoothing: antialiased;
}
a { color: var(--accent); text-underline-offset: 0.2em; }
a:focus-visible, pre:focus-visible, .scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--ground); padding: 0.5rem 1rem; z-index: 1; }
.page { display: grid; grid-template-columns: 15rem minmax(0, 46rem); gap: 0 4rem; max-width: 72rem; margin: 0 auto; padding: 0 1.5rem; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 3rem 0; font-size: 0.9rem; }
nav p { margin: 0 0 1.5rem; font-weight: 650; font-size: 1.05rem; letter-spacing: -0.01em; }
nav ul { list-style: none; margin: 0 0 1.25rem; padding: 0; }
nav li { margin: 0; }
nav a { display: block; padding: 0.22rem 0; color: var(--soft); text-decoration: none; }
nav a:hover { color: var(--ink); }
nav h2 { all: unset; display: block; font-size: 0.72rem; font-weight: 650; text-transform: uppercase; letter-spacing: 0.07em; color: var(--soft); margin-bottom: 0.35rem; }
main { padding: 3rem 0 6rem; min-width: 0; }
h1 { font-size: clamp(2rem, 1.4rem + 2.4vw, 2.9rem); line-height: 1.1; letter-spacing: -0.03em; font-weight: 680; margin: 0 0 1rem; text-wrap: balance; }
h2 { font-size: 1.55rem; line-height: 1.2; letter-spacing: -0.02em; font-weight: 650; margin: 4rem 0 0.75rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.08rem; font-weight: 640; margin: 2.25rem 0 0.5rem; letter-spacing: -0.01em; }
p, ul { margin: 0 0 1rem; text-wrap: pretty; }
.lead { font-size: 1.2rem; color: var(--soft); max-width: 40rem; }
code { font: 0.88em/1.5 ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, monospace; }
:not(pre) > code { background: var(--raised); padding: 0.12em 0.36em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.15rem; overflow-x: auto; margin: 0 0 1.25rem; }
.scroll { overflow-x: auto; margin: 0 0 1.5rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
caption { text-align: left; color: var(--soft); padding-bottom: 0.5rem; }
th, td { text-align: left; vertical-align: top; padding: 0.55rem 1rem 0.55rem 0; border-bottom: 1px solid var(--line); }
thead th { font-weight: 600; color: var(--soft); font-size: 0.8rem; }
tbody th { font-weight: 400; white-space: nowrap; }
td.type { color: var(--soft); min-width: 7.5rem; max-width: 12rem; overflow-wrap: anywhere; }
.route { font-size: 1rem; }
.method { font-weight: 650; color: var(--accent); margin-right: 0.5ch; }
footer { color: var(--soft); font-size: 0.9rem; margin-top: 4rem; }
@media (max-width: 60rem) {
  .page { display: block; }
  nav { position: static; max-height: none; padding: 1.5rem 0 0; border-bottom: 1px solid var(--line); }
  nav p { margin-bottom: 0.75rem; }
  nav ul { display: flex; flex-wrap: wrap; gap: 0 1.1rem; }
  main { padding-top: 2rem; }
}
@media (max-width: 40rem) {
  thead { position: absolute; left: -999rem; }
  tr { display: block; padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  tbody th, td, td.type { display: block; padding: 0; border: 0; max-width: none; }
}
@media print { nav, .skip { display: none; } .page { display: block; } pre { white-space: pre-wrap; } }
`
