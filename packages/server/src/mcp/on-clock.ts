// Answers for texts: every clock time of them on the person's clock.
import type { DisplayPreferences } from "@restwell/client"
import { clockText } from "@restwell/client/figures"

/** Times as in 23:41, and the local times of records, which have an offset. */
const TIME = /^(?:\d{4}-\d{2}-\d{2}T)?\d{2}:\d{2}(?::\d{2}(?:\.\d+)?[+-]\d{2}:\d{2})?$/

/** An answer for a text: every clock time and local time of it on the person's clock. */
export function onClock<Body>(body: Body, clock: DisplayPreferences["clock"]): Body
export function onClock(body: unknown, clock: DisplayPreferences["clock"]): unknown {
  if (typeof body === "string") return TIME.test(body) ? clockText(body, clock) : body
  if (Array.isArray(body)) return body.map((part) => onClock(part, clock))
  if (typeof body !== "object" || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([name, part]) => [name, onClock(part, clock)]))
}
