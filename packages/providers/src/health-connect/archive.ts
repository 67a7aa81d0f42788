// Health Connect's export: a database of what many apps wrote on an Android phone.
import type { SeriesType } from "@restwell/client"
import { CollectedRows } from "../apple-health/collected-rows.ts"
import { RecordMaker } from "../apple-health/normalize.ts"
import { copiedSourceOf, type RowType, rowFault } from "../apple-health/rows.ts"
import { type ArchivedRecord, type ArchiveItem, recordItems, UnreadableArchive } from "../archive/archive-items.ts"
import { SampleSets } from "../archive/sample-sets.ts"
import { numberIn, type SqliteFile, unreadTables } from "../archive/sqlite-file.ts"
import { isOfStrava } from "../contract/records.ts"
import type { Sample } from "../contract/series.ts"
import { known, knownOrNone } from "../normalize/known.ts"
import { figureFault } from "../normalize/plausible.ts"
import { AppTables } from "./app-tables.ts"
import { AppWorkouts } from "./app-workouts.ts"
import { countedDays, giveOn } from "./counted-days.ts"
import { addSkinTemperatures } from "./skin-temperatures.ts"
import { addSleeps, nearSleep } from "./sleep.ts"
import {
  EXERCISES,
  HEART_RATE_SERIES,
  HEART_RATES,
  HEIGHTS,
  KNOWN_BY,
  READ_TABLES,
  READINGS,
  sportOf,
  VALUE_TABLES,
  type ValueTable,
  ZONE_TABLES,
} from "./wire.ts"

export interface HealthConnectOptions {
  /** Decides which day is not over. */
  readonly now: Date
  /** Of the person: an IANA name. */
  readonly timeZone: string
}

/** Whether a database is Health Connect's export. */
export const isHealthConnect = (database: SqliteFile): boolean => KNOWN_BY.some((table) => database.has(table))

/** Rows after which it is shown that reading goes on. */
const QUIET_ROWS = 20_000
const MOST_WORKOUTS = 100_000
/** Tables of what was measured, and the parts of workouts. Others are the app's own. */
const MEASURED = /record_?table$|^exercise_?(?:segments?|laps?|routes?)_?table$/i

/** Streams what the export contains. The database is closed at the end. @throws {UnreadableArchive} */
export async function* readHealthConnect(
  database: SqliteFile,
  options: HealthConnectOptions,
): AsyncGenerator<ArchiveItem, void> {
  using file = database
  yield* new HealthConnectReader(file, options).items()
}

class HealthConnectReader {
  readonly #options: HealthConnectOptions
  readonly #database: SqliteFile
  readonly #collected: CollectedRows
  readonly #tables: AppTables
  readonly #sets = new SampleSets()
  readonly #workouts = new AppWorkouts()
  #isNear: (ms: number) => boolean = () => false
  #weight: Measured | undefined

  constructor(database: SqliteFile, options: HealthConnectOptions) {
    this.#options = options
    this.#database = database
    this.#collected = new CollectedRows({ ...options, hasPartialRecoveries: true })
    this.#tables = new AppTables(database, this.#collected.zones)
  }

