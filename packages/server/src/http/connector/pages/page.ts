import { html, type Markup } from "../../../text/markup.ts"

export const OAUTH_STYLE_PATH = "/oauth/style.css"

export interface Page {
  readonly title: string
  readonly body: Markup
  /** URL that the browser opens by itself. */
  readonly continueAt?: string
}

/** A whole page that looks like the dashboard and works without scripts. */
export const writePage = ({ title, body, continueAt }: Page): string =>
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
