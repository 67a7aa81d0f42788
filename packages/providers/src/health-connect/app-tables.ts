// The tables of Health Connect's export, with the app that wrote each row, and the count of rows that cannot be used.

import type { Zones } from "../apple-health/zones.ts"
import { numberIn, type SqliteFile, type SqliteRow, textIn } from "../archive/sqlite-file.ts"
import { isOfStrava } from "../contract/records.ts"
import { countNamed } from "../normalize/count-named.ts"
import { deviceNameOf } from "../normalize/device-name.ts"
import { isPlausibleInstant } from "../normalize/plausible.ts"
import { APPS } from "./wire.ts"

const UNNAMED = "Health Connect"
/** Reasons that are counted one by one. */
const MOST_REASONS = 90
/** Zone offsets are in seconds. */
const SECONDS_PER_MINUTE = 60
const FURTHEST_MINUTES = 14 * 60

/** What an app wrote for a time. */
export interface AppSpan {
  readonly app: string
  readonly startMs: number
  readonly endMs: number
  /** Minutes east of UTC at the start. Undefined where the row has none. */
  readonly utcOffsetMinutes: number | undefined
  /** The same at the end. */
  readonly endUtcOffsetMinutes: number | undefined
  readonly row: SqliteRow
}

/** Columns of the start and of the end of a row, each with its offset. */
interface TimeColumns {
  readonly start: readonly [time: string, offset: string]
  readonly end: readonly [time: string, offset: string]
}
const AT: TimeColumns = { start: ["time", "zone_offset"], end: ["time", "zone_offset"] }
const BETWEEN: TimeColumns = { start: ["start_time", "start_zone_offset"], end: ["end_time", "end_zone_offset"] }
const namesOf = ({ start, end }: TimeColumns): string[] => [...new Set([...start, ...end])]

export class AppTables {
  readonly database: SqliteFile
  readonly #zones: Zones
  readonly #apps = new Map<number, string>()
  readonly #ignored = new Map<string, number>()

  constructor(database: SqliteFile, zones: Zones) {
    this.database = database
    this.#zones = zones
    for (const row of database.rows(APPS, { numbers: ["row_id"], texts: ["app_name", "package_name"] })) {
      const id = numberIn(row, "row_id")
      if (id !== undefined) this.#apps.set(id, nameOf(textIn(row, "app_name"), textIn(row, "package_name")))
    }
  }

  /** By reason. */
  get ignored(): ReadonlyMap<string, number> {
    return this.#ignored
  }

  ignore(table: string, fault: string): void {
    countNamed(this.#ignored, `${table}: ${fault}`, { most: MOST_REASONS, further: "further rows" })
  }

  appOf(id: number | undefined): string {
    return (id === undefined ? undefined : this.#apps.get(id)) ?? UNNAMED
  }

  /** Rows of a time with their apps. @param orderBy smallest first */
  *spans(table: string, columns: readonly string[], orderBy?: string): Generator<AppSpan, void> {
    const numbers = ["app_info_id", ...namesOf(BETWEEN), ...columns]
    for (const row of this.database.rows(table, { numbers, ...(orderBy && { orderBy }) }))
      yield* this.#spanOf(table, row, BETWEEN)
  }

  /** Rows of a moment with their apps. */
  *moments(table: string, columns: readonly string[]): Generator<AppSpan, void> {
    for (const row of this.database.rows(table, { numbers: ["app_info_id", ...namesOf(AT), ...columns] }))
      yield* this.#spanOf(table, row, AT)
  }

  *#spanOf(table: string, row: SqliteRow, { start, end }: TimeColumns): Generator<AppSpan, void> {
    const [startMs, endMs] = [numberIn(row, start[0]), numberIn(row, end[0])]
    if (startMs === undefined || endMs === undefined || !isPlausibleInstant(new Date(startMs)))
      return this.ignore(table, "without a time of this century")
    if (endMs < startMs) return this.ignore(table, "an end before the start")
    const [utcOffsetMinutes, endUtcOffsetMinutes] = [offsetIn(row, start[1]), offsetIn(row, end[1])]
    yield { app: this.appOf(numberIn(row, "app_info_id")), startMs, endMs, utcOffsetMinutes, endUtcOffsetMinutes, row }
  }

  /** Learns the offsets of a table's rows before anything is dated. @returns whether it has any */
  addZones(table: string, rowsAre: "moments" | "spans"): boolean {
    const columns = rowsAre === "moments" ? AT : BETWEEN
    const moments = rowsAre === "moments" ? [columns.start] : [columns.start, columns.end]
    let hasAny = false
    for (const row of this.database.rows(table, { numbers: namesOf(columns) }))
      for (const [time, offset] of moments) {
        const [ms, minutes] = [numberIn(row, time), offsetIn(row, offset)]
        if (ms === undefined || minutes === undefined || !isPlausibleInstant(new Date(ms))) continue
        hasAny = true
        this.#zones.addOffset(minutes, ms)
      }
    return hasAny
  }

  /** A sleep or a workout has its own offsets at its start and its end, whatever rows of other apps say. */
  addOwnOffsets({ app, startMs, endMs, utcOffsetMinutes, endUtcOffsetMinutes }: AppSpan): void {
    if (utcOffsetMinutes !== undefined) this.#zones.addOwnOffset(app, startMs, utcOffsetMinutes)
    if (endUtcOffsetMinutes !== undefined) this.#zones.addOwnOffset(app, endMs, endUtcOffsetMinutes)
  }
}

/** The terms of Strava go by its name, whatever the app is called in a language. */
function nameOf(name: string | undefined, packageName: string | undefined): string {
  if (packageName !== undefined && isOfStrava(packageName)) return "Strava"
  return deviceNameOf(name ?? "") || deviceNameOf(packageName ?? "") || UNNAMED
}

function offsetIn(row: SqliteRow, column: string): number | undefined {
  const seconds = numberIn(row, column)
  const minutes = seconds === undefined ? undefined : Math.round(seconds / SECONDS_PER_MINUTE)
  return minutes !== undefined && Math.abs(minutes) <= FURTHEST_MINUTES ? minutes : undefined
}

/** The offset of a row, or of its moment. */
export const offsetOf = ({ utcOffsetMinutes, startMs }: AppSpan, zones: Zones): number =>
  utcOffsetMinutes ?? zones.offsetAt(startMs)
