// What holds for the archive of every kind: broken and hostile files are refused in one plain sentence and store nothing, an upload or an
// import that breaks off or is killed never blocks its person, and what comes twice is there once and can be undone.
import { exportAccount, receiveImport, runImports, undoImport } from "@restwell/core"
import { randomFor, startOuraSimulator, zipOf } from "@restwell/simulator"
import { archivesOf } from "@restwell/testing/archive"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { withDoubledRows } from "./doubled-rows.ts"
import { everythingOf, expectFailedImport, importArchive, receiveArchive } from "./import-archive.ts"
import { surviveImportKills } from "./survive-import-kills.ts"

const DAYS = 70
const KINDS = [
  "whoop",
  "oura",
  "garmin",
  "takeout",
  "apple",
  "health_connect",
  "gadgetbridge",
  "sleep_as_android",
  "restwell",
] as const
type Kind = (typeof KINDS)[number]
const random = randomFor(1, "kills")
const ZIPPED = KINDS.filter((kind) => kind !== "restwell")

let world: World
let archives: Readonly<Record<Kind, Buffer>>
beforeAll(async () => {
  world = await createWorld({ days: DAYS, seed: "every kind" })
  const person = world.simulator.people.add({ email: "lena@vendor.example" })
  const oura = await startOuraSimulator({ seed: 3, now: world.simulator.clock.now(), days: DAYS })
  const [wearer] = oura.people.list()
  if (!wearer) throw new Error("nobody at Oura")
  const documents = oura.records(wearer)
  await oura.close()
  const ofVendors = archivesOf(world.simulator.records(person), documents)
  const userId = await world.addUser()
  await importArchive(world, userId, { bytes: ofVendors.whoop })
  archives = {
    ...ofVendors,
    restwell: Buffer.from((await Array.fromAsync(exportAccount(world.context, userId))).join("")),
  }
})
afterAll(() => world.close())

/** Records and samples, by what they say and not by when they came. */
async function contentOf(userId: string) {
  const { rows: samples } = await world.store.pool.query(
    `select distinct provider, type, day::text, device, method, count, md5(samples) as samples from restwell.series
     where user_id = $1 order by 1, 2, 3, 4, 5, 6, 7`,
    [userId],
  )
  const records = await storedRows(world, userId)
  return { records: records.map(({ raw: _, ...record }) => record), samples }
}

const fileNameOf = (kind: Kind): string => (kind === "restwell" ? "export.json" : "archive.zip")

/** Changes each entry of a zip file's directory. Positions are those of APPNOTE.TXT 4.3.12. */
function changed(archive: Buffer, change: (bytes: Buffer, entry: number, first: number) => void): Buffer {
  const bytes = Buffer.from(archive)
  const start = bytes.readUInt32LE(bytes.lastIndexOf(Buffer.from("PK\x05\x06", "latin1")) + 16)
  const first = bytes.readUInt32LE(start + 42)
  for (let entry = start; bytes.readUInt32LE(entry) === 0x02014b50; ) {
    const length = 46 + [28, 30, 32].reduce((sum, position) => sum + bytes.readUInt16LE(entry + position), 0)
    change(bytes, entry, first)
    entry += length
  }
  return bytes
}

const HARM: Readonly<Record<string, { readonly of: (archive: Buffer) => Buffer; readonly words: RegExp }>> = {
  "a wrong checksum": {
    of: (archive) => changed(archive, (bytes, entry) => bytes.writeUInt8(bytes.readUInt8(entry + 16) ^ 1, entry + 16)),
    words: /is damaged: its checksum is another one/,
  },
  encryption: {
    of: (archive) =>
      changed(archive, (bytes, entry) => bytes.writeUInt16LE(bytes.readUInt16LE(entry + 8) | 1, entry + 8)),
    words: /is encrypted, upload the archive without a password/,
  },
  "names that climb out": {
    of: (archive) => changed(archive, (bytes, entry) => bytes.write("../", entry + 46, "latin1")),
    words: /has a file name that leads out of the archive/,
  },
  "an absurd size": {
    of: (archive) => changed(archive, (bytes, entry) => bytes.writeUInt32LE(0x7fffffff, entry + 24)),
    words: /would unpack to more than 200 times its size/,
  },
  "a bomb that hides its size": {
    of: (archive) => changed(archive, (bytes, entry) => bytes.writeUInt32LE(1, entry + 24)),
    words: /is damaged: too many bytes/,
  },
  "files that share their bytes": {
    of: (archive) => changed(archive, (bytes, entry, first) => bytes.writeUInt32LE(first, entry + 42)),
    words: /has files that share their bytes/,
  },
  "another zip file around it": {
    of: (archive) => zipOf([{ name: "archive.zip", bytes: archive }]),
    words: /has another zip file inside/,
  },
}

