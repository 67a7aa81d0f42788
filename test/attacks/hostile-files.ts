// Files that somebody uploads to break an import, or to make it dear.
import { type Person, type ZipContent, zipOf } from "@restwell/simulator"
import { type OuraTables, ouraFiles, whoopArchive, whoopTables } from "@restwell/testing/archive"
import { hostileJson, hostileText } from "@restwell/testing/hostile"
import fc from "fast-check"

export interface HostileFile {
  readonly what: string
  readonly name: string
  readonly bytes: Buffer
}

/** Real files, which the hostile ones are made of. */
export interface RealFiles {
  readonly whoop: Parameters<typeof whoopTables>[0]
  readonly oura: OuraTables
  /** Restwell's own export. */
  readonly restwell: Buffer
  readonly person: Person
}

const fileName = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("my_whoop_data.zip", "sleeps.csv", "data.zip", "export.json") },
  hostileText,
  fc.constantFrom("../../etc/passwd", "a\u202egpj.zip", "\u0000.zip", "x".repeat(5_000), "C:\\data\\\u2066.csv"),
)

/** Bytes that were changed, lost or added on the way. */
const damaged = (bytes: Buffer): fc.Arbitrary<Buffer> =>
  fc.oneof(
    fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 40 }).map((changes) => {
      const copy = Buffer.from(bytes)
      for (const [position, byte] of changes) copy[position] = byte
      return copy
    }),
    fc.nat(bytes.length).map((length) => bytes.subarray(0, length)),
    fc.nat(bytes.length).map((start) => bytes.subarray(start)),
    fc.uint8Array({ minLength: 1, maxLength: 2_000 }).map((more) => Buffer.concat([more, bytes])),
    fc.uint8Array({ minLength: 1, maxLength: 2_000 }).map((more) => Buffer.concat([bytes, more])),
  )

/** A table with some cells replaced. */
function hostileTable(text: string, delimiter: string): fc.Arbitrary<string> {
  const rows = text
    .trimEnd()
    .split("\n")
    .map((row) => row.split(delimiter))
  const cell = fc.oneof(
    hostileText,
    hostileJson.map((json) => `"${json.replaceAll('"', '""')}"`),
    fc.constantFrom(...DEAR_CELLS),
  )
  const change = fc.tuple(fc.nat(rows.length - 1), fc.nat(60), cell)
  return fc.array(change, { minLength: 1, maxLength: 6 }).map((changes) => {
    const copy = rows.map((row) => [...row])
    for (const [row, column, value] of changes) copy[row]?.splice(column, 1, value)
    return copy.map((row) => row.join(delimiter)).join("\n")
  })
}

const DEAR_CELLS = ['"', ",".repeat(900_000), "[".repeat(200_000) + "]".repeat(200_000), "x".repeat(1_200_000), "1e400"]

/** Zip files whose directory, sizes or amounts lie. */
const lyingZip = (table: Buffer): fc.Arbitrary<Buffer> =>
  fc.oneof(
    fc.integer({ min: 2, max: 2_000 }).map((entries) => zipOf([{ name: "sleeps.csv", bytes: table, entries }])),
    fc.nat(2 ** 31).map((declaredBytes) => zipOf([{ name: "sleeps.csv", bytes: table, declaredBytes }])),
    fc
      .integer({ min: 1, max: 2_000 })
      .map((count) =>
        zipOf(
          Array.from({ length: count }, (_, index) => ({ name: `${index}/sleeps.csv`, bytes: table.subarray(0, 600) })),
        ),
      ),
    fc
      .integer({ min: 1, max: 60 })
      .map((megabytes) => zipOf([{ name: "sleeps.csv", bytes: Buffer.alloc(megabytes * 1_048_576, "1,") }])),
    fc
      .constantFrom("a\n", "1,2\n", "\n", '""\n')
      .map((row) => zipOf([{ name: "sleeps.csv", bytes: Buffer.concat([table, Buffer.alloc(9_000_000, row)]) }])),
    hostileText.map((name) => zipOf([{ name: `${name}.csv`, bytes: table }])),
  )

/** Restwell's export with a hostile part. */
const hostileExport = (bytes: Buffer): fc.Arbitrary<Buffer> => {
  const text = bytes.toString()
  const marks = [...text.matchAll(/[{,[]"/g)].map(({ index }) => index + 1)
  const insert = (what: string) =>
    fc.constantFrom(...marks).map((at) => `${text.slice(0, at)}${what},${text.slice(at)}`)
  return fc
    .oneof(
      hostileJson.chain((json) => insert(`"records":[${json}],"journal":[${json}],"source_order":[${json}]`)),
      insert(`"records":[[${"[],".repeat(2_000_000)}[]]]`),
      insert(`"x":${"[".repeat(300_000)}${"]".repeat(300_000)}`),
      insert(`"source_order":[${Array(3_000).fill('{"type":"sleep","providers":["whoop"]}').join(",")}]`),
      insert(`"records":[${Array(120_000).fill("{}").join(",")}]`),
    )
    .map((changed) => Buffer.from(changed))
}

/** Hostile files of every kind, as often of one as of another. */
export function hostileFile({ whoop, oura, restwell }: RealFiles): fc.Arbitrary<HostileFile> {
  const { sleeps } = whoopTables(whoop)
  const tables: readonly ZipContent[] = ouraFiles(oura)
  const kinds: Readonly<Record<string, fc.Arbitrary<Buffer>>> = {
    "damaged zip of WHOOP": damaged(whoopArchive(whoop)),
    "damaged zip of Oura": damaged(zipOf(tables)),
    "damaged export": damaged(restwell),
    "hostile table of WHOOP": hostileTable(sleeps, ",").map((text) =>
      zipOf([{ name: "sleeps.csv", bytes: Buffer.from(text) }]),
    ),
    "hostile table of Oura": fc
      .nat(tables.length - 1)
      .chain((index) =>
        hostileTable(String(tables[index]?.bytes), ";").map((text) =>
          zipOf(tables.map((table, at) => (at === index ? { ...table, bytes: Buffer.from(text) } : table))),
        ),
      ),
    "lying zip": lyingZip(Buffer.from(sleeps)),
    "hostile export": hostileExport(restwell),
    "random bytes": fc.uint8Array({ maxLength: 5_000 }).map((bytes) => Buffer.from(bytes)),
  }
  return fc.oneof(
    ...Object.entries(kinds).map(([what, bytes]) => fc.record({ what: fc.constant(what), name: fileName, bytes })),
  )
}
