import { resumePath } from "../../../oauth/addresses.ts"
import { html } from "../../../text/markup.ts"
import { writePage } from "./page.ts"

/**
 * Between the decision and the assistant. The browser goes on by itself: a redirect of the form itself would be bound by this page's policy
 * for forms, on every further hop that the assistant makes. @see https://www.w3.org/TR/CSP3/#directive-form-action
 */
export const decidedPage = (id: string): string =>
  writePage({
    title: "Back to your assistant",
    goOn: resumePath(id),
    body: html`<h1>Back to your assistant</h1>
<p>If nothing happens, <a href="${resumePath(id)}">go on</a>. When the assistant has opened, you can close this page.</p>`,
  })
