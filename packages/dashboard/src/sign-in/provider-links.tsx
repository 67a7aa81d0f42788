import type { SignInOptionsResponse } from "@restwell/client"
import { nextSearch } from "../api/sign-in-path.ts"
import { ExternalButtonLink } from "../components/button.tsx"

/** Texts by the `problem` that the server adds to the URL of the sign-in page. */
const PROBLEMS: Readonly<Record<string, string>> = {
  session_ended: "Your session has ended. Sign in again to continue.",
  access_denied: "You cancelled the sign-in. No data was shared.",
  email_taken: "An account with this email address already exists. Sign in the way you did before.",
  sign_up_closed: "Sign-ups are closed. Ask the operator for an account.",
  invitation_invalid:
    "This invitation is not valid for that account: it was accepted, revoked, has expired, or is for another address.",
  expired: "The sign-in took too long or was started in another browser. Try again.",
  failed: "The other service did not confirm your identity. Try again in a moment.",
}

/** Returns the text for the problem in the URL, if it names a known one. */
export const problemText = (search: string): string | undefined =>
  PROBLEMS[new URLSearchParams(search).get("problem") ?? ""]

/** Links to sign in with other services, such as Google. */
export const ProviderLinks = ({ providers }: { providers: SignInOptionsResponse["providers"] }) =>
  providers.map(({ provider, name }) => (
    <ExternalButtonLink key={provider} href={`/api/auth/sign-in/${provider}${nextSearch(window.location.search)}`}>
      Continue with {name}
    </ExternalButtonLink>
  ))
