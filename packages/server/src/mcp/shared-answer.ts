import type { HealthBody } from "@restwell/core"
import { plainText } from "../text/plain-text.ts"
import type { Sharing } from "./health-source.ts"
import { OUTPUTS } from "./tool-schemas.ts"

const LONGEST_TEXT = 100

/** A summary as this assistant may see it: null for what is not shared. */
export function sharedSummary(body: HealthBody, { scopes }: Sharing) {
  const summary = OUTPUTS.summary.parse(body)
  return {
    ...summary,
    sleep: scopes.includes("sleep:read") ? summary.sleep : null,
    recovery: scopes.includes("recovery:read") ? summary.recovery : null,
    strain: scopes.includes("workouts:read") ? summary.strain : null,
  }
}

/** The words of an answer that a vendor or a person wrote are data: one line, of bounded length, with nothing unseen in it. */
export function plainWords<Body>(body: Body): Body
export function plainWords(body: unknown): unknown {
  if (typeof body === "string") return plainText(body, LONGEST_TEXT)
  if (Array.isArray(body)) return body.map((part) => plainWords(part))
  if (typeof body !== "object" || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([name, part]) => [name, plainWords(part)]))
}
