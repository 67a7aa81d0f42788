// The steps, energy and distance of days, which are the sums of the stored samples: those of all imports and pushes together.

import { DATE_BOUNDS, type SeriesType } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { DayCounts, type DeviceKind, deliversSeries, oneDeviceRuleOf } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { ConnectionId } from "../connection-tables.ts"
import type { Database } from "../database.ts"
import { piecesOf, readCountedDays } from "./read-counts.ts"

/** The figures of a day that are sums of samples, where the source delivers them. */
const FIGURES = [
  ["steps", "steps", Math.round],
  ["active_energy", "activeEnergyKcal", (value: number) => value],
  ["distance", "distanceMeters", (value: number) => value],
] as const satisfies readonly (readonly [SeriesType, string, (value: number) => number])[]

/** True where days are the sums of samples. Of other sources, days are the vendor's own. */
export const countsDays = (provider: string): boolean => FIGURES.some(([type]) => deliversSeries(provider, type))

/** A piece may be of the local date before or after its UTC day. */
const REACH_DAYS = 1

/** Writes the sums into the archives' days of some dates. A date on which nothing counts gets none. @param dates all if left out */
export async function deriveCounts(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  dates?: readonly string[],
): Promise<void> {
  const figures = FIGURES.filter(([type]) => deliversSeries(provider, type))
  if (figures.length === 0 || dates?.length === 0) return
  const days = new Map<string, Record<string, number | string>>()
  for (const [type, field, stored] of figures) {
    const counts = await readCounts(transaction, { userId, provider, type }, dates)
    for (const date of counts.dates) {
      const sum = counts.of(date)
      if (!sum) continue
      const day = days.getOrInsertComputed(date, () => ({}))
      day[field] = stored(sum.value)
      if (day["device"] === undefined && sum.device !== "") day["device"] = sum.device
    }
  }
  // Where one device answers for a date, that of the record may be another one.
  const fields = [...figures.map(([, field]) => field), ...(oneDeviceRuleOf(provider) ? ["device"] : [])]
  const rows = [...days].map(([date, counted]) => ({ date, counted }))
  await sql`
    with counted as materialized (
      select date, counted from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c (date date, counted jsonb)
    ), days as (
      select r.import_id, r.provider_id, (r.detail::jsonb - ${fields}::text[]) || coalesce(c.counted, '{}') as detail
      from restwell.import_record r left join counted c on c.date = r.date
      where r.user_id = ${userId} and r.provider = ${provider} and r.kind = 'cycle'
        and (${dates === undefined} or r.date = any(${dates ?? []}::date[]))
    ), complete as (
      select import_id, provider_id, case
        when not detail ? 'restingEnergyKcal' then detail
        when detail ? 'activeEnergyKcal' then detail || jsonb_build_object('energyKcal',
          (detail ->> 'restingEnergyKcal')::double precision + (detail ->> 'activeEnergyKcal')::double precision)
        else detail - 'energyKcal' end as detail
      from days
    )
    update restwell.import_record r set
      detail = c.detail,
      -- Of a day's sums, sources are chosen by the energy.
      candidate = r.candidate::jsonb - 'energyKcal' || jsonb_strip_nulls(jsonb_build_object('energyKcal', c.detail -> 'energyKcal'))
    from complete c
    where r.user_id = ${userId} and r.import_id = c.import_id and r.provider = ${provider} and r.kind = 'cycle'
      and r.provider_id = c.provider_id and r.detail::jsonb is distinct from c.detail
  `.execute(transaction)
}

interface Device {
  readonly name: string
  readonly kind: DeviceKind
}

async function readCounts(
  transaction: Transaction<Database>,
  { userId, provider, type }: ConnectionId & { readonly type: SeriesType },
  dates: readonly string[] | undefined,
): Promise<DayCounts<Device>> {
  const wanted = dates && new Set(dates.flatMap((date) => [-REACH_DAYS, 0, REACH_DAYS].map((by) => addDays(date, by))))
  const sorted = [...(wanted ?? [])].toSorted()
  const counts = new DayCounts<Device>()
  const devices = new Map<string, Device>()
  const query = {
    userId,
    type,
    providers: [provider],
    from: sorted[0] ?? DATE_BOUNDS.min,
    to: sorted.at(-1) ?? DATE_BOUNDS.max,
    ...(wanted && { isWanted: (day: string) => wanted.has(day) }),
  }
  for await (const day of readCountedDays(transaction, query)) {
    const device = devices.getOrInsertComputed(day.device ?? "", () => ({ name: day.device ?? "", kind: day.kind }))
    counts.add([{ device, pieces: piecesOf(day) }])
  }
  return counts
}
