import type { TrendDay } from "@restwell/client"

/** Why there is no figure: no record at all, or one whose score is to come, or one that will get none. */
export type Missing = "none" | "pending" | "unscorable"

type ScoreState = NonNullable<TrendDay["recovery"]>["score_state"]

/** Why a value is null; a scored record that lacks just this figure has no record of it. */
export const missingOf = (state: ScoreState | undefined): Missing =>
  state === undefined || state === "scored" ? "none" : state

const TEXTS: Readonly<Record<Missing, string>> = {
  none: "no record",
  pending: "not scored yet",
  unscorable: "not scored: too little was recorded",
}

export const missingText = (missing: Missing): string => TEXTS[missing]
