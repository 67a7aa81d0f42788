import { interactionPath } from "../../../oauth/addresses.ts"
import type { AuthorizingClient } from "../../../oauth/describe-client.ts"
import { html } from "../../../text/markup.ts"
import { writePage } from "./page.ts"

export interface SignInPage {
  readonly id: string
  readonly client: AuthorizingClient
  readonly token: string
  /** Whether new people can sign up. */
  readonly isOpen: boolean
  /** Why the last attempt failed. */
  readonly problem?: string
  /** The address of the last attempt. */
  readonly email?: string
}

/** Signs in with a password. The dashboard's page has the other ways to sign in, and comes back here. */
export const signInPage = ({ id, client, token, isOpen, problem, email = "" }: SignInPage): string =>
  writePage({
    title: "Sign in",
    body: html`<div>
<h1>Sign in to connect ${client.name}</h1>
<p class="muted">Next, you choose what it may read.</p>
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
      isOpen && html`, or <a href="/sign-up?${nextOf(id)}">create an account</a>`
    }.</p>`,
  })

/** Brings the browser back to the same request after signing in on another page. */
const nextOf = (id: string): string => new URLSearchParams({ next: interactionPath(id) }).toString()
