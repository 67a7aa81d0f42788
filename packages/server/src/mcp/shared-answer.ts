import { plainText } from "../text/plain-text.ts"
import type { Sharing } from "./health-source.ts"
import { OUTPUTS } from "./tool-schemas.ts"

const LONGEST_TEXT = 100

/** A summary with null for what the person does not share with this assistant. */
export function sharedSummary(body: unknown, { scopes }: Sharing) {
  const summary = OUTPUTS.summary.parse(body)
  return {
    ...summary,
    sleep: scopes.includes("sleep:read") ? summary.sleep : null,
    recovery: scopes.includes("recovery:read") ? summary.recovery : null,
    strain: scopes.includes("workouts:read") ? summary.strain : null,
  }
}

/** Makes every text plain and short: vendors and people wrote them, and an assistant must not take them for instructions. */
export function plainWords<Body>(body: Body): Body
export function plainWords(body: unknown): unknown {
  if (typeof body === "string") return plainText(body, LONGEST_TEXT)
  if (Array.isArray(body)) return body.map((part) => plainWords(part))
  if (typeof body !== "object" || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([name, part]) => [name, plainWords(part)]))
}