  *items(): Generator<ArchiveItem, void> {
    this.#database.expectRowsOf(READINGS)
    yield { type: "note", note: `${this.#database.name} was read as Health Connect's export` }
    const hasZone = this.#addZones()
    this.#isNear = nearSleep(addSleeps(this.#tables, this.#collected))
    this.#addExercises()
    yield* this.#heartRates()
    for (const table of VALUE_TABLES) yield* this.#values(table)
    addSkinTemperatures(this.#tables, this.#collected, this.#sets)
    this.#sets.takeAll()
    yield* giveOn(this.#sets)
    const [collected, sets, now] = [this.#collected, this.#sets, this.#options.now]
    const days = yield* countedDays({ tables: this.#tables, collected, workouts: this.#workouts, sets, now })
    for (const workout of this.#workouts.collected()) {
      const fault = collected.addWorkout(workout)
      if (fault !== undefined) this.#tables.ignore(EXERCISES, fault)
    }
    for (const archived of collected.records()) yield* recordItems(ofApp(archived), `the row of ${archived.date}`)
    const maker = new RecordMaker({ zones: collected.zones, now, hasPartialRecoveries: true })
    for (const { date, weight: precedence, ...figures } of days) {
      const day = maker.day(date, { ...figures, resting: undefined })
      if (day) yield* recordItems({ ...ofApp(day), precedence }, `the row of ${date}`)
    }
    yield* this.#profile()
    for (const [reason, count] of this.#tables.ignored) yield { type: "ignored", reason, count }
    yield* this.#notes(hasZone)
  }

  #addZones(): boolean {
    const between = ZONE_TABLES.map((table) => this.#tables.addZones(table, "spans"))
    const at = VALUE_TABLES.map(({ table }) => this.#tables.addZones(table, "moments"))
    return [...between, ...at].includes(true)
  }

  #addExercises(): void {
    for (const workout of this.#tables.spans(EXERCISES, ["exercise_type"])) {
      const { app, startMs, endMs, row } = workout
      if (this.#workouts.count >= MOST_WORKOUTS)
        throw new UnreadableArchive(`the export has more than ${MOST_WORKOUTS} workouts`)
      const type = numberIn(row, "exercise_type")
      const raw = { exercise_type: type ?? null, start_time: startMs, end_time: endMs, app }
      this.#tables.addOwnOffsets(workout)
      this.#workouts.add({ device: app, startMs, endMs, sport: sportOf(type), raw })
    }
  }

  /** A heart rate has the app and the zone of its parent, which may last a day. */
  *#heartRates(): Generator<ArchiveItem, void> {
    const parent = { table: HEART_RATES, numbers: ["row_id", "app_info_id"] }
    const numbers = ["epoch_millis", "beats_per_minute"]
    let count = 0
    for (const row of this.#database.rows(HEART_RATE_SERIES, { numbers, parent })) {
      count += 1
      if (count % QUIET_ROWS === 0) {
        yield* giveOn(this.#sets)
        yield { type: "reading" }
      }
      if (numberIn(row, "parent_row_id") === undefined) {
        this.#tables.ignore(HEART_RATE_SERIES, "without its record")
        continue
      }
      const app = this.#tables.appOf(numberIn(row, "parent_app_info_id"))
      const [atMs, value] = [numberIn(row, "epoch_millis"), numberIn(row, "beats_per_minute")]
      if (atMs === undefined || value === undefined) this.#tables.ignore(HEART_RATE_SERIES, "without a time or a value")
      else if (this.#isTrue(HEART_RATE_SERIES, "heart_rate", { atMs, value })) {
        this.#sets.add({ type: "heart_rate", device: app }, { atMs, value })
        this.#workouts.addBeats(app, atMs, value)
      }
    }
  }

  *#values({ table, column, series, row: type, method, divisor = 1 }: ValueTable): Generator<ArchiveItem, void> {
    let count = 0
    for (const { app, startMs, utcOffsetMinutes, row } of this.#tables.moments(table, [column])) {
      count += 1
      if (count % QUIET_ROWS === 0) {
        yield* giveOn(this.#sets)
        yield { type: "reading" }
      }
      const found = numberIn(row, column)
      const value = found === undefined ? undefined : found / divisor
      if (value === undefined) {
        this.#tables.ignore(table, "without a value")
        continue
      }
      if (!this.#isTrue(table, type ?? series, { atMs: startMs, value })) continue
      const sample = { atMs: startMs, value, ...known({ utcOffsetMinutes }) }
      if (series) this.#sets.add({ type: series, device: app, ...known({ method }) }, sample)
      if (series === "weight") this.#addWeight(app, startMs, value)
      if (type && (type === "resting_heart_rate" || this.#isNear(startMs)))
        this.#collected.add({ type, device: app, startMs, endMs: startMs, value })
    }
  }

  /** Counts a value that cannot be true. */
  #isTrue(table: string, type: RowType | SeriesType, { atMs, value }: Sample): boolean {
    const fault = rowFault(type, { startMs: atMs, endMs: atMs, value })
    if (fault !== undefined) this.#tables.ignore(table, fault)
    return fault === undefined
  }

  #addWeight(app: string, ms: number, value: number): void {
    if (!isOfStrava(app) && ms >= (this.#weight?.ms ?? ms)) this.#weight = { ms, value }
  }

  *#profile(): Generator<ArchiveItem, void> {
    let height: Measured | undefined
    for (const { app, startMs: ms, row } of this.#tables.moments(HEIGHTS, ["height"])) {
      const value = numberIn(row, "height")
      if (value === undefined || isOfStrava(app)) continue
      const fault = figureFault("profile", "data.body.heightMeters", { value })
      if (fault !== undefined) this.#tables.ignore(HEIGHTS, fault)
      else if (ms >= (height?.ms ?? ms)) height = { ms, value }
    }
    const weight = this.#weight
    const body = knownOrNone({ heightMeters: height?.value, weightKilograms: weight?.value })
    const at = new Date(Math.max(height?.ms ?? 0, weight?.ms ?? 0))
    const data = { id: "health_connect-profile", providerId: "profile", ...known({ body }) }
    if (body) yield { type: "profile", profile: { data, raw: JSON.parse(JSON.stringify({ height, weight })) }, at }
  }

  *#notes(hasZone: boolean): Generator<ArchiveItem, void> {
    const copies = this.#collected.devices.filter(({ kind }) => kind === "copy").map(({ name }) => name)
    if (copies.length > 0)
      yield {
        type: "note",
        note: `Rows of ${copies.join(", ")} are copies of what the vendor itself has: beside its connection or archive they count only where nothing else has the date`,
      }
    if (!hasZone)
      yield { type: "note", note: `The export names no time zone: yours, ${this.#options.timeZone}, was used` }
    yield* unreadTables(this.#database, MEASURED, READ_TABLES)
  }
}

/** A figure of the profile. */
interface Measured {
  readonly ms: number
  readonly value: number
}

/** What an app copied of its vendor's own data. */
function ofApp(archived: ArchivedRecord): ArchivedRecord {
  const { record } = archived
  const copyOf = record.device === undefined ? undefined : copiedSourceOf(record.device)
  return copyOf === undefined ? archived : { ...archived, record: { ...record, copyOf } }
}
