// Whose token it is. The API names nobody, so only the token itself can.
import { createHash } from "node:crypto"
import { z } from "zod"
import type { NormalizedProfile } from "../contract/records.ts"
import { ULTRAHUMAN } from "./normalize.ts"

const id = z.union([z.string().min(1).max(200), z.number()]).transform(String)

/** Claims that name a person, as far as a token is one with claims. */
const ClaimsSchema = z.union([
  z.object({ user_id: id }).transform(({ user_id: member }) => member),
  z.object({ userId: id }).transform(({ userId: member }) => member),
  z.object({ uid: id }).transform(({ uid: member }) => member),
  z.object({ sub: id }).transform(({ sub: member }) => member),
])

/**
 * Returns the person's profile, with an id that is equal for all of the person's tokens as far as tokens name the person, and else is of the
 * token alone. A vendor that accepts a token has verified its claims.
 * @see https://www.rfc-editor.org/rfc/rfc7519#section-4.1.2
 */
export function profileOf(token: string): NormalizedProfile {
  const claim = ClaimsSchema.safeParse(claimsOf(token)).data
  const providerId = createHash("sha256")
    .update(claim ?? token)
    .digest("hex")
    .slice(0, 32)
  const data = { id: `${ULTRAHUMAN}-${providerId}`, providerId }
  return { data, raw: {}, ...(claim === undefined && { isUnnamed: true }) }
}

function claimsOf(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"))
  } catch {
    return undefined
  }
}
