import { interactionPath } from "../../../oauth/addresses.ts"
import type { AuthorizingClient } from "../../../oauth/describe-client.ts"
import { html } from "../../../text/markup.ts"
import { writePage } from "./page.ts"

export interface CodePage {
  readonly id: string
  readonly client: AuthorizingClient
  readonly token: string
  /** Why the last code failed. */
  readonly problem?: string
}

/** Asks for the code that follows the password. */
export const codePage = ({ id, client, token, problem }: CodePage): string =>
  writePage({
    title: "Enter your code",
    body: html`<div>
<h1>Enter your code to connect ${client.name}</h1>
<p class="muted">Your authenticator app displays a new code every 30 seconds.</p>
</div>
${problem !== undefined && html`<p class="notice poor" role="alert">${problem}</p>`}
<form method="post" action="${interactionPath(id)}/code">
<input type="hidden" name="token" value="${token}">
<div class="field">
<label for="code">Code of your app, or a recovery code</label>
<input id="code" name="code" type="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required autofocus>
</div>
<button class="primary" type="submit">Sign in</button>
</form>
<p class="muted"><a href="${interactionPath(id)}">Start again</a></p>`,
  })
