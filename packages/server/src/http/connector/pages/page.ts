import { html, type Markup } from "../../../text/markup.ts"

export const OAUTH_STYLE_PATH = "/oauth/style.css"

export interface Page {
  readonly title: string
  readonly body: Markup
  /** Where the browser goes on by itself. */
  readonly goOn?: string
}

/** A whole page in the dashboard's look. It works without any code of its own. */
export const writePage = ({ title, body, goOn }: Page): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${goOn !== undefined && html`<meta http-equiv="refresh" content="0;url=${goOn}">`}
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
