import fc from "fast-check"
import { expect, test } from "vitest"
import { InvalidJson, JsonBody } from "./json-body.ts"

/** The document, read by its members and the batches of its lists. */
function readAll(text: string): unknown {
  const body = new JsonBody(Buffer.from(text))
  const root = body.root()
  const members = body.membersOf(root)
  if (members)
    return Object.fromEntries(
      [...members].map(([name, range]) => [
        name,
        body.isList(range) ? [...body.batchesOf(range)].flat() : body.valueOf(range),
      ]),
    )
  return body.isList(root) ? [...body.batchesOf(root)].flat() : body.valueOf(root)
}

const document = fc
  .dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue(), { maxLength: 20 })))
  .map((value) => JSON.parse(JSON.stringify(value)))

test("a document is read as JSON.parse reads it, however it is spaced", () => {
  fc.assert(
    fc.property(document, fc.constantFrom("", " ", "\t", 2), (value, space) => {
      const text = JSON.stringify(value, null, space)
      expect(readAll(` ${text}\n`)).toEqual(JSON.parse(text))
    }),
    { numRuns: 500, seed: 3 },
  )
})

test("lists that are longer than a batch have all their elements, in order", () => {
  const numbers = Array.from({ length: 60_000 }, (_, index) => index * 1.5)
  expect(readAll(JSON.stringify({ numbers }))).toEqual({ numbers })
})

test("of two members with one name the last counts, as everywhere", () => {
  expect(readAll('{"records":[1],"records":[2]}')).toEqual({ records: [2] })
})

test("an element of more than 16 MB is undefined, and the others are read", () => {
  const text = `{"records":[1,"${"x".repeat(17 * 1_048_576)}",2]}`
  expect(readAll(text)).toEqual({ records: [1, undefined, 2] })
})

test.each(["{}", "[]", "0", '{"a":[]}'])(
  "an element of more than a million of %s is undefined, and the others are read",
  (value) => {
    const text = `{"records":[1,{"x":[${Array.from({ length: 1_000_001 }, () => value).join()}]},2]}`
    expect(readAll(text)).toEqual({ records: [1, undefined, 2] })
  },
)

test("an object of millions of names is read, and those of a push are found in it", () => {
  const names = Array.from({ length: 500_000 }, (_, index) => `"${index}":0`)
  const body = new JsonBody(Buffer.from(`{"records":[1],${names.join()},"records":[2]}`))
  const members = body.membersOf(body.root())
  expect(members?.size).toBeLessThanOrEqual(10_000)
  const records = members?.get("records")
  expect(records && [...body.batchesOf(records)]).toEqual([[2]])
})

test.each([
  "",
  "{",
  "[1,2",
  '{"a"}',
  '{"a":1,}',
  '{"a":[1 2]}',
  '{"a":[1,]}',
  '{"a":[{"b":}]}',
  "{} {}",
  '{"a":"',
  "[,1]",
])("%j is no document", (text) => {
  expect(() => readAll(text)).toThrow(InvalidJson)
})

test("a document that is cut anywhere is no document", () => {
  const text = JSON.stringify({ records: [{ a: 'b"\\', c: [1, null, true] }], series: [] })
  for (let length = 0; length < text.length; length += 1)
    expect(() => readAll(text.slice(0, length))).toThrow(InvalidJson)
})
