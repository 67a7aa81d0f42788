import { resumePath } from "../../../oauth/addresses.ts"
import { html } from "../../../text/markup.ts"
import { writePage } from "./page.ts"

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
