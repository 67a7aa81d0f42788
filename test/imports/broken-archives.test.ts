import { randomBytes } from "node:crypto"
import { readVendorArchive } from "@restwell/providers"
import { type Person, zipOf } from "@restwell/simulator"
import { encodedTable, whoopArchive, whoopTables } from "@restwell/testing/archive"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { expectFailedImport, importArchive, type Upload } from "./import-archive.ts"

let world: World
let person: Person
beforeAll(async () => {
  world = await createWorld({ days: 20, seed: "broken" })
  person = world.simulator.people.add({ email: "lena@vendor.example" })
})
afterAll(() => world.close())

const records = () => world.simulator.records(person)
const csv = (name: string, text: string, encoding?: "utf16be") => ({
  fileName: name,
  bytes: encodedTable(text, encoding ? { encoding } : {}),
})
const zip = (name: string, text: string) => zipOf([{ name, bytes: Buffer.from(text) }])

const expectFailed = (upload: Upload, words: RegExp) => expectFailedImport(world, upload, words)

test("in 20 archives with a damaged file the others are read, and the report names it", async () => {
  const whole = whoopArchive(records())
  const all = await importArchive(world, await world.addUser(), { bytes: whole })
  const types = {
    cycles: ["cycle", "recovery"],
    sleeps: ["sleep"],
    workouts: ["workout"],
    journal_entries: ["journal"],
  }
  for (let count = 1; count <= 20; count += 1) {
    const damaged = Buffer.from(whole)
    const position = Math.floor(((whole.length - 700) * count) / 21)
    damaged.fill(0x5a, position, position + 8)
    const userId = await world.addUser()
    const { status, report } = await importArchive(world, userId, { bytes: damaged })
    expect(status, `byte ${position}`).toBe("done")
    const reasons = (report?.ignored ?? []).flatMap(({ reason }) => (/is damaged: /.test(reason) ? [reason] : []))
    expect(reasons, `byte ${position}`).toHaveLength(1)
    const [name] = Object.keys(types).filter((each) => reasons[0]?.includes(each))
    expect(name, reasons[0]).toBeDefined()
    const others = Object.entries(types).flatMap(([table, ofTable]) => (table === name ? [] : ofTable))
    for (const type of others) expect(report?.by_type[type], `${type}, ${reasons[0]}`).toBe(all.report?.by_type[type])
  }
}, 120_000)

test("what was read of a damaged file is used beside a whole file, as the report says, and not alone", async () => {
  const { sleeps, workouts } = whoopTables(records())
  const rows = sleeps.slice(sleeps.indexOf("\n") + 1)
  const tables = [
    // Longer than what is looked at for what the archive is.
    { name: "sleeps.csv", bytes: Buffer.from(sleeps + rows.repeat(Math.ceil(1_500_000 / rows.length))) },
    { name: "workouts.csv", bytes: Buffer.from(workouts) },
  ]
  const damaged = (bytes: Buffer) => {
    const checksum = bytes.indexOf(Buffer.from("PK\x01\x02", "latin1")) + 16
    bytes.writeUInt32LE(1, checksum)
    return bytes
  }
  const whole = await importArchive(world, await world.addUser(), { bytes: zipOf(tables) })
  const { status, report } = await importArchive(world, await world.addUser(), { bytes: damaged(zipOf(tables)) })
  const reason = "sleeps.csv is damaged: its checksum is another one"
  expect([status, report?.by_type]).toEqual(["done", whole.report?.by_type])
  expect(report?.ignored).toContainEqual({
    reason: `${reason}, and what was read of it before that is used`,
    count: 1,
  })
  await expectFailed({ bytes: damaged(zipOf(tables.slice(0, 1))) }, new RegExp(`^${reason}, upload the file as`))
})

test("an upload that cannot be read for now is not taken for a damaged one", async () => {
  const bytes = whoopArchive(records())
  const away = Object.assign(new Error("terminating connection"), { code: "57P01" })
  for (const from of [0, 1, 3]) {
    let reads = 0
    const read = async (position: number, length: number) => {
      reads += 1
      if (reads > from * 4) throw away
      return bytes.subarray(position, position + length)
    }
    const options = { isZip: true, now: world.context.clock.now(), timeZone: "UTC" }
    const reading = readVendorArchive({ name: "x.zip", size: bytes.length, read }, options)
    await expect(reading.then(({ items }) => Array.fromAsync(items))).rejects.toBe(away)
  }
})

