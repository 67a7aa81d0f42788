/* The sources of an answer, and their order. */
import { written } from "../days.ts"
import type { Measured } from "./measured.ts"
import type { SourceTruth, Truth } from "./truth.ts"

/** Every name that `source` may have beside `all`. */
export const NAMES = ["whoop", "oura", "withings", "google_health", "polar", "apple_health", "garmin", "phone"] as const

/** Candidates in the person's order for the type: listed ones, then connections, archives, what a phone collects, each by age. */
export function candidatesFor(truth: Truth, type: keyof Measured): SourceTruth[] {
  const order = truth.order[type]
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  const distance = ({ provider, status }: SourceTruth) =>
    provider === "apple_health" || provider === "phone" ? 2 : status === "archive" ? 1 : 0
  const ages = truth.byAge()
  return truth
    .candidates()
    .sort(
      (one, other) =>
        place(one.provider) - place(other.provider) ||
        distance(one) - distance(other) ||
        ages.indexOf(one.provider) - ages.indexOf(other.provider),
    )
}

/** Their names. */
export const sourcesOf = (truth: Truth, type: keyof Measured): string[] =>
  candidatesFor(truth, type).map(({ provider }) => provider)

export const sourceJson = ({ provider, status, lastSyncedAt }: SourceTruth): object => ({
  provider,
  status,
  last_synced_at: lastSyncedAt && written(Temporal.Instant.fromEpochMilliseconds(lastSyncedAt.getTime())),
})

/** The source of most records; of equals the first in the order. */
export function mostRecords(
  found: readonly { readonly provider: string }[],
  candidates: readonly SourceTruth[],
  only: string | undefined,
): object | undefined {
  const countOf = (name: string) => found.filter(({ provider }) => provider === name).length
  const asked = candidates.filter(({ provider }) => only === undefined || provider === only)
  const most = Math.max(...asked.map(({ provider }) => countOf(provider)))
  const first = asked.find(({ provider }) => countOf(provider) === most)
  return first && sourceJson(first)
}
