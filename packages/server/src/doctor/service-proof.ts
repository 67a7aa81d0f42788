// Restwell doctor asks a service what it sees of a request, and proves with the operator's secret that it may know. The service proves
// itself with the same secret, so that another service at the address is noticed.

import { createHmac, timingSafeEqual } from "node:crypto"
import { MINUTE_MS } from "@restwell/client/time-units"
import { deriveKey, type Secrets } from "@restwell/core"
import { z } from "zod"

export const SEEN_PATH = "/api/doctor"

/** WWW-Authenticate for a request that proves nothing, and for one without the header Authorization: a proxy may drop it. */
export const PROOF_WRONG = "Doctor"
export const PROOF_MISSING = 'Doctor error="missing"'

/** Clocks of two machines may differ. */
const PROOF_LONGEST_MS = 15 * MINUTE_MS

/** What a service sees of the doctor's request. */
const SeenSchema = z.object({
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
const requestProof = (secret: string, now: Date): string => {
  const at = String(now.getTime())
  return `Doctor ${at}.${sign(secret, `request ${at}`)}`
}

/** What proves the service that answers a request. Undefined if the request proves nothing. */
export function answerProof(secrets: Secrets, authorization: string, now: Date): string | undefined {
  const [, at = "", signature = ""] = /^Doctor (\d{1,15})\.([\w-]+)$/.exec(authorization) ?? []
  if (at === "" || Math.abs(now.getTime() - Number(at)) > PROOF_LONGEST_MS) return undefined
  const secret = secrets.find((each) => isSame(sign(each, `request ${at}`), signature))
  return secret === undefined ? undefined : sign(secret, `answer ${at}`)
}

/** Whether an answer comes from a service with the same secret. */
function isAnswerProven(secret: string, authorization: string, proof: string): boolean {
  const [, at = ""] = /^Doctor (\d+)\./.exec(authorization) ?? []
  return isSame(sign(secret, `answer ${at}`), proof)
}

const sign = (secret: string, text: string): string =>
  createHmac("sha256", deriveKey(secret, "doctor")).update(text).digest("base64url")

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** Who answers at an address. */
export type Answer =
  /** A service with our secret. */
  | { readonly from: "ours"; readonly seen: Seen }
  /** A Restwell with another secret, or one that did not get our proof. */
  | { readonly from: "stranger"; readonly isProofMissing: boolean }
  /** Something else, like a proxy without its service. */
  | { readonly from: "other"; readonly status: number; readonly location: string | null }
  /** Nobody. `code` is the error's. */
  | { readonly from: "nobody"; readonly code: string }

export interface AskOptions {
  readonly secret: string
  readonly now: Date
  readonly signal: AbortSignal
}

/** An address that nobody has, of RFC 5737. A service that believes it believes anybody. */
export const CLAIMED_ADDRESS = "192.0.2.77"
const LONGEST_MS = 8_000

/** Asks the program at an address what it sees of the request. */
export async function askService(url: string, { secret, now, signal }: AskOptions): Promise<Answer> {
  const authorization = requestProof(secret, now)
  try {
    const response = await fetch(`${url}${SEEN_PATH}`, {
      headers: { authorization, "x-forwarded-for": CLAIMED_ADDRESS },
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
    })
    const seen = SeenSchema.safeParse(await response.json().catch(() => undefined)).data
    if (seen && isAnswerProven(secret, authorization, seen.proof)) return { from: "ours", seen }
    const challenge = response.headers.get("www-authenticate") ?? ""
    if (challenge.startsWith("Doctor")) return { from: "stranger", isProofMissing: challenge === PROOF_MISSING }
    return { from: "other", status: response.status, location: response.headers.get("location") }
  } catch (error) {
    return { from: "nobody", code: codeOf(error) }
  }
}

/** The code of a failed exchange, like ECONNREFUSED. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown"
  if (error.name === "TimeoutError") return "ETIMEDOUT"
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  if ("code" in error && typeof error.code === "string") return error.code
  return error.cause === undefined ? error.name : codeOf(error.cause)
}
