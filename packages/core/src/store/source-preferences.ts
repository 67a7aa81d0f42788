import type { RecordKind } from "@restwell/providers"

/** Which sources the person prefers. */
export interface SourcePreferences {
  /** By type, the preferred source first. Absent where the person set no order. */
  readonly order: Partial<Readonly<Record<RecordKind, readonly string[]>>>
  /** The sources of single dates. */
  readonly choices: readonly SourceChoice[]
}

export interface SourceChoice {
  readonly type: RecordKind
  /** Local calendar date, YYYY-MM-DD. */
  readonly date: string
  readonly provider: string
}
