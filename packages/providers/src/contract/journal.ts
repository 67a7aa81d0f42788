// What a person notes about their days in a vendor's app: a vendor's API and its archives have different forms of it.
import type { CollectionGap } from "./records.ts"

/** An entry of a journal that a vendor's API has. Notes beside it are never read. */
export interface JournalEntry {
  /** The vendor's own id. */
  readonly providerId: string
  /** Local date of the waking that it belongs to, YYYY-MM-DD. */
  readonly date: string
  readonly at: Date
  /** Minutes east of UTC. */
  readonly utcOffsetMinutes: number
  /** In the vendor's or the person's words. */
  readonly question: string
  /** The canonical name of the topic, such as `alcohol`. */
  readonly factor: string
  readonly answer: boolean
  /** True for topics that are not stored. */
  readonly isPrivate: boolean
}

/** Local dates of waking, both included, YYYY-MM-DD. */
export interface JournalWindow {
  readonly from: string
  readonly to: string
}

/** All entries of a window. */
export interface JournalRead {
  readonly entries: readonly JournalEntry[]
  /** Why the vendor refuses the journal. Then there are no entries, and stored ones stay. */
  readonly gap?: CollectionGap
}