test("a quotation mark that is never closed costs its row alone, wherever it is", async () => {
  const { journal } = whoopTables(records())
  const lines = journal
    .trimEnd()
    .split("\n")
    .filter((line) => !line.includes('"') && line.includes(","))
  const all = await importArchive(world, await world.addUser(), { bytes: zip("journal_entries.csv", lines.join("\n")) })
  for (let line = 1; line <= 20; line += 1) {
    const text = lines.toSpliced(line, 0, '2026-11-01 22:00:00,,UTCZ,"no end').join("\n")
    const { report } = await importArchive(world, await world.addUser(), { bytes: zip("journal_entries.csv", text) })
    expect(report?.by_type).toEqual(all.report?.by_type)
    const broken = { reason: `journal_entries.csv, line ${line + 1}: a quotation mark is never closed`, count: 1 }
    expect(new Set(report?.ignored)).toEqual(new Set([...(all.report?.ignored ?? []), broken]))
  }
})

test("a note with a stray quotation mark costs nothing", async () => {
  const { journal } = whoopTables(records())
  const [header = "", first = ""] = journal.split("\n")
  const row = first.split(",").slice(0, 5).join(",")
  const text = [header, `${row},"he said 5" tall"`, `${row},5" tall`].join("\n")
  const { report } = await importArchive(world, await world.addUser(), { bytes: zip("journal_entries.csv", text) })
  expect(report).toMatchObject({ stored: 1, unchanged: 1, ignored: [] })
})

test.each([
  ["a name that climbs out", zip("../../etc/sleeps.csv", whoopTables(records0()).sleeps), /leads out of the archive/],
  ["an absolute name", zip("/etc/sleeps.csv", "x"), /leads out of the archive/],
  ["a zip bomb", zip("sleeps.csv", "0".repeat(60_000_000)), /unpack to more than 200 times its size/],
  [
    "a bomb that hides its size",
    zipOf([{ name: "sleeps.csv", bytes: Buffer.alloc(30_000_000, "0"), declaredBytes: 900 }]),
    /sleeps\.csv is damaged/,
  ],
  ["an archive without tables", zip("readme.txt", "hello"), /has no file that is known here/],
  ["an empty zip file", zipOf([]), /has no file that is known here/],
  [
    "an unknown header",
    zip("sleeps.csv", "a,b,c\n1,2,3\n"),
    /sleeps\.csv is no export that Restwell reads\. Its first line, "a,b,c", names no table that is known here, upload an export of WHOOP/,
  ],
  ["a photo", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70]), /\.zip is not a zip file/],
  ["a zip file whose first bytes are damaged", damagedStart(), /\.zip is not a zip file, or it was damaged/],
  ["the start of a zip file", damagedStart("PK").subarray(0, 40), /\.zip is not a complete zip file/],
  [
    "files that share their bytes",
    zipOf([{ name: "sleeps.csv", bytes: randomBytes(20_000), entries: 900 }]),
    /\.zip has files that share their bytes/,
  ],
  [
    "files that share a part of their bytes",
    overlapping(whoopTables(records0()).sleeps),
    /\.zip has files that share their bytes/,
  ],
  [
    "too many files",
    zipOf([{ name: "sleeps.csv", bytes: Buffer.from("a"), entries: 100_001 }]),
    /\.zip has more than 100000 files/,
  ],
  [
    "900,000 columns",
    zip("sleeps.csv", ",".repeat(900_000)),
    /sleeps\.csv, line 1: this row has more than 1000 columns/,
  ],
  [
    "900,000 columns in another table of Oura's",
    zip("dailysleep.csv", `${";".repeat(900_000)}\nid;day;score\n`),
    /dailysleep\.csv, line 1: this row has more than 1000 columns/,
  ],
  [
    "a later row of 900,000 columns",
    zip("sleeps.csv", whoopTables(records0()).sleeps + ",".repeat(900_000)),
    /sleeps\.csv, line 2: this row has more than 1000 columns/,
  ],
  ["a JSON file of an archive", Buffer.from('[{"calendarDate": "2026-11-18"}]'), /upload the whole zip file/],
  ["another JSON file", Buffer.from('{"a": 1}'), /no export of Restwell/],
  ["an export that ends too early", Buffer.from('{"exported_at":"x","records":[{'), /line 1: the file ends too early/],
  ["invalid JSON", Buffer.from('{"exported_at":"x",\n"records":[}\n'), /line 2: this is no valid JSON/],
])("%s fails in one plain sentence", async (_, bytes, words) => {
  await expectFailed({ bytes }, words)
})

