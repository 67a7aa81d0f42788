import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type CollectionQuery, isInRange, pageOf, parseCollectionQuery } from "./data-routes.ts"

const entries = fc
  .uniqueArray(
    fc.record({
      key: fc.uuid(),
      startMs: fc.integer({ min: 0, max: 300 }),
      lengthMs: fc.option(fc.integer({ min: 0, max: 60 }), { nil: null }),
    }),
    { selector: ({ key }) => key, maxLength: 60 },
  )
  .map((drafts) =>
    drafts
      .map(({ key, startMs, lengthMs }) => ({
        key,
        startMs,
        endMs: lengthMs === null ? null : startMs + lengthMs,
        body: key,
      }))
      .sort((left, right) => right.startMs - left.startMs || (left.key < right.key ? 1 : -1)),
  )

const filters = fc.record({
  startMs: fc.option(fc.integer({ min: -10, max: 320 }), { nil: undefined }),
  endMs: fc.integer({ min: -10, max: 320 }),
})

function walk<T>(all: Parameters<typeof pageOf<T>>[0], query: CollectionQuery): T[][] {
  const page = pageOf(all, query)
  return page.nextToken === undefined
    ? [[...page.records]]
    : [[...page.records], ...walk(all, { ...query, nextToken: page.nextToken })]
}

test("paging returns every record in range exactly once and in order, at any limit", () => {
  fc.assert(
    fc.property(entries, filters, fc.integer({ min: 1, max: 25 }), (all, range, limit) => {
      const query = { ...range, limit, nextToken: undefined, filter: `${range.startMs}|${range.endMs}|${limit}` }
      const pages = walk(all, query)
      const expected = all
        .filter(({ startMs, endMs }) => (endMs === null || endMs >= (range.startMs ?? -1)) && startMs < range.endMs)
        .map(({ body }) => body)
      expect(pages.flat()).toEqual(expected)
      for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit)
      if (expected.length > 0) expect(pages.at(-1)?.length).toBeGreaterThan(0)
    }),
  )
})

test("a record that arrives during paging does not shift the following pages", () => {
  const make = (startMs: number) => ({ key: `k${startMs}`, startMs, endMs: startMs, body: startMs })
  const query = { startMs: undefined, endMs: 100, limit: 2, nextToken: undefined, filter: "" }
  const first = pageOf([9, 8, 7, 6].map(make), query)
  const second = pageOf([10, 9, 8, 7, 6].map(make), { ...query, nextToken: first.nextToken })
  expect([...first.records, ...second.records]).toEqual([9, 8, 7, 6])
})

describe("the range", () => {
  const record = { startMs: 10, endMs: 20 }
  test.each([
    ["start at its end is inclusive", { startMs: 20, endMs: 99 }, true],
    ["start after its end is out", { startMs: 21, endMs: 99 }, false],
    ["end at its start is exclusive", { startMs: 0, endMs: 10 }, false],
    ["end just after its start intersects", { startMs: 0, endMs: 11 }, true],
    ["no start has no lower bound", { startMs: undefined, endMs: 11 }, true],
  ])("%s", (_name, range, expected) => {
    expect(isInRange(record, range)).toBe(expected)
  })

  test("a record without an end is in every range that begins later", () => {
    expect(isInRange({ startMs: 10, endMs: null }, { startMs: 1e9, endMs: 2e9 })).toBe(true)
    expect(isInRange({ startMs: 10, endMs: null }, { startMs: 0, endMs: 10 })).toBe(false)
  })
})

describe("the query", () => {
  const parse = (query: string) => parseCollectionQuery(new URLSearchParams(query), 1000)

  test("defaults to ten records until now", () => {
    expect(parse("")).toMatchObject({ limit: 10, startMs: undefined, endMs: 1000, nextToken: undefined })
  })

  test.each([
    "limit=0",
    "limit=-1",
    "limit=ten",
    "limit=2.5",
    "limit=26",
    "start=2026-01-01",
    "end=yesterday",
    "start=",
  ])("refuses %s", (query) => {
    expect(() => parse(query)).toThrow(/^400/)
  })

  test("reads instants of any offset", () => {
    expect(parse("start=2026-01-01T01:00:00%2B01:00").startMs).toBe(Date.parse("2026-01-01T00:00:00Z"))
  })
})

test.each(["rubbish", "", Buffer.from("1~k~other").toString("base64")])("refuses the token %j", (nextToken) => {
  const query = { startMs: undefined, endMs: 100, limit: 2, nextToken, filter: "this" }
  expect(() => pageOf([], query)).toThrow(/^400/)
})
