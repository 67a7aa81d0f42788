import type { DayFigure, DisplayPreferences, MissingRecords, TrendDay } from "@restwell/client"
import type { Missing } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"

/** Properties of the parts of Today. */
export interface DayProps {
  readonly day: TrendDay
  /** Of the date, each of the source that has it, as the API and assistants answer them. */
  readonly figures: readonly DayFigure[]
  readonly isToday: boolean
  /** True for a person with several sources: each figure names its own. */
  readonly namesSources: boolean
  readonly preferences: DisplayPreferences
  readonly explained: Explained
}

/** Kinds of a day that are missing for a reason, which stands once above the day. */
export type Explained = ReadonlySet<MissingRecords["kind"]>

export const REASON_ABOVE = "Missing, for the reason above."

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

/** What a subject is read from. */
const KINDS: Readonly<Record<Subject, MissingRecords["kind"]>> = {
  Recovery: "recovery",
  Sleep: "sleep",
  Strain: "cycle",
  Activity: "cycle",
}

/** True for a subject without a record whose reason is known. */
export const isExplained = (subject: Subject, source: string | null, explained: Explained): boolean =>
  source === null && explained.has(KINDS[subject])

/** Returns why a day has no score, and what to expect. @param source the source of the record; null without a record */
export function whyMissing(
  subject: Subject,
  missing: Missing,
  { isToday, source, explained }: { isToday: boolean; source: string | null; explained: Explained },
): string {
  if (isExplained(subject, source, explained)) return REASON_ABOVE
  if (source === null) return NO_RECORD[subject][isToday ? "today" : "before"]
  const vendor = providerName(source)
  if (missing === "pending") return `${vendor} has not scored this yet. The score appears automatically.`
  if (missing === "unscorable") return `${vendor} recorded too little data for a score.`
  return `${vendor} has no ${subject.toLowerCase()} score for this day.`
}