/** The file that a kind is known by, with letters of an encoding that no vendor uses. */
const LATIN: Readonly<Record<Kind, readonly [name: string, text: string]>> = {
  whoop: ["sleeps.csv", "Cycle start time,x\nM\u00e4rz,1\n"],
  oura: ["App Data/dailysleep.csv", "id;day;score\nM\u00e4rz;;\n"],
  garmin: ["1_sleepData.json", '[{"calendarDate": "M\u00e4rz"}]'],
  takeout: ["UserSleeps_2026-01-01.csv", "sleep_id,sleep_start,sleep_end\nM\u00e4rz,,\n"],
  apple: ["apple_health_export/export.xml", '<HealthData>\n<Record type="M\u00e4rz"/></HealthData>'],
  health_connect: ["health_connect_export.db", "SQLite format 3\0\u00e4"],
  gadgetbridge: ["database/Gadgetbridge", "SQLite format 3\0\u00e4"],
  sleep_as_android: ["sleep-export.csv", "Id,Tz,From,To,Comment\n1,Etc/GMT,,,M\u00e4rz\n"],
  restwell: ["export.json", '{"exported_at": "M\u00e4rz"}'],
}

describe.each(KINDS)("the archive of %s", (kind) => {
  test("fails where it was cut off, and stores nothing", async () => {
    const whole = archives[kind]
    for (let count = 1; count <= 12; count += 1) {
      const bytes = whole.subarray(0, Math.floor((whole.length * count) / 13))
      await expectFailedImport(world, { fileName: fileNameOf(kind), bytes }, /archive\.zip|export\.|\.csv|\.json/)
    }
  })

  test("fails in another encoding", async () => {
    const [name, text] = LATIN[kind]
    const bytes = Buffer.from(text, "latin1")
    const file = kind === "restwell" ? bytes : zipOf([{ name, bytes }])
    await expectFailedImport(
      world,
      { fileName: fileNameOf(kind), bytes: file },
      /UTF-8|no valid JSON|ends before its last page/,
    )
  })

  test("whose upload breaks off is uploaded again", async () => {
    const userId = await world.addUser()
    const bytes = archives[kind]
    for (let count = 0; count < 6; count += 1) {
      const content = (async function* () {
        yield bytes.subarray(0, bytes.length / 2)
        throw new Error("the connection was closed")
      })()
      const upload = { userId, fileName: fileNameOf(kind), content, includesPrivate: () => false }
      await expect(receiveImport(world.context, upload)).rejects.toThrow("the connection was closed")
    }
    const { status, error } = await importArchive(world, userId, { fileName: fileNameOf(kind), bytes })
    expect([status, error]).toEqual(["done", null])
  })

  test("that is left while it is read goes on elsewhere, and loses and doubles nothing", async () => {
    const upload = { fileName: fileNameOf(kind), bytes: archives[kind] }
    const [undisturbed, userId] = [await world.addUser(), await world.addUser()]
    const { report } = await importArchive(world, undisturbed, upload)
    await receiveArchive(world, userId, upload)
    // The time is asked for at the start, before the rows, and in each chunk.
    let asked = 0
    const stopping = new AbortController()
    const now = () => {
      asked += 1
      if (asked === 3) stopping.abort()
      return world.context.clock.now()
    }
    await runImports({ ...world.context, clock: { now } }, { signal: stopping.signal })
    const readStatus = async () =>
      (await world.store.pool.query("select status, report from restwell.import where user_id = $1", [userId])).rows
    expect(await readStatus()).toEqual([{ status: "queued", report: null }])
    await runImports(world.context, { signal: new AbortController().signal })
    expect(await readStatus()).toEqual([{ status: "done", report }])
    expect(await storedRows(world, userId)).toEqual(await storedRows(world, undisturbed))
  })

  test("whose process is killed goes on elsewhere, and loses and doubles nothing", async () => {
    const fileName = `${kind}-${fileNameOf(kind)}`
    await surviveImportKills(world, { fileName, bytes: archives[kind] }, [random.between(0, 600)])
  })

  test("that comes twice is stored once, and leaves nothing when both are undone", async () => {
    const userId = await world.addUser()
    const nobody = await everythingOf(world, userId)
    const upload = { fileName: fileNameOf(kind), bytes: archives[kind] }
    const once = await importArchive(world, userId, upload)
    const stored = await contentOf(userId)
    const again = await importArchive(world, userId, upload)
    expect([again.status, again.report?.stored]).toEqual(["done", 0])
    expect(await contentOf(userId)).toEqual(stored)
    await undoImport(world.context, userId, again.id)
    expect(await contentOf(userId)).toEqual(stored)
    await undoImport(world.context, userId, once.id)
    expect(await everythingOf(world, userId)).toBe(nobody)
  })

  test("with each row twice brings what it brings with each row once", async () => {
    const [plain, doubled] = [await world.addUser(), await world.addUser()]
    const fileName = fileNameOf(kind)
    const bytes = await withDoubledRows(fileName, archives[kind])
    expect(bytes.length).toBeGreaterThan(archives[kind].length)
    const once = await importArchive(world, plain, { fileName, bytes: archives[kind] })
    const twice = await importArchive(world, doubled, { fileName, bytes })
    expect([once.status, once.error, twice.status, twice.error]).toEqual(["done", null, "done", null])
    expect(await contentOf(doubled)).toEqual(await contentOf(plain))
    expect(twice.report?.stored).toBe(once.report?.stored)
  })
})

/** An archive of one file shares its bytes with nothing. */
const harmOf = (kind: Kind) =>
  Object.entries(HARM).filter(([name]) => kind !== "health_connect" || name !== "files that share their bytes")

describe.each(ZIPPED)("the archive of %s", (kind) => {
  test.each(harmOf(kind))("with %s is refused in one plain sentence", async (_, { of, words }) => {
    await expectFailedImport(world, { fileName: "archive.zip", bytes: of(archives[kind]) }, words)
  })
})
