import { DAYS, HEALTH_TYPES, type HealthType } from "@restwell/client"
import type { OpenApiDocument } from "../openapi/document.ts"
import { HEALTH_EXAMPLES } from "../openapi/health-examples.ts"
import { describeFailures } from "../openapi/responses.ts"
import { html, type Markup } from "../text/markup.ts"
import { fieldTable } from "./field-table.ts"
import { recipesFor } from "./recipes.ts"

const TYPES: Record<HealthType, { schema: string; about: string }> = {
  summary: {
    schema: "SummaryResponse",
    about:
      "Averages of sleep and recovery, strain and workouts over the period. Naps and unscored nights are left out of the averages; the counts say how many values each average has.",
  },
  sleep: { schema: "SleepResponse", about: "Every night and nap, by the local date of waking." },
  recovery: { schema: "RecoveryResponse", about: "One recovery a day, by the date of its sleep." },
  workout: {
    schema: "WorkoutResponse",
    about:
      "Workouts by the local date of their start. Sauna, massage and similar activities are listed, but not counted in the summary.",
  },
  cycle: {
    schema: "CycleResponse",
    about:
      "Physiological cycles, from one main sleep to the next, by the date of that sleep. The newest is still in progress.",
  },
  profile: { schema: "ProfileResponse", about: "Name and body measurements, as they are at the vendor." },
}

const section = (id: string, title: string, content: Markup): Markup =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}</section>
`

const code = (text: string, label: string): Markup =>
  html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>
`

