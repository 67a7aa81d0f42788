// The tables of Gadgetbridge, with the device of each row, and the count of rows that cannot be used.

import { numberIn, type SqliteFile, type SqliteRow, textIn } from "../archive/sqlite-file.ts"
import { countNamed } from "../normalize/count-named.ts"
import { deviceNameOf } from "../normalize/device-name.ts"
import { isPlausibleInstant } from "../normalize/plausible.ts"
import { DEVICES, msOf } from "./wire.ts"

const UNNAMED = "Gadgetbridge"
/** Reasons that are counted one by one. */
const MOST_REASONS = 90

/** What a device measured at a moment. */
interface DeviceRow {
  readonly device: string
  readonly atMs: number
  readonly row: SqliteRow
}

export class DeviceTables {
  readonly database: SqliteFile
  readonly #devices = new Map<number, string>()
  readonly #ignored = new Map<string, number>()

  /** The address and the key of a device are never read. */
  constructor(database: SqliteFile) {
    this.database = database
    for (const row of database.rows(DEVICES, { numbers: ["_id"], texts: ["NAME", "ALIAS"] })) {
      const id = numberIn(row, "_id")
      const name = deviceNameOf(textIn(row, "ALIAS") ?? textIn(row, "NAME") ?? "") || UNNAMED
      if (id !== undefined) this.#devices.set(id, name)
    }
  }

  /** By reason. */
  get ignored(): ReadonlyMap<string, number> {
    return this.#ignored
  }

  ignore(table: string, fault: string): void {
    countNamed(this.#ignored, `${table}: ${fault}`, { most: MOST_REASONS, further: "further rows" })
  }

  /** A table of a maker that knows one device has no column for it. */
  deviceOf(id: number | undefined): string {
    const [only] = this.#devices.values()
    if (id === undefined) return this.#devices.size === 1 ? (only ?? UNNAMED) : UNNAMED
    return this.#devices.get(id) ?? UNNAMED
  }

  /** Rows with the time and the device. */
  *rows(table: string, columns: readonly string[], order?: "by time"): Generator<DeviceRow, void> {
    const numbers = ["TIMESTAMP", "DEVICE_ID", ...columns]
    for (const row of this.database.rows(table, { numbers, ...(order && { orderBy: "TIMESTAMP" }) })) {
      const timestamp = numberIn(row, "TIMESTAMP")
      const atMs = timestamp === undefined ? Number.NaN : msOf(timestamp)
      if (isPlausibleInstant(new Date(atMs))) yield { device: this.deviceOf(numberIn(row, "DEVICE_ID")), atMs, row }
      else this.ignore(table, "without a time of this century")
    }
  }
}
