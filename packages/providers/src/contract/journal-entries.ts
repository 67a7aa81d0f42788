// Journals that a vendor's API has.

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
}
