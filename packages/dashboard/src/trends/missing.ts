import type { TrendDay } from "@restwell/client"

/** Why a figure is missing: no record, a score that is pending, or a record that cannot be scored. */
export type Missing = "none" | "pending" | "unscorable"

export type ScoreState = NonNullable<TrendDay["recovery"]>["score_state"]

/** Why a value is null. A scored record without this value counts as no record. */
export const missingOf = (state: ScoreState | undefined): Missing =>
  state === undefined || state === "scored" ? "none" : state

export const MISSING_TEXTS: Readonly<Record<Missing, string>> = {
  none: "no data",
  pending: "not scored yet",
  unscorable: "not scored: too little data",
}
