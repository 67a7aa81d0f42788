import { claimInvitation, findInvitation, ServiceError } from "@restwell/core"
import type { AccountOperation, AccountsContext } from "./account-request.ts"
import { countNamelessSignIn } from "./attempt-limits.ts"
import { cookiesNamed } from "./better-auth.ts"
import { BODIES, parseFields } from "./request-bodies.ts"

const COOKIE = "restwell.invitation"
/** Long enough to sign in at another service. */
const COOKIE_SECONDS = 1800

/** A link that creates one account, even where sign-ups are closed. */
export const createInvitations = ({ context }: AccountsContext, baseUrl: string) =>
  ({
    /**
     * What the link offers. A cookie keeps its token for a sign-up with Google or Apple, which leaves this site.
     * @throws {NotFound} for a link that was accepted, replaced or revoked, or has expired
     */
    async readInvitation({ body, address }) {
      const { token } = parseFields(body, BODIES.link)
      await countNamelessSignIn(context, address)
      const { email, plan } = await findInvitation(context, token)
      return { body: { email, plan }, headers: new Headers({ "set-cookie": cookieOf(token, COOKIE_SECONDS, baseUrl) }) }
    },
  }) satisfies Record<string, AccountOperation>

/** The token of the invitation that this browser has opened. */
export const invitationIn = (headers: Headers): string | undefined =>
  cookiesNamed(headers.get("cookie") ?? "", COOKIE)[0]

/** Ends the cookie of an invitation. */
export const endedInvitation = (baseUrl: string): string => cookieOf("", 0, baseUrl)

function cookieOf(token: string, maxAgeSeconds: number, baseUrl: string): string {
  const secure = baseUrl.startsWith("https:") ? "; Secure" : ""
  return `${COOKIE}=${token}; Path=/api/auth/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`
}

/** True if the invitation was reserved for the address. False if it is not valid for it. */
export async function isInvited(
  context: AccountsContext["context"],
  { token, email }: { readonly token: string | undefined; readonly email: string },
): Promise<boolean> {
  if (token === undefined) return false
  try {
    await claimInvitation(context, { token, email: email.toLowerCase() })
    return true
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return false
  }
}
