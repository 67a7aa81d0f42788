import { type Clock, Unauthorized } from "@restwell/core"
import { z } from "zod"
import { rethrowAuthError } from "./auth-errors.ts"
import type { Auth } from "./better-auth.ts"

/** The person who is signed in. */
export interface Session {
  readonly userId: string
  readonly sessionId: string
  readonly signedInAt: Date
  readonly user: { readonly id: string; readonly name: string; readonly email: string }
  /** Cookies that extend the session. Empty except on the first request of a day. */
  readonly renewal: readonly string[]
}

export const UserSchema = z.object({ id: z.string(), name: z.string(), email: z.string() })

export async function readSession(auth: Auth, headers: Headers): Promise<Session | undefined> {
  if (!headers.has("cookie")) return undefined
  const { response: found, headers: renewed } = await auth.api
    .getSession({ headers, returnHeaders: true })
    .catch(rethrowAuthError)
  if (!found) return undefined
  const user = UserSchema.parse(found.user)
  const { id: sessionId, createdAt: signedInAt } = found.session
  return { userId: user.id, sessionId, signedInAt, user, renewal: renewed.getSetCookie() }
}

/** @throws {Unauthorized} */
export async function requireSession(auth: Auth, headers: Headers): Promise<Session> {
  const session = await readSession(auth, headers)
  if (!session) throw new Unauthorized("not signed in: sign in at /api/auth/sign-in/email first")
  return session
}

/** A younger sign-in proves enough who the person is for changes that cannot be undone. */
const FRESH_MS = 60 * 60_000
/** Clocks of replicas differ by less. */
const CLOCK_SKEW_MS = 60_000

/** A sign-in in the future proves nothing: the clock was wrong then, or is now. */
export function isFreshSession(clock: Clock, { signedInAt }: Pick<Session, "signedInAt">): boolean {
  const ageMs = clock.now().getTime() - signedInAt.getTime()
  return ageMs > -CLOCK_SKEW_MS && ageMs < FRESH_MS
}

/** Deletes a person's expired sessions: better-auth deletes one only when its cookie comes back. */
export async function deleteExpiredSessions(auth: Auth, userId: string, now: Date): Promise<void> {
  const { adapter } = await auth.$context
  await adapter.deleteMany({
    model: "session",
    where: [
      { field: "userId", value: userId },
      { field: "expiresAt", operator: "lt", value: now },
    ],
  })
}
