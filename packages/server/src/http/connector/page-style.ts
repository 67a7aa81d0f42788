/** Style of the pages that work without scripts. Same colours and contrasts as the dashboard: WCAG 2.2, 1.4.3 and 1.4.11. */
export const OAUTH_STYLE = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(#f6f7f9, #0b0d10);
  --surface: light-dark(#ffffff, #12151a);
  --raised: light-dark(#f0f2f5, #1a1e25);
  --line: light-dark(#e1e5ea, #242a33);
  --line-strong: light-dark(#8a94a1, #5c6675);
  --text: light-dark(#14181d, #eceff3);
  --muted: light-dark(#4f5a68, #a3adba);
  --accent: light-dark(#3350cc, #93a9ff);
  --good: light-dark(#0a7a43, #35d083);
  --fair: light-dark(#855f00, #f2c14a);
  --fair-soft: light-dark(#fdf3d6, #2c2410);
  --poor: light-dark(#bf2a35, #ff7a7a);
  --poor-soft: light-dark(#fdeaeb, #331719);
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--canvas); color: var(--text);
  font: 400 0.9375rem/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  -webkit-font-smoothing: antialiased; -webkit-text-size-adjust: 100%;
}
main { max-width: 28rem; min-height: 100dvh; margin: 0 auto; padding: 2.5rem 1rem; display: flex; flex-direction: column; justify-content: center; gap: 1.25rem; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; font-weight: 600; letter-spacing: -0.015em; text-wrap: balance; overflow-wrap: anywhere; }
p { margin: 0; overflow-wrap: anywhere; }
h1 + p, h1 + form { margin-top: 0.375rem; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.brand { display: inline-flex; align-items: center; gap: 0.5rem; font-weight: 600; letter-spacing: -0.01em; }
.muted { color: var(--muted); font-size: 0.875rem; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 0.75rem; padding: 1rem; }
.notice { border-radius: 0.75rem; padding: 0.75rem 1rem; font-size: 0.875rem; border: 1px solid; }
.notice.fair { background: var(--fair-soft); border-color: color-mix(in srgb, var(--fair) 40%, transparent); }
.notice.poor { background: var(--poor-soft); border-color: color-mix(in srgb, var(--poor) 40%, transparent); }
dl { margin: 0; display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.5rem 1rem; font-size: 0.875rem; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
.good { color: var(--good); }
form { display: flex; flex-direction: column; gap: 1rem; margin: 0; }
fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; font-weight: 600; margin-bottom: 0.5rem; }
.choice { display: flex; gap: 0.75rem; align-items: flex-start; padding: 0.625rem 0; border-top: 1px solid var(--line); }
.choice:first-child { border-top: 0; }
.choices { padding: 0.5rem 1rem; }
.choice input { margin: 0.2rem 0 0; width: 1.125rem; height: 1.125rem; flex: none; accent-color: var(--accent); }
.choice label { flex: 1; cursor: pointer; font-weight: 500; }
.choice span { font-weight: 400; display: block; color: var(--muted); font-size: 0.875rem; }
.windows { display: grid; grid-template-columns: 1fr 1fr; gap: 0.5rem; }
.windows label { white-space: nowrap; background: var(--surface); display: flex; align-items: center; gap: 0.5rem; min-height: 2.5rem; padding: 0 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; font-size: 0.875rem; cursor: pointer; }
.windows label:has(:checked) { border-color: var(--accent); }
.windows input { margin: 0; width: 1.125rem; height: 1.125rem; accent-color: var(--accent); }
.actions { display: grid; grid-template-columns: 1fr 1fr; gap: 0.75rem; }
button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: 0.375rem 1rem; border-radius: 0.5rem; border: 1px solid var(--line); background: var(--surface); color: var(--text); font: inherit; font-weight: 500; cursor: pointer; }
button:hover { background: var(--raised); }
button.primary { background: var(--text); border-color: var(--text); color: var(--canvas); }
button.primary:hover { opacity: 0.85; }
button.link { min-height: 0; padding: 0; border: 0; background: none; color: var(--accent); font-size: 0.875rem; font-weight: 400; text-decoration: underline; text-underline-offset: 0.15em; }
form.inline { gap: 0; }
`
