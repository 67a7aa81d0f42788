import type { KoaContextWithOIDC } from "oidc-provider"
import { html } from "../../../text/markup.ts"
import { plainText } from "../../../text/plain-text.ts"
import { writePage } from "./page.ts"

const LONGEST_DESCRIPTION = 300

/** What a person reads where nothing can be sent back to the assistant: it is unknown, or its address is not its own. RFC 6749 4.1.2.1 */
export function writeErrorPage(koa: KoaContextWithOIDC, error: string, description: string | undefined): void {
  koa.type = "html"
  koa.body = errorPage(
    `The assistant's request cannot be answered`,
    `${error}${description === undefined ? "" : `: ${description}`}`,
  )
}

export const errorPage = (title: string, detail: string): string =>
  writePage({
    title,
    body: html`<h1>${title}</h1>
<p>Go back to your assistant and connect again. If it comes to this again, remove the connector there and add it anew.</p>
<p class="muted">What was wrong: ${plainText(detail, LONGEST_DESCRIPTION)}</p>
<p class="muted"><a href="/">To the dashboard</a></p>`,
  })