/** The reference for people, made from the OpenAPI document. It loads no script, font or image. */
export function referencePage(document: OpenApiDocument, baseUrl: string): string {
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Restwell API reference</title><link rel="stylesheet" href="/docs/style.css"></head>
<body><a class="skip" href="#main">Skip to the reference</a><div class="page">
${navigation()}
<main id="main">
<h1>Your wearable data, one GET request away</h1>
<p class="lead">Sleep, recovery, strain and workouts from this service’s own store, synced with the vendor in the background. Read-only.</p>
${quickStart(baseUrl)}${ranges()}${freshness(document)}${errors()}${types(document)}${recipes(baseUrl)}${connector(baseUrl)}${others(document)}
<footer>Restwell ${document.info.version}. For programs: <a href="/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</footer>
</main></div></body></html>
`
  return page.text
}

function navigation(): Markup {
  const link = (id: string, title: string): Markup => html`<li><a href="#${id}">${title}</a></li>`
  return html`<nav aria-label="Contents"><p><a href="/docs/">Restwell manual</a></p>
<h2>Reading</h2><ul>${link("start", "Quick start")}${link("ranges", "Dates and ranges")}${link("freshness", "Freshness and quota")}${link("errors", "Errors")}</ul>
<h2>Types</h2><ul>${HEALTH_TYPES.map((type) => link(`type-${type}`, type))}</ul>
<h2>More</h2><ul>${link("recipes", "Recipes")}${link("connector", "Connector")}${link("account", "Account")}${link("connections", "Connections")}${link("service", "Service")}</ul></nav>`
}

const quickStart = (baseUrl: string): Markup =>
  section(
    "start",
    "Quick start",
    html`<p>Every request carries your API key: the word <code>Bearer</code>, one space, the key. It is shown once, when you make it.
A new key replaces the old one at once.</p>
${code(`curl -H "Authorization: Bearer rw_..." "${baseUrl}/api/v1/health?type=recovery&days=7"`, "Request")}
<p>The response:</p>
${code(JSON.stringify(HEALTH_EXAMPLES.recovery.value, null, 2), "Response")}`,
  )

const ranges = (): Markup =>
  section(
    "ranges",
    "Dates and ranges",
    html`<div class="scroll" tabindex="0" role="region" aria-label="Parameters"><table>
<thead><tr><th scope="col">Parameter</th><th scope="col">Values</th><th scope="col">Meaning</th></tr></thead><tbody>
<tr><th scope="row"><code>type</code></th><td>${HEALTH_TYPES.join(", ")}</td><td>What to read. Without it: summary</td></tr>
<tr><th scope="row"><code>days</code></th><td>${DAYS.min} to ${DAYS.max}</td><td>That many dates, ending today. Without it: ${DAYS.default}</td></tr>
<tr><th scope="row"><code>start_date</code></th><td>YYYY-MM-DD</td><td>First date, inclusive. Alone: through today</td></tr>
<tr><th scope="row"><code>end_date</code></th><td>YYYY-MM-DD</td><td>Last date, inclusive. Alone: the <code>days</code> dates that end there</td></tr>
</tbody></table></div>
<p>Dates override <code>days</code>. A request spans at most ${DAYS.max} dates. The archive has no limit: send several requests.
A date is local to the place of the record, and today is the current date at the place of the newest record. Instants are UTC; <code>start_local</code> and <code>end_local</code> are on the local clock.</p>`,
  )

function types(document: OpenApiDocument): Markup {
  const schemas = document.components?.schemas ?? {}
  return html`${HEALTH_TYPES.map((type) =>
    section(
      `type-${type}`,
      `type=${type}`,
      html`<p>${TYPES[type].about}</p>
${fieldTable(schemas, TYPES[type].schema)}${code(JSON.stringify(HEALTH_EXAMPLES[type].value, null, 2), `Example of ${type}`)}`,
    ),
  )}`
}

const freshness = (document: OpenApiDocument): Markup =>
  section(
    "freshness",
    "Freshness and quota",
    html`<p>A missing value is <code>null</code>, never zero and never another day’s value. <code>score_state</code> says whether it is still being
computed, <code>empty_reason</code> why a list is empty, <code>source</code> when the last sync was and whether the vendor is available.
After waking, the vendor may take 15 to 30 minutes to score the night.</p>
<p>Cache a response for 15 minutes, or send its <code>ETag</code> as <code>If-None-Match</code>: <code>304</code> means nothing changed, and is not counted.
Only a <code>200</code> counts against the UTC calendar month. <code>X-RateLimit-Limit</code>, <code>-Remaining</code> and <code>-Reset</code> are on every
response to a valid key.</p>
<h3>source</h3>
${fieldTable(document.components?.schemas ?? {}, "Source")}`,
  )

const errors = (): Markup =>
  section(
    "errors",
    "Errors",
    html`<p>Every error is JSON with <code>error</code>, a stable code, and <code>message</code>, which says what to do.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Errors"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">When</th><th scope="col">Also has</th></tr></thead>
<tbody>${describeFailures().map(
      ({
        error,
        status,
        description,
        fields = {},
      }) => html`<tr><th scope="row"><code>${error}</code></th><td>${status}</td><td>${description}</td><td>${Object.keys(fields).join(", ")}</td></tr>
`,
    )}</tbody></table></div>`,
  )

const recipes = (baseUrl: string): Markup =>
  section(
    "recipes",
    "Recipes",
    html`${Object.entries(recipesFor(baseUrl)).map(([title, text]) => html`<h3>${title}</h3>${code(text, title)}`)}`,
  )

/** Each tool in a few words. Assistants get longer descriptions. */
const TOOLS: readonly (readonly [string, string])[] = [
  ["get_today", "last night and today beside the usual range, and what is pending"],
  ["get_trend", "one metric over any period: verdict, usual range, best and worst dates"],
  ["compare_periods", "one metric in two periods"],
  ["find_relations", "what goes with a metric"],
  ["get_summary", "averages over a range"],
  ["get_sleep", "each night and nap"],
  ["get_recovery", "each day’s recovery"],
  ["get_workouts", "each workout"],
  ["get_cycles", "each day’s strain"],
  ["get_journal", "answers and tags by date of waking"],
  ["get_profile", "name and body measurements"],
  ["search", "days by date, weekday, month, sport or extreme"],
  ["fetch", "all of one day, or a summary"],
]

const connector = (baseUrl: string): Markup =>
  section(
    "connector",
    "Connector",
    html`<p>Claude, ChatGPT and other assistants read the same data through one address. Add it as a custom connector; you sign in here, choose what
the assistant may read and how far back, and press Authorize. It needs no API key.</p>
${code(`${baseUrl}/api/mcp/oauth`, "Connector address")}
<p>It is a Model Context Protocol server, versions 2025-03-26 to 2026-07-28, with an OAuth 2.1 authorization server that describes itself at
<code>/.well-known/oauth-authorization-server</code>. Every tool only reads. A call counts as one request of the month. <a href="/connections">Connections</a> lists what each assistant may
read and every read it made, and ends its access at once. The journal needs a permission of its own, which is off unless you tick it.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Tools"><table>
<thead><tr><th scope="col">Tool</th><th scope="col">Gives</th></tr></thead><tbody>${TOOLS.map(
      ([name, gives]) => html`<tr><th scope="row"><code>${name}</code></th><td>${gives}</td></tr>
`,
    )}</tbody></table></div>
<p>Ranges work as in the REST query. Structured results have the figures of the REST responses, without the ids of records. The text form has one
line for each record. There are also the resources <code>restwell://summary/today</code>, <code>restwell://summary/week</code> and
<code>restwell://day/{date}</code>, lists of records as CSV, and prompts for frequent questions.</p>
<p>Desktop programs that speak to local servers can run the same tools with your API key, in the folder of Restwell.
<a href="/connections">Connections</a> has the file for Claude Desktop.</p>
${code(`RESTWELL_URL=${baseUrl} RESTWELL_API_KEY=rw_... node_modules/.bin/node packages/server/bin/restwell.js mcp`, "Local server")}`,
  )

/** All other operations, by tag. */
function others(document: OpenApiDocument): Markup {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    (["get", "post", "delete"] as const).flatMap((method) => {
      const operation = item[method]
      return operation ? [{ path, method: method.toUpperCase(), operation }] : []
    }),
  )
  return html`${["Account", "Connections", "Service"].map((tag) =>
    section(
      tag.toLowerCase(),
      tag,
      html`<p>${document.tags?.find(({ name }) => name === tag)?.description}.</p>
${operations
  .filter(({ operation }) => operation.tags?.includes(tag))
  .map(
    ({
      path,
      method,
      operation,
    }) => html`<h3>${operation.summary}</h3><p class="route"><code><span class="method">${method}</span>${path}</code></p><p>${operation.description}</p>
`,
  )}`,
    ),
  )}`
}
