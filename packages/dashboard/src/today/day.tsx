import type { DayFigure, DayResponse, DisplayPreferences, MissingRecords, TrendDay } from "@restwell/client"
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
  readonly explained: Kinds
  readonly awaited: Kinds
}

/** Of a day: those that are missing for a reason, which stands once above it, or those that may still come. */
export type Kinds = ReadonlySet<MissingRecords["kind"]>

/** What may still come of a day: of today its morning as the service says, and what the person does until midnight. */
export const awaitedOn = ({ date, today, awaited }: Pick<DayResponse, "date" | "today" | "awaited">): Kinds =>
  new Set(date === today ? [...awaited, "cycle", "workout"] : [])

export const REASON_ABOVE = "Missing, for the reason above."

/** "from Oura": the source of the figures above or beside it. */
export const FromSource = ({ source }: { source: string }) => (
  <span className="whitespace-nowrap">from {providerName(source)}</span>
)

export type Subject = "Recovery" | "Sleep" | "Strain" | "Activity"

const NO_RECORD: Readonly<Record<Subject, { readonly awaited: string; readonly absent: string }>> = {
  Recovery: {
    awaited: "Not available yet. It appears after your night is scored.",
    absent: "No recovery was recorded.",
  },
  Sleep: {
    awaited: "No sleep has been recorded for last night yet.",
    absent: "No sleep was recorded. Did you wear your device?",
  },
  Strain: {
    awaited: "Not available yet. Your day starts when you wake up.",
    absent: "No strain was recorded. Did you wear your device?",
  },
  Activity: {
    awaited: "No steps have been recorded yet.",
    absent: "No steps were recorded. Did you wear your device?",
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
export const isExplained = (subject: Subject, source: string | null, explained: Kinds): boolean =>
  source === null && explained.has(KINDS[subject])

export const isAwaited = (subject: Subject, awaited: Kinds): boolean => awaited.has(KINDS[subject])

/** Returns why a day has no score, and what to expect. @param source the source of the record; null without a record */
export function whyMissing(
  subject: Subject,
  missing: Missing,
  { source, explained, awaited }: Pick<DayProps, "explained" | "awaited"> & { source: string | null },
): string {
  if (isExplained(subject, source, explained)) return REASON_ABOVE
  if (source === null) return NO_RECORD[subject][isAwaited(subject, awaited) ? "awaited" : "absent"]
  const vendor = providerName(source)
  if (missing === "pending") return `${vendor} has not scored this yet. The score appears automatically.`
  if (missing === "unscorable") return `${vendor} recorded too little data for a score.`
  return `${vendor} has no ${subject.toLowerCase()} score for this day.`
}
