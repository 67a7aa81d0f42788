import { interactionPath } from "../../../oauth/addresses.ts"
import type { AuthorizingClient } from "../../../oauth/describe-client.ts"
import { html } from "../../../text/markup.ts"
import { writePage } from "./page.ts"

export interface SignInPage {
  readonly id: string
  readonly client: AuthorizingClient
  readonly token: string
  /** Whether somebody new may come. */
  readonly isOpen: boolean
  /** What was wrong with the last try. */
  readonly problem?: string
  /** What was typed in the last try. */
  readonly email?: string
}

/** Who is not signed in does it here; the other ways in are on the dashboard's own page, which comes back. */
export const signInPage = ({ id, client, token, isOpen, problem, email = "" }: SignInPage): string =>
  writePage({
    title: "Sign in",
    body: html`<div>
<h1>Sign in to connect ${client.name}</h1>
<p class="muted">You then see what it may read, and decide.</p>
</div>
${problem !== undefined && html`<p class="notice poor" role="alert">${problem}</p>`}
<form method="post" action="${interactionPath(id)}/sign-in">
<input type="hidden" name="token" value="${token}">
<div class="field">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${email}">
</div>
<div class="field">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
</div>
<button class="primary" type="submit">Sign in</button>
</form>
<p class="muted"><a href="/sign-in?${nextOf(id)}">Sign in another way</a>${
      isOpen && html`, or <a href="/sign-up?${nextOf(id)}">make an account</a>`
    }.</p>`,
  })

/** Signing in elsewhere comes back to the same request. */
const nextOf = (id: string): string => new URLSearchParams({ next: interactionPath(id) }).toString()
