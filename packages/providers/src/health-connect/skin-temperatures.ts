// Skin temperatures of Health Connect: a baseline, and how far each moment of a night was from it.
import type { CollectedRows } from "../apple-health/collected-rows.ts"
import { rowFault } from "../apple-health/rows.ts"
import type { SampleSets } from "../archive/sample-sets.ts"
import { numberIn } from "../archive/sqlite-file.ts"
import type { AppTables } from "./app-tables.ts"
import { SKIN_TEMPERATURE_DELTAS, SKIN_TEMPERATURES } from "./wire.ts"

interface Night {
  readonly app: string
  /** Degrees Celsius. Undefined where the app has none: it writes 0 then. */
  readonly baseline: number | undefined
  readonly startMs: number
  readonly endMs: number
  sum: number
  count: number
}

export function addSkinTemperatures(tables: AppTables, collected: CollectedRows, sets: SampleSets): void {
  const nights = new Map<number, Night>()
  for (const { app, startMs, endMs, row } of tables.spans(SKIN_TEMPERATURES, ["row_id", "baseline"])) {
    const id = numberIn(row, "row_id")
    const baseline = numberIn(row, "baseline") || undefined
    if (id !== undefined) nights.set(id, { app, baseline, startMs, endMs, sum: 0, count: 0 })
  }
  const numbers = ["parent_key", "epoch_millis", "delta"]
  for (const row of tables.database.rows(SKIN_TEMPERATURE_DELTAS, { numbers })) {
    const [parent, atMs, delta] = [numberIn(row, "parent_key"), numberIn(row, "epoch_millis"), numberIn(row, "delta")]
    const night = parent === undefined ? undefined : nights.get(parent)
    if (!night || atMs === undefined || delta === undefined) {
      tables.ignore(SKIN_TEMPERATURE_DELTAS, night ? "without a time or a value" : "without its record")
      continue
    }
    const fault = rowFault("skin_temperature_deviation", { startMs: atMs, endMs: atMs, value: delta })
    if (fault !== undefined) {
      tables.ignore(SKIN_TEMPERATURE_DELTAS, fault)
      continue
    }
    night.sum += delta
    night.count += 1
    if (night.baseline !== undefined)
      sets.add({ type: "skin_temperature", device: night.app }, { atMs, value: night.baseline + delta })
  }
  for (const { app: device, baseline, startMs, endMs, sum, count } of nights.values()) {
    if (count === 0) continue
    const times = { device, startMs, endMs }
    collected.add({ type: "skin_temperature_deviation", ...times, value: sum / count })
    if (baseline === undefined) continue
    const fault = collected.add({ type: "skin_temperature", ...times, value: baseline + sum / count })
    if (fault !== undefined) tables.ignore(SKIN_TEMPERATURES, fault)
  }
}
