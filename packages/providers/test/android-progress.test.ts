// How far the reading of Android's databases has come, and the tables of them that nothing is read of.
import {
  type AndroidTables,
  androidDatabase,
  gadgetbridgeTables,
  healthConnectTables,
  type OuraRecords,
  startOuraSimulator,
} from "@restwell/simulator"
import { beforeAll, expect, test } from "vitest"
import { readVendorArchive } from "../src/index.ts"
import { readBytes, readFiles, saidIn } from "./archive-files.ts"

const NOW = new Date("2026-11-20T12:00:00Z")

let documents: OuraRecords
beforeAll(async () => {
  const oura = await startOuraSimulator({ seed: 7, now: NOW, days: 20 })
  const [ring] = oura.people.list()
  if (!ring) throw new Error("nobody at Oura")
  documents = oura.records(ring)
  await oura.close()
})

test.each([
  ["Health Connect", healthConnectTables],
  ["Gadgetbridge", gadgetbridgeTables],
])("%s: progress is that of the rows, from none to all of them", async (_name, tablesOf) => {
  const bytes = androidDatabase(tablesOf(documents))
  const file = {
    name: "export.db",
    size: bytes.length,
    read: async (position: number, length: number) => bytes.subarray(position, position + length),
  }
  const { items, progress } = await readVendorArchive(file, { isZip: false, now: NOW, timeZone: "Europe/Berlin" })
  const seen: number[] = []
  for await (const _ of items) seen.push(progress?.() ?? Number.NaN)
  expect(seen[0]).toBe(0)
  expect(seen).toEqual(seen.toSorted((one, other) => one - other))
  expect(progress?.()).toBe(1)
})

test("two tables of one name but for case and underscores are both named, and so are the parts of workouts", async () => {
  const tables: AndroidTables = {
    application_info_table: [{ row_id: 1, package_name: "com.example.band", app_name: "Band" }],
    exercise_session_record_table: [{ app_info_id: 1, start_time: 1.78e12, end_time: 1.78e12 + 3_600_000 }],
    SpeedRecordTable: [{ row_id: 1 }, { row_id: 2 }],
    speed_record_table: [{ parent_key: 1, speed: 3 }],
    exercise_segments_table: [{ parent_key: 1, segment_type: 4 }],
    exercise_lap_table: [{ parent_key: 1, length: 400 }],
  }
  const said = saidIn(await readBytes(androidDatabase(tables), { name: "export.db", isZip: false }))
  expect(said).toContain(
    "does not read: SpeedRecordTable 2, speed_record_table 1, exercise_segments_table 1, exercise_lap_table 1",
  )
})

test.each([
  [4_096, true],
  [0, false],
])("a log of %d bytes beside the database is told: %s", async (length, isTold) => {
  const bytes = androidDatabase(healthConnectTables(documents))
  const log = { name: "health_connect_export.db-wal", bytes: Buffer.alloc(length, 1) }
  const said = saidIn(await readFiles([{ name: "health_connect_export.db", bytes }, log]))
  expect(said.includes("Rows may be missing: the newest ones are in health_connect_export.db-wal")).toBe(isTold)
})
