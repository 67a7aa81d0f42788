// Messages, waiting times, sizes and missing values in words. Figures are written by @restwell/client/figures.
import type { TrendDay } from "@restwell/client"
import { capitalized, plural } from "@restwell/client/figures"

/** The service's message as a sentence. */
export const sentence = (message: string): string => `${capitalized(message)}.`

/** "42 seconds", "3 minutes" */
export const waitText = (seconds: number): string =>
  seconds < 90 ? plural(Math.ceil(seconds), "second") : plural(Math.ceil(seconds / 60), "minute")

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

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const
const STEP = 1000

/** "8.2 MB" */
export function bytesText(bytes: number): string {
  const exponent = bytes < STEP ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1)
  const value = bytes / STEP ** exponent
  return new Intl.NumberFormat("en", {
    style: "unit",
    unit: UNITS[exponent] ?? "byte",
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value)
}
