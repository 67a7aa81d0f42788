// Gadgetbridge's export: the database of a program that reads bands and watches without their makers' clouds.
import type { SeriesType } from "@restwell/client"
import { MINUTE_MS } from "@restwell/client/time-units"
import { CollectedRows } from "../apple-health/collected-rows.ts"
import { type RowType, rowFault } from "../apple-health/rows.ts"
import { type ArchiveItem, recordItems, UnreadableArchive } from "../archive/archive-items.ts"
import { SampleSets } from "../archive/sample-sets.ts"
import { numberIn, type SqliteFile, textIn, unreadTables } from "../archive/sqlite-file.ts"
import { UnreadFigures } from "../archive/unread-figures.ts"
import { known } from "../normalize/known.ts"
import { DeviceTables } from "./device-tables.ts"
import { addXiaomiSleeps, HuamiSleep } from "./sleep.ts"
import {
  aboveZero,
  beatsOf,
  DEVICES,
  HUAMI_MINUTES,
  HUAMI_SLEEP,
  msOf,
  OFFSET_TABLES,
  READ_TABLES,
  READINGS,
  sportOf,
  summaryFigures,
  VALUE_TABLES,
  WORKOUTS,
  XIAOMI_DAYS,
  XIAOMI_MINUTES,
} from "./wire.ts"

interface GadgetbridgeOptions {
  /** Decides which day is not over. */
  readonly now: Date
  /** Of the person: an IANA name. For all times without an offset beside them. */
  readonly timeZone: string
}

/** Whether a database is Gadgetbridge's. */
export const isGadgetbridge = (database: SqliteFile): boolean =>
  database.has(DEVICES) && (database.has(WORKOUTS) || database.tables.some((table) => /_SAMPLE$/i.test(table)))

/** Rows after which it is shown that reading goes on. */
const QUIET_ROWS = 20_000
const MOST_WORKOUTS = 100_000
const CENTIMETRES = 100

/** The columns of a band's summary of a day that are read. */
const DAY_COLUMNS = new Set(
  [...VALUE_TABLES, ...OFFSET_TABLES].flatMap(({ table, column }) => (table === XIAOMI_DAYS ? [column] : [])),
)

/** Streams what the database contains. It is closed at the end. @throws {UnreadableArchive} */
export async function* readGadgetbridge(
  database: SqliteFile,
  options: GadgetbridgeOptions,
): AsyncGenerator<ArchiveItem, void> {
  using file = database
  yield* new GadgetbridgeReader(file, options).items()
}

class GadgetbridgeReader {
  readonly #options: GadgetbridgeOptions
  readonly #tables: DeviceTables
  readonly #collected: CollectedRows
  readonly #sets = new SampleSets()

  constructor(database: SqliteFile, options: GadgetbridgeOptions) {
    this.#options = options
    this.#tables = new DeviceTables(database)
    this.#collected = new CollectedRows({ ...options, hasPartialRecoveries: true })
  }

  *items(): Generator<ArchiveItem, void> {
    const { database, ignored } = this.#tables
    database.expectRowsOf(READINGS)
    yield { type: "note", note: `${database.name} was read as Gadgetbridge's database` }
    const hasOffsets = this.#addOffsets()
    addXiaomiSleeps(this.#tables, this.#collected)
    yield* this.#xiaomiMinutes()
    yield* this.#huamiMinutes()
    for (const table of VALUE_TABLES) yield* this.#values(table)
    this.#addWorkouts()
    this.#sets.takeAll()
    yield* this.#giveOn()
    for (const set of this.#collected.samples()) yield { type: "series", set, place: set.type }
    for (const archived of this.#collected.records()) yield* recordItems(archived, `the row of ${archived.date}`)
    for (const [reason, count] of ignored) yield { type: "ignored", reason, count }
    if (!hasOffsets)
      yield { type: "note", note: `The database names no time zone: yours, ${this.#options.timeZone}, was used` }
    yield* unreadTables(database, /_SAMPLE$/i, READ_TABLES)
    yield* this.#unreadOfDays()
  }

  /** A band's summary of a day has more than is read. Zero stands for none. */
  *#unreadOfDays(): Generator<ArchiveItem, void> {
    const { database } = this.#tables
    const unread = new UnreadFigures(XIAOMI_DAYS, [])
    const columns = database.columns(XIAOMI_DAYS).filter((column) => !DAY_COLUMNS.has(column.toUpperCase()))
    for (const row of database.rows(XIAOMI_DAYS, { numbers: columns }))
      unread.add(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== 0)))
    yield* unread.note()
  }