/** A zip file with these first bytes. */
function damagedStart(start = "\x07\x07"): Buffer {
  const bytes = zip("sleeps.csv", whoopTables(records0()).sleeps)
  bytes.write(start, 0, "latin1")
  return bytes
}

/** The second entry begins inside the first one. */
function overlapping(text: string): Buffer {
  const bytes = zipOf([
    { name: "first.csv", bytes: randomBytes(5_000) },
    { name: "sleeps.csv", bytes: Buffer.from(text) },
  ])
  const second = bytes.lastIndexOf(Buffer.from("PK\x01\x02", "latin1"))
  bytes.writeUInt32LE(100, second + 42)
  return bytes
}

function records0() {
  const empty = { sleeps: [], cycles: [], workouts: [], recoveries: [] }
  const profile = { user_id: 1, email: "x@example.com", first_name: "X", last_name: "Y" }
  return { ...empty, profile, body: { height_meter: 1.8, weight_kilogram: 70, max_heart_rate: 190 } }
}

test.each([
  [
    "Latin-1",
    Buffer.from(`Zyklus,a\n1,2\nM\u00e4rz,3\n`, "latin1"),
    "sleeps.csv, line 3: neither UTF-8 nor UTF-16 with a byte order mark",
  ],
  [
    "UTF-16 without a mark",
    Buffer.from("Cycle start time,x\n", "utf16le"),
    "sleeps.csv, line 1: neither UTF-8 nor UTF-16 with a byte order mark",
  ],
  [
    "a row without an end",
    Buffer.alloc(3_000_000, "x"),
    "sleeps.csv, line 1: this row is longer than 1 MB, perhaps because a quotation mark is never closed",
  ],
])("%s fails with file and line", async (_, bytes, message) => {
  const userId = await world.addUser()
  const { status, error } = await importArchive(world, userId, { bytes, fileName: "sleeps.csv" })
  expect([status, error]).toEqual(["failed", `${message}, upload the file as it was sent to you or get a new one`])
})

test("a workbook of a spreadsheet program fails with the way out", async () => {
  await expectFailed(
    { bytes: zip("xl/workbook.xml", "<workbook/>"), fileName: "sleeps.xlsx" },
    /sleeps\.xlsx was saved by a spreadsheet program/,
  )
})

