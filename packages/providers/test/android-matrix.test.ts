// Each table and each column of the databases of Android is broken in turn: what is beside it is read.
import {
  type AndroidTables,
  androidDatabase,
  gadgetbridgeTables,
  healthConnectTables,
  startOuraSimulator,
} from "@restwell/simulator"
import { beforeAll, describe, expect, test } from "vitest"
import { contentOf, keysOf, readBytes, saidIn } from "./archive-files.ts"

const MAKERS = { health_connect: healthConnectTables, gadgetbridge: gadgetbridgeTables } as const
const KINDS = ["health_connect", "gadgetbridge"] as const
/** A database is known as Gadgetbridge's by its devices. */
const NEEDED = ["DEVICE"]
/** The night, its morning, its day and a part of the night before may be made of one cell. */
const MOST_TOUCHED = 6

let tables: Readonly<Record<(typeof KINDS)[number], AndroidTables>>
beforeAll(async () => {
  const oura = await startOuraSimulator({ seed: 7, now: new Date("2026-11-20T12:00:00Z"), days: 5 })
  try {
    const [ring] = oura.people.list()
    if (!ring) throw new Error("nobody at Oura")
    const records = oura.records(ring)
    tables = { health_connect: MAKERS.health_connect(records), gadgetbridge: MAKERS.gadgetbridge(records) }
  } finally {
    await oura.close()
  }
})

const read = (content: AndroidTables) => readBytes(androidDatabase(content), { name: "export.db", isZip: false })
const without = (content: AndroidTables, name: string): AndroidTables =>
  Object.fromEntries(Object.entries(content).filter(([table]) => table !== name))

describe.each(KINDS)("in the database of %s", (kind) => {
  test("a table that is missing costs what is made of it", async () => {
    const whole = await read(tables[kind])
    for (const name of Object.keys(tables[kind]).filter((each) => !NEEDED.includes(each))) {
      const items = await read(without(tables[kind], name))
      const kept = keysOf(items).length
      expect(kept, name).toBeGreaterThan(0)
      // Rows of other tables may lose their time zone with it, and so have another date.
      expect(kept, name).toBeLessThanOrEqual(keysOf(whole).length)
      if (saidIn(whole).includes(`${name} `)) expect(contentOf(items), name).toEqual(contentOf(whole))
    }
  })

  test.each(["many", 1e12, null])("a cell that is %s costs its row or its figure alone", async (cell) => {
    const whole = contentOf(await read(tables[kind])).filter((line) => line.includes('"kind"'))
    for (const [name, rows] of Object.entries(tables[kind])) {
      const middle = Math.floor(rows.length / 2)
      for (const column of Object.keys(rows[middle] ?? {}).filter((each) => !/^_?(?:row_)?id$/i.test(each))) {
        // The apps and the devices are named by one row for all of theirs.
        if (/info_table|^DEVICE$/.test(name)) continue
        const changed = rows.map((row, index) => (index === middle ? { ...row, [column]: cell } : row))
        const items = await read({ ...tables[kind], [name]: changed })
        const found = new Set(contentOf(items))
        const touched = whole.filter((line) => !found.has(line))
        expect(touched.length, `${name}.${column}`).toBeLessThanOrEqual(MOST_TOUCHED)
      }
    }
  })
})
