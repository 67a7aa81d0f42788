const MOST_ENTRIES = 100

/** One more than a page holds, so that it is known whether there is another. */
export const ASKED_FOR = MOST_ENTRIES + 1

/** A page of a log, the newest entries first. */
export interface LogPage<Entry> {
  readonly entries: Entry[]
  /** The `before` of the next page; null on the last. */
  readonly next: string | null
}

export function pageOf<Entry extends { readonly id: string }>(found: readonly Entry[]): LogPage<Entry> {
  const entries = found.slice(0, MOST_ENTRIES)
  return { entries, next: found.length > MOST_ENTRIES ? (entries.at(-1)?.id ?? null) : null }
}
