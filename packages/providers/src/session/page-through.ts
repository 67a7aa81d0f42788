import { ContractViolation } from "../contract/errors.ts"
import type { Page, PageRequest } from "../contract/records.ts"

/** More pages than anyone's history: 25 records a page and three workouts a day make 90 years. */
const MAX_PAGES = 4000

/**
 * Yields every page of a request, first to last.
 * @throws {ContractViolation} when the vendor repeats a cursor or never stops
 */
export async function* pageThrough(
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
