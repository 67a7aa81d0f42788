import { html } from "../../../text/markup.ts"
import { plainText } from "../../../text/plain-text.ts"
import { writePage } from "./page.ts"

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
