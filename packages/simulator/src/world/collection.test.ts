import { expect, test } from "vitest"
import { Collection } from "./collection.ts"

interface Note {
  start: number
  text: string
  updated_at: string
  parts?: { left: number; right: number }
}

const note = (start: number, text: string): Note => ({ start, text, updated_at: "2026-01-01T00:00:00.000Z" })

function collectionOf(...notes: [key: string, ...versions: [fromMs: number, body: Note | null][]][]): Collection<Note> {
  const collection = new Collection<Note>(({ start }) => ({ startMs: start, endMs: start }))
  for (const [key, ...versions] of notes) {
    collection.add({ key, versions: versions.map(([fromMs, body]) => ({ fromMs, build: () => body })) })
  }
  return collection
}

const texts = (collection: Collection<Note>, nowMs: number) => collection.visibleAt(nowMs).map(({ body }) => body.text)

test("returns the newest version of each record, latest start first", () => {
  const collection = collectionOf(
    ["a", [10, note(1, "a1")], [20, note(1, "a2")]],
    ["b", [15, note(2, "b1")]],
    ["c", [5, note(3, "c1")], [18, null]],
  )
  expect(texts(collection, 4)).toEqual([])
  expect(texts(collection, 15)).toEqual(["c1", "b1", "a1"])
  expect(texts(collection, 20)).toEqual(["b1", "a2"])
  expect(texts(collection, 15)).toEqual(["c1", "b1", "a1"])
})

test("a patch also applies to later versions of the record", () => {
  const collection = collectionOf([
    "a",
    [10, note(1, "draft")],
    [30, { ...note(1, "final"), parts: { left: 1, right: 2 } }],
  ])
  collection.edit("a", { atMs: 20, kind: "patch", patch: { start: 9, parts: { left: 7 } } })
  expect(collection.at("a", 19)).toMatchObject({ start: 1, text: "draft" })
  expect(collection.at("a", 25)).toMatchObject({ start: 9, text: "draft" })
  expect(collection.at("a", 30)).toMatchObject({ start: 9, text: "final", parts: { left: 7, right: 2 } })
})

test("a patch never decreases updated_at", () => {
  const collection = collectionOf(["a", [10, { ...note(1, "a"), updated_at: "2026-03-01T00:00:00.000Z" }]])
  collection.edit("a", { atMs: 20, kind: "patch", patch: { updated_at: "2026-02-01T00:00:00.000Z" } })
  expect(collection.at("a", 20)?.updated_at).toBe("2026-03-01T00:00:00.000Z")
})

test("a deleted record stays deleted until it is put again", () => {
  const collection = collectionOf(["a", [10, note(1, "a1")], [30, note(1, "a2")]])
  collection.edit("a", { atMs: 20, kind: "delete" })
  expect(texts(collection, 40)).toEqual([])
  collection.edit("a", { atMs: 50, kind: "put", body: note(2, "again") })
  expect(texts(collection, 50)).toEqual(["again"])
  expect(texts(collection, 15)).toEqual(["a1"])
})

test("returns each change once, in order", () => {
  const collection = collectionOf(["a", [10, note(1, "a1")], [20, null]], ["b", [15, note(2, "b1")]])
  const changes = collection.changesBetween(10, 20).map(({ key, atMs, body }) => [key, atMs, body?.text])
  expect(changes).toEqual([
    ["b", 15, "b1"],
    ["a", 20, undefined],
  ])
})