test("a table that a spreadsheet program saved again fails with the way out", async () => {
  const { sleeps } = whoopTables(records())
  const semicolons = sleeps.replaceAll(",", ";")
  const dates = sleeps.replaceAll(/(\d{4})-(\d\d)-(\d\d)/g, "$3/$2/$1")
  const quoted = whoopTables(records(), { spelling: "spanish" }).journal.replaceAll(
    /,(?=[^"]*(?:"[^"]*"[^"]*)*$)/gm,
    ";",
  )
  const named = `sep=,\n${sleeps}`
  for (const text of [semicolons, dates, quoted, named])
    await expectFailed(
      csv("sleeps.csv", text),
      /sleeps\.csv, line 1: a spreadsheet program.*upload the file as WHOOP sent it/,
    )
})

test("a row that cannot be read is ignored with file and line, and the rest goes on", async () => {
  const { sleeps } = whoopTables(records())
  const [header = "", first = "", ...rest] = sleeps.trimEnd().split("\n")
  const bad = [
    first.replace(/^[^,]*/, "yesterday"),
    first.replace(/UTC[^,]*/, "Mars"),
    `${first.split(",").slice(0, 9).join(",")},many,${first.split(",").slice(10).join(",")}`,
    first.split(",").slice(0, 3).join(","),
  ]
  const userId = await world.addUser()
  const text = [header, first, ...bad, "", "", first.replace(/^[^,]*/, ""), ...rest].join("\n")
  const { status, report } = await importArchive(world, userId, csv("sleeps.csv", text, "utf16be"))
  expect(status).toBe("done")
  expect(report?.by_type).toEqual({ sleep: 1 + rest.length })
  expect(report?.ignored.map(({ reason }) => reason)).toEqual([
    "sleeps.csv: cycle_start left out: no time written YYYY-MM-DD HH:MM:SS",
    "sleeps.csv, line 4: time_zone: no offset from UTC like UTC+01:00",
    "sleeps.csv: light_minutes left out: no number",
    expect.stringMatching(/^sleeps\.csv, line 6: sleep_onset/),
    "sleeps.csv, line 9: cycle_start: missing",
  ])
})

test("a row that was cut off, or has a stray comma, is ignored with file and line", async () => {
  const { sleeps } = whoopTables(records())
  const [header = "", first = "", second = "", third = ""] = sleeps.split("\n")
  const cut = second.split(",").slice(0, 12).join(",")
  const stray = third.replace(",", ",,")
  const userId = await world.addUser()
  const { status, report } = await importArchive(
    world,
    userId,
    csv("sleeps.csv", [header, first, cut, stray].join("\n")),
  )
  expect([status, report?.by_type]).toEqual(["done", { sleep: 1 }])
  expect(report?.ignored.map(({ reason }) => reason)).toEqual([
    "sleeps.csv, line 3: it has 12 cells, the header has 18",
    expect.stringMatching(/^sleeps\.csv, line 4: /),
  ])
})

test("of a doubled cycle the one with scores stays, wherever it stands", async () => {
  const { cycles } = whoopTables(records())
  const [header = "", ...rows] = cycles.trimEnd().split("\n")
  const scored = rows.find((row) => /\d/.test(row.split(",")[9] ?? "")) ?? ""
  const blank = scored
    .split(",")
    .map((cell, index) => (index < 3 ? cell : ""))
    .join(",")
  for (const text of [
    [header, scored, blank],
    [header, blank, scored],
  ]) {
    const userId = await world.addUser()
    const { report } = await importArchive(world, userId, csv("physiological_cycles.csv", text.join("\n")))
    expect(report).toMatchObject({ unchanged: 1, by_type: { cycle: 1 } })
    const { rows: states } = await world.store.pool.query(
      "select score_state from restwell.record where user_id = $1 and kind = 'cycle'",
      [userId],
    )
    expect(states).toEqual([{ score_state: "scored" }])
  }
})

test("of two versions of a record the row that comes later counts, and so does the later answer", async () => {
  const { sleeps, journal } = whoopTables(records())
  const [header = "", first = ""] = sleeps.split("\n")
  const versions = ["61", "62"].map((score) => first.split(",").with(5, score).join(","))
  // So many rows between them that they are of two chunks.
  const others = Array(300).fill(sleeps.split("\n")[2])
  const [asked = "", question = ""] = journal.split("\n")
  const answer = (word: string) => [...question.split(",").slice(0, 4), word, ""].join(",")
  for (const [rows, score, words, isYes] of [
    [versions, 62, ["true", "false"], false],
    [versions.toReversed(), 61, ["false", "true"], true],
    [[versions[0], ...others, versions[1]], 62, ["true", "false", ""], false],
  ] as const) {
    const userId = await world.addUser()
    const { report } = await importArchive(world, userId, {
      bytes: zipOf([
        { name: "sleeps.csv", bytes: Buffer.from([header, ...rows, ""].join("\n")) },
        { name: "journal_entries.csv", bytes: Buffer.from([asked, ...words.map(answer), ""].join("\n")) },
      ]),
      fileName: "my_whoop_data.zip",
    })
    expect(report).toMatchObject({ ignored: [], by_type: { journal: 1 } })
    expect(report?.unchanged).toBe(rows.length + words.length - (report?.stored ?? 0))
    const { rows: found } = await world.store.pool.query(
      `select (detail->>'scorePercent')::float as score from restwell.record
       where user_id = $1 and kind = 'sleep' order by started_at desc limit 1`,
      [userId],
    )
    expect(found).toEqual([{ score }])
    const { rows: answers } = await world.store.pool.query(
      "select answer from restwell.journal_answer where user_id = $1",
      [userId],
    )
    expect(answers).toEqual([{ answer: isYes }])
  }
})

test("a doubled row is unchanged, and a figure that cannot be true is left out of its record", async () => {
  const { sleeps } = whoopTables(records())
  const [header = "", first = ""] = sleeps.split("\n")
  const cells = first.split(",")
  const impossible = cells.with(5, "140").with(3, "2026-01-01 22:00:00").with(4, "2026-01-02 06:00:00").join(",")
  const userId = await world.addUser()
  const { report } = await importArchive(
    world,
    userId,
    csv("sleeps.csv", [header, first, first, impossible].join("\n")),
  )
  expect(report).toMatchObject({ stored: 2, unchanged: 1, by_type: { sleep: 2 } })
  expect(report?.ignored).toEqual([
    { reason: expect.stringMatching(/scorePercent left out: outside 0 to 100 percent/), count: 1 },
  ])
})
