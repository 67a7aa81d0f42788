import type { VendorAdapter } from "../contract/adapter.ts"
import type { NormalizedRecord, Page, PageRequest, RecordKind, RejectedRecord } from "../contract/records.ts"
import { pageThrough } from "./page-through.ts"
import type { WithToken } from "./token-session.ts"

type RecordOf<Kind extends RecordKind> = Extract<NormalizedRecord, { kind: Kind }>
type Range = Pick<PageRequest, "from" | "to">

/** Reads one person's records of one kind, typed by that kind. */
export interface Reader {
  /** Returns all records that touch the range, each once, newest first. */
  list<Kind extends RecordKind>(kind: Kind, range: Range): Promise<RecordOf<Kind>[]>
  /** Yields them page by page, for callers that stop early. */
  pages<Kind extends RecordKind>(kind: Kind, range: Range): AsyncGenerator<RecordOf<Kind>[], void, undefined>
  /** Returns one record, or undefined where the vendor has none. */
  one<Kind extends RecordKind>(kind: Kind, providerId: string): Promise<RecordOf<Kind> | undefined>
}

/** Returns a reader over an adapter. Each page is read with a current token, because one may expire on the way. */
export function createReader(
  adapter: VendorAdapter,
  withToken: WithToken,
  onRejected: (record: RejectedRecord) => void,
): Reader {
  async function* pages<Kind extends RecordKind>(kind: Kind, range: Range) {
    const fetchPage = (request: PageRequest) => withToken((token) => adapter.fetchPage(token, request))
    for await (const page of pageThrough(fetchPage, { kind, ...range })) yield take(kind, page)
  }
  function take<Kind extends RecordKind>(kind: Kind, page: Page): RecordOf<Kind>[] {
    for (const record of page.rejected) onRejected(record)
    return page.records.filter((record): record is RecordOf<Kind> => record.kind === kind)
  }
  return {
    pages,
    async list(kind, range) {
      const newest = new Map<string, RecordOf<typeof kind>>()
      for await (const page of pages(kind, range)) {
        for (const record of page) {
          const former = newest.get(record.providerId)
          if (!former || former.updatedAt <= record.updatedAt) newest.set(record.providerId, record)
        }
      }
      return [...newest.values()].sort(newestFirst)
    },
    async one(kind, providerId) {
      const page = await withToken((token) => adapter.fetchRecord(token, { kind, providerId }))
      return take(kind, page).at(0)
    },
  }
}

function newestFirst(one: NormalizedRecord, other: NormalizedRecord): number {
  const instantOf = (record: NormalizedRecord) => (record.kind === "recovery" ? record.createdAt : record.startedAt)
  return instantOf(other).getTime() - instantOf(one).getTime()
}
