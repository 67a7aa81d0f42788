// Restwell doctor asks a service what it sees of a request, and proves with the operator's secret that it may know. The service proves
// itself with the same secret, so that another service at the address is noticed.
import { createHmac, timingSafeEqual } from "node:crypto"
import { deriveKey, type Secrets } from "@restwell/core"
import { z } from "zod"

export const SEEN_PATH = "/api/doctor"

/** WWW-Authenticate for a request that proves nothing, and for one without the header Authorization: a proxy may drop it. */
export const PROOF_WRONG = "Doctor"
export const PROOF_MISSING = 'Doctor error="missing"'

/** Clocks of two machines may differ. */
const LONGEST_MS = 15 * 60_000

/** What a service sees of the doctor's request. */
export const SeenSchema = z.object({
  proof: z.string(),
  version: z.string(),
  base_url: z.string(),
  /** Whom the limits for each network count. */
  address: z.string(),
  /** Who opened the connection: the doctor, or the last proxy. */
  peer: z.string(),
  /** X-Forwarded-For as it arrived. */
  forwarded_for: z.string(),
  /** Whether TRUST_PROXY names the peer. */
  is_peer_trusted: z.boolean(),
})
export type Seen = z.infer<typeof SeenSchema>

/** The value of the header Authorization. */
export const requestProof = (secret: string, now: Date): string => {
  const at = String(now.getTime())
  return `Doctor ${at}.${sign(secret, `request ${at}`)}`
}

/** What proves the service that answers a request. Undefined if the request proves nothing. */
export function answerProof(secrets: Secrets, authorization: string, now: Date): string | undefined {
  const [, at = "", signature = ""] = /^Doctor (\d{1,15})\.([\w-]+)$/.exec(authorization) ?? []
  if (at === "" || Math.abs(now.getTime() - Number(at)) > LONGEST_MS) return undefined
  const secret = secrets.find((each) => isSame(sign(each, `request ${at}`), signature))
  return secret === undefined ? undefined : sign(secret, `answer ${at}`)
}

/** Whether an answer comes from a service with the same secret. */
export function isAnswerProven(secret: string, authorization: string, proof: string): boolean {
  const [, at = ""] = /^Doctor (\d+)\./.exec(authorization) ?? []
  return isSame(sign(secret, `answer ${at}`), proof)
}

const sign = (secret: string, text: string): string =>
  createHmac("sha256", deriveKey(secret, "doctor")).update(text).digest("base64url")

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
