import { type Allowance, type HealthScope, plainText, SHARED_DAYS, UNCHECKED_SCOPES } from "@restwell/core"
import { interactionPath, resumePath } from "../../oauth/addresses.ts"
import type { AuthorizingClient } from "../../oauth/clients.ts"
import { html, type Markup } from "../../text/markup.ts"

export const OAUTH_STYLE_PATH = "/oauth/style.css"

interface Page {
  readonly title: string
  readonly body: Markup
  /** URL that the browser opens by itself. */
  readonly continueAt?: string
}

/** A whole page that looks like the dashboard and works without scripts. */
const writePage = ({ title, body, continueAt }: Page): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${continueAt !== undefined && html`<meta http-equiv="refresh" content="0;url=${continueAt}">`}
<title>${title} · Restwell</title>
<link rel="icon" href="/assets/icon.svg">
<link rel="stylesheet" href="${OAUTH_STYLE_PATH}">
</head>
<body>
<main>
<p class="brand"><img src="/assets/icon.svg" alt="" width="26" height="26">Restwell</p>
${body}
</main>
</body>
</html>
`.text

interface ConsentPage {
  readonly id: string
  readonly client: AuthorizingClient
  readonly scopes: readonly HealthScope[]
  readonly user: { readonly name: string; readonly email: string }
  readonly token: string
  /** What the person allowed this assistant before, or has just chosen. */
  readonly before: Allowance | undefined
  readonly problem?: string
}

const SHARED: Readonly<Record<HealthScope, readonly [string, string]>> = {
  "sleep:read": ["Sleep", "Nights and naps: times, stages, performance, breathing rate"],
  "recovery:read": ["Recovery", "Score, heart rate variability, resting heart rate, blood oxygen, skin temperature"],
  "workouts:read": ["Workouts and strain", "Sport, duration, heart rate, energy, distance, and daily strain"],
  "profile:read": ["Profile", "Name, email address at the vendor, height, weight, maximum heart rate"],
  "journal:read": [
    "Journal",
    "Your answers and tags, such as alcohol and late meals, with private topics if you uploaded them. Off unless you tick it",
  ],
  "series:read": [
    "Measurements",
    "Values within the day, such as heart rate and steps, and weight. Off unless you tick it",
  ],
}

/** Shows which assistant asks for which data, and takes the person's decision. */
export const consentPage = (page: ConsentPage): string =>
  writePage({
    title: `Connect ${page.client.name}`,
    body: html`<div>
<h1>Let ${page.client.name} read your data?</h1>
<form class="inline" method="post" action="${interactionPath(page.id)}/sign-out">
<input type="hidden" name="token" value="${page.token}">
<p class="muted">Signed in as ${page.user.email}. <button class="link" type="submit">Use another account</button></p>
</form>
</div>
${page.problem !== undefined && html`<p class="notice poor" role="alert">${page.problem}</p>`}
${identityOf(page.client)}
<form method="post" action="${interactionPath(page.id)}">
<input type="hidden" name="token" value="${page.token}">
<fieldset>
<legend>What it may read</legend>
<div class="card choices">
${page.scopes.map((scope) => scopeChoice(scope, isChecked(scope, page.before)))}
</div>
</fieldset>
<fieldset>
<legend>How far back</legend>
<div class="windows">
${SHARED_DAYS.map((days) => windowChoice(days, page.before === undefined ? null : page.before.days))}
</div>
</fieldset>
<div class="actions">
<button type="submit" name="decision" value="deny">Cancel</button>
<button class="primary" type="submit" name="decision" value="allow">Authorize</button>
</div>
</form>
<p class="muted">It can only read. You see every read under Access in your dashboard, and can end its access there at any time.</p>`,
  })

const identityOf = ({
  name,
  verifiedHost,
  redirectHost,
  isLoopback,
}: AuthorizingClient): Markup => html`<dl class="card">
<dt>Assistant</dt><dd>${name}</dd>
<dt>Verified</dt><dd>${
  verifiedHost === null
    ? "No. Any program can use this name."
    : html`<span class="good">Yes</span>, published by <strong>${verifiedHost}</strong>`
}</dd>
<dt>Returns to</dt><dd><strong>${redirectHost}</strong>${isLoopback ? " (a program on this device)" : ""}</dd>
</dl>
${
  isLoopback &&
  html`<p class="notice fair">The data goes to a program on this device, and Restwell cannot tell which one. Continue only if you started this yourself.</p>`
}`

/** As the person decided before. A new scope is checked, unless it is one to tick. */
const isChecked = (scope: HealthScope, before: Allowance | undefined): boolean =>
  UNCHECKED_SCOPES.includes(scope) ? before?.scopes.includes(scope) === true : before?.declined.includes(scope) !== true

function scopeChoice(scope: HealthScope, isTicked: boolean): Markup {
  const [name, detail] = SHARED[scope]
  const id = scope.replace(":", "-")
  return html`<div class="choice">
<input type="checkbox" id="${id}" name="scope" value="${scope}"${isTicked && CHECKED}>
<label for="${id}">${name}<span>${detail}</span></label>
</div>`
}

const windowChoice = (days: number | null, chosen: number | null): Markup => html`<label>
<input type="radio" name="days" value="${days ?? "all"}"${days === chosen && CHECKED}>
${days === null ? "Everything" : `${days} days`}
</label>`

const CHECKED = html` checked`

/**
 * The page between the decision and the assistant. It sends the browser on by itself: a redirect of the form would fall under the page's
 * `form-action` policy on every further hop of the assistant. @see https://www.w3.org/TR/CSP3/#directive-form-action
 */
export const decidedPage = (id: string): string =>
  writePage({
    title: "Back to your assistant",
    continueAt: resumePath(id),
    body: html`<h1>Back to your assistant</h1>
<p>If nothing happens, <a href="${resumePath(id)}">continue</a>. You can close this page once the assistant has opened.</p>`,
  })

const LONGEST_DETAIL = 300

/** The page for a request that cannot go back to the assistant, because the assistant or its redirect URI is unknown. RFC 6749 4.1.2.1 */
export const assistantErrorPage = (error: string, description: string | undefined): string =>
  errorPage("The assistant's request is invalid", [error, description].filter(Boolean).join(": "))

/** @param detail may be text of a stranger */
export const errorPage = (title: string, detail: string): string =>
  writePage({
    title,
    body: html`<h1>${title}</h1>
<p>Go back to your assistant and connect again. If this happens again, remove the connector there and add it again.</p>
<p class="muted">Details: ${plainText(detail, LONGEST_DETAIL)}</p>
<p class="muted"><a href="/">Go to the dashboard</a></p>`,
  })

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