  #addOffsets(): boolean {
    let hasAny = false
    for (const { table, column, minutes } of OFFSET_TABLES)
      for (const { atMs, row } of this.#tables.rows(table, [column])) {
        const offset = numberIn(row, column)
        if (offset === undefined) continue
        hasAny = true
        this.#collected.zones.addOffset(Math.round(offset * minutes), atMs)
      }
    return hasAny
  }

  *#xiaomiMinutes(): Generator<ArchiveItem, void> {
    let count = 0
    for (const { device, atMs, row } of this.#tables.rows(XIAOMI_MINUTES, [
      "STEPS",
      "HEART_RATE",
      "SPO2",
      "STRESS",
      "DISTANCE_CM",
    ])) {
      count += 1
      if (count % QUIET_ROWS === 0) yield* this.#giveOn()
      const minute = { device, atMs, table: XIAOMI_MINUTES }
      const centimetres = aboveZero(numberIn(row, "DISTANCE_CM"))
      this.#addSample("heart_rate", { ...minute, value: beatsOf(numberIn(row, "HEART_RATE")) })
      this.#addSample("spo2", { ...minute, value: aboveZero(numberIn(row, "SPO2")) }, "spo2")
      this.#addSample("stress", { ...minute, value: aboveZero(numberIn(row, "STRESS")) })
      this.#addCount("steps", { ...minute, value: aboveZero(numberIn(row, "STEPS")) })
      this.#addCount("distance", { ...minute, value: centimetres && centimetres / CENTIMETRES })
    }
  }

  *#huamiMinutes(): Generator<ArchiveItem, void> {
    const sleeps = new Map<string, HuamiSleep>()
    const columns = ["STEPS", "RAW_KIND", "HEART_RATE", "DEEP_SLEEP", "REM_SLEEP"]
    let count = 0
    for (const { device, atMs, row } of this.#tables.rows(HUAMI_MINUTES, columns, "by time")) {
      count += 1
      if (count % QUIET_ROWS === 0) yield* this.#giveOn()
      const minute = { device, atMs, table: HUAMI_MINUTES }
      this.#addSample("heart_rate", { ...minute, value: beatsOf(numberIn(row, "HEART_RATE")) })
      this.#addCount("steps", { ...minute, value: aboveZero(numberIn(row, "STEPS")) })
      if (numberIn(row, "RAW_KIND") !== HUAMI_SLEEP) continue
      const sleep = sleeps.getOrInsertComputed(device, () => new HuamiSleep(device, this.#collected))
      sleep.add(atMs, numberIn(row, "DEEP_SLEEP"), numberIn(row, "REM_SLEEP"))
    }
    for (const sleep of sleeps.values()) sleep.end()
  }

  *#values({ table, column, series, row: type, method }: (typeof VALUE_TABLES)[number]): Generator<ArchiveItem, void> {
    let count = 0
    for (const { device, atMs, row } of this.#tables.rows(table, [column])) {
      count += 1
      if (count % QUIET_ROWS === 0) yield* this.#giveOn()
      const found = numberIn(row, column)
      const value = column.includes("HEART_RATE") ? beatsOf(found) : aboveZero(found)
      const measured = { device, atMs, table, value, ...known({ method }) }
      if (series) this.#addSample(series, measured, type)
      else if (type) this.#addRow(type, measured)
    }
  }

  #addWorkouts(): void {
    const numbers = ["START_TIME", "END_TIME", "ACTIVITY_KIND", "DEVICE_ID"]
    let count = 0
    for (const row of this.#tables.database.rows(WORKOUTS, { numbers, texts: ["SUMMARY_DATA"] })) {
      count += 1
      if (count > MOST_WORKOUTS) throw new UnreadableArchive(`the database has more than ${MOST_WORKOUTS} workouts`)
      const [start, end] = [numberIn(row, "START_TIME"), numberIn(row, "END_TIME")]
      if (start === undefined || end === undefined) {
        this.#tables.ignore(WORKOUTS, "without its times")
        continue
      }
      const figure = summaryFigures(textIn(row, "SUMMARY_DATA") ?? "")
      const kind = numberIn(row, "ACTIVITY_KIND")
      const seconds = figure("activeSeconds")
      const figures = {
        durationMs: seconds && seconds * 1_000,
        averageHeartRate: figure("averageHR"),
        maxHeartRate: figure("maxHR"),
        calories: figure("caloriesBurnt"),
        distanceMeters: figure("distanceMeters"),
      }
      const times = { startMs: msOf(start), endMs: msOf(end) }
      const raw = JSON.parse(JSON.stringify({ kind, ...times, ...figures }))
      const device = this.#tables.deviceOf(numberIn(row, "DEVICE_ID"))
      const fault = this.#collected.addWorkout({ device, ...times, sport: sportOf(kind), ...figures, raw })
      if (fault !== undefined) this.#tables.ignore(WORKOUTS, fault)
    }
  }

  /** Samples of days that are complete. */
  *#giveOn(): Generator<ArchiveItem, void> {
    for (const set of this.#sets.take()) yield { type: "series", set, place: set.type }
    yield { type: "reading" }
  }

  /** Adds a value to its series, and to what nights are made of. */
  #addSample(
    type: Exclude<SeriesType, "sleep_stages">,
    { device, atMs, table, value, method }: Measured,
    row?: Exclude<RowType, "sleep">,
  ): void {
    if (value === undefined) return
    const fault = rowFault(row ?? type, { startMs: atMs, endMs: atMs, value })
    if (fault !== undefined) {
      this.#tables.ignore(table, fault)
      return
    }
    this.#sets.add({ type, device, ...known({ method }) }, { atMs, value })
    if (row) this.#collected.add({ type: row, device, startMs: atMs, endMs: atMs, value })
  }

  #addRow(type: Exclude<RowType, "sleep">, { device, atMs, table, value }: Measured): void {
    if (value === undefined) return
    const fault = this.#collected.add({ type, device, startMs: atMs, endMs: atMs, value })
    if (fault !== undefined) this.#tables.ignore(table, fault)
  }

  /** Adds what was counted in a minute. */
  #addCount(type: "steps" | "distance", { device, atMs, table, value }: Measured): void {
    if (value === undefined) return
    const fault = this.#collected.add({ type, device, startMs: atMs, endMs: atMs + MINUTE_MS, value })
    if (fault !== undefined) this.#tables.ignore(table, fault)
  }
}

/** What a device measured. Undefined for none. */
interface Measured {
  readonly device: string
  readonly atMs: number
  readonly table: string
  readonly value: number | undefined
  readonly method?: "rmssd"
}
