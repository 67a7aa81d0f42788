import type { DisplayPreferences, TrendDay } from "@restwell/client"
import type { Missing } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"

/** Properties of the parts of Today. */
export interface DayProps {
  readonly day: TrendDay
  readonly isToday: boolean
  /** True for a person with several sources: each figure names its own. */
  readonly namesSources: boolean
  readonly preferences: DisplayPreferences
}

/** "from Oura": the source of the figures above or beside it. */
export const FromSource = ({ source }: { source: string }) => (
  <span className="whitespace-nowrap">from {providerName(source)}</span>
)

export type Subject = "Recovery" | "Sleep" | "Strain" | "Activity"

const NO_RECORD: Readonly<Record<Subject, { readonly today: string; readonly before: string }>> = {
  Recovery: {
    today: "Not available yet. It appears after your night is scored.",
    before: "No recovery was recorded.",
  },
  Sleep: {
    today: "No sleep has been recorded for last night yet.",
    before: "No sleep was recorded. Did you wear your device?",
  },
  Strain: {
    today: "Not available yet. Your day starts when you wake up.",
    before: "No strain was recorded. Did you wear your device?",
  },
  Activity: {
    today: "No steps have been recorded yet.",
    before: "No steps were recorded. Did you wear your device?",
  },
}

/** Returns why a day has no score, and what to expect. @param source the source of the record; null without a record */
export function whyMissing(
  subject: Subject,
  missing: Missing,
  { isToday, source }: { isToday: boolean; source: string | null },
): string {
  if (source === null) return NO_RECORD[subject][isToday ? "today" : "before"]
  const vendor = providerName(source)
  if (missing === "pending") return `${vendor} has not scored this yet. The score appears automatically.`
  if (missing === "unscorable") return `${vendor} recorded too little data for a score.`
  return `${vendor} has no ${subject.toLowerCase()} score for this day.`
}
