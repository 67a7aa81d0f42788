/* Cases that the comparison must meet: one that it never met says nothing about it. */
import type { Reason } from "./choice.ts"
import type { Ledger } from "./ledger.ts"
import type { Measured } from "./measured.ts"

const REASONS: readonly Reason[] = ["only_one", "your_choice", "your_order", "complete", "direct", "default_order"]
const GROUPS = ["night", "nap", "recovery", "workout", "cycle"] as const

/** Every reason for every type; a workout is never incomplete. And an activity whose date differs between two sources. */
export const EVERY_CASE: readonly string[] = [
  ...GROUPS.flatMap((group) => REASONS.map((reason) => `${group}: ${reason}`)).filter(
    (name) => name !== "workout: complete",
  ),
  "one activity with two dates",
  "a pending record of the first in the order",
].sort()

type Any = Measured[keyof Measured][number]

export function casesIn(ledger: Ledger): string[] {
  const chosen = ledger.chosen()
  const { sleep, workout } = ledger.measured()
  const groupOf = ({ record }: Any) => (record.kind === "sleep" ? (record.isNap ? "nap" : "night") : record.kind)
  const reasons = [...chosen].map(([each, reason]) => `${groupOf(each)}: ${reason}`)
  const isHidden = (each: Measured["workout"][number]) => !chosen.has(each)
  const crosses = workout
    .filter(isHidden)
    .some((hidden) =>
      workout.some((each) => chosen.has(each) && each.date !== hidden.date && startTogether(each, hidden)),
    )
  const isPendingFirst = sleep.some((each) => chosen.get(each) === "your_order" && each.record.scoreState === "pending")
  return [
    ...reasons,
    ...(crosses ? ["one activity with two dates"] : []),
    ...(isPendingFirst ? ["a pending record of the first in the order"] : []),
  ]
}

const startTogether = (one: { startMs: number }, other: { startMs: number }): boolean =>
  Math.abs(one.startMs - other.startMs) < 900_000
