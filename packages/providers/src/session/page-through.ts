import type { Page, PageRequest, VendorAdapter } from "../contract/adapter.ts"
import { ContractViolation } from "../contract/errors.ts"

/** Above any person's history: 25 records a page, three workouts a day, are 90 years. */
const MAX_PAGES = 4000

/**
 * Yields every page of a request, first to last, as the vendor sends them.
 * The access token stays the same throughout: fetch pages one by one where it may expire on the way.
 * @throws {ContractViolation} when the vendor repeats a cursor, or never ends
 */
export function pageThrough(
  adapter: Pick<VendorAdapter, "fetchPage">,
  accessToken: string,
  request: Omit<PageRequest, "cursor">,
): AsyncGenerator<Page, void, undefined> {
  return pagesOf((page) => adapter.fetchPage(accessToken, page), request)
}

/** Yields every page as {@link pageThrough} does, each fetched by `fetchPage`. */
export async function* pagesOf(
  fetchPage: (request: PageRequest) => Promise<Page>,
  request: Omit<PageRequest, "cursor">,
): AsyncGenerator<Page, void, undefined> {
  const cursors = new Set<string>()
  let next: PageRequest = request
  for (;;) {
    const page = await fetchPage(next)
    yield page
    const cursor = page.nextCursor
    if (cursor === undefined) return
    if (cursors.has(cursor)) throw new ContractViolation(`The pages of ${request.kind} go in a circle`, "next_token")
    if (cursors.size + 1 >= MAX_PAGES)
      throw new ContractViolation(`The pages of ${request.kind} never end`, "next_token")
    cursors.add(cursor)
    next = { ...request, cursor }
  }
}
