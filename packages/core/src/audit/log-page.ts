const PAGE_SIZE = 100

/** Entries to read for one page: one more than it has, to find out whether there is a next page. */
export const PAGE_LIMIT = PAGE_SIZE + 1

/** One page of a log, and the `before` of the next page, null on the last. */
export function pageOf<Entry extends { readonly id: string }>(found: readonly Entry[]) {
  const entries = found.slice(0, PAGE_SIZE)
  return { entries, next: found.length > PAGE_SIZE ? (entries.at(-1)?.id ?? null) : null }
}
