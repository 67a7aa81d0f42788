import { isAnswerProven, PROOF_MISSING, requestProof, SEEN_PATH, type Seen, SeenSchema } from "./service-proof.ts"

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
