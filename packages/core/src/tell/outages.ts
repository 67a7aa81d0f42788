// When a person is told that a vendor has ended its access or does not answer, and that requests run out: from logs and counts alone.
import { addDays } from "@restwell/client/calendar-dates"
import { DAY_MS, HOUR_MS } from "@restwell/client/time-units"
import { sql } from "kysely"
import { type TimeZone, todayIn } from "../base/calendar.ts"
import type { Context } from "../context/context.ts"
import { instantAt } from "../people/due-times.ts"

/** A vendor that does not answer for this long is worth a message. Shorter outages heal by themselves. */
const SILENT_MS = 6 * HOUR_MS

/** A change of a connection, as the security log has it. */
interface StatusChange {
  readonly provider: string
  readonly to: string
  readonly at: Date
}

export interface Outage {
  readonly provider: string
  readonly kind: "ended" | "silent"
  /** When it is worth a message. */
  readonly at: Date
}

/** Whether no data arrive. A sync that fails in another way meanwhile does not end an outage. */
const isSilent = (status: string): boolean => status === "vendor_unavailable" || status === "failing"

/** Of changes between two silent states the first one counts. */
const withoutRepeats = (changes: readonly StatusChange[]): StatusChange[] =>
  changes.filter(({ to }, index) => !(isSilent(to) && isSilent(changes[index - 1]?.to ?? "")))

/** The outages up to now, oldest first. @param changes of all connections, oldest first */
export function outagesOf(changes: readonly StatusChange[], now: Date): Outage[] {
  const outages = [...Map.groupBy(changes, ({ provider }) => provider)].flatMap(([provider, ofProvider]) =>
    withoutRepeats(ofProvider).flatMap(({ to, at }, index, all): Outage[] => {
      if (to === "reauthorization_required") return [{ provider, kind: "ended", at }]
      const late = new Date(at.getTime() + SILENT_MS)
      const isOver = (all[index + 1]?.at ?? now) < late
      return isSilent(to) && !isOver && late <= now ? [{ provider, kind: "silent", at: late }] : []
    }),
  )
  return outages.toSorted((one, other) => one.at.getTime() - other.at.getTime())
}

/** When a vendor that does not answer now will have been silent for long enough. */
export const nextOutage = (changes: readonly StatusChange[], now: Date): Date | undefined => {
  const last = [...Map.groupBy(changes, ({ provider }) => provider).values()].flatMap(
    (all) => withoutRepeats(all).at(-1) ?? [],
  )
  const due = last
    .filter(({ to }) => isSilent(to))
    .map(({ at }) => new Date(at.getTime() + SILENT_MS))
    .filter((at) => at > now)
  return due.toSorted((one, other) => one.getTime() - other.getTime())[0]
}

/** The changes of the connections in the last 90 days, which the security log keeps. */
export async function readStatusChanges(
  { database }: Pick<Context, "database">,
  userId: string,
): Promise<StatusChange[]> {
  const { rows } = await sql<StatusChange>`
    select split_part(detail, ':', 1) as provider, split_part(detail, ' -> ', 2) as "to", at
    from restwell.security_event where user_id = ${userId} and type = 'connection_changed' order by at, id
  `.execute(database)
  return rows
}

/** A month's counted requests by UTC day. */
interface MonthUsage {
  /** First day of the month. */
  readonly month: string
  readonly byDay: readonly number[]
}

/** A morning on which the counts of the days before it have reached a share of the limit, and when it is told. */
export interface QuotaMorning {
  /** First day of the month. */
  readonly month: string
  readonly date: string
  readonly at: Date
}

interface QuotaQuestion {
  readonly percent: number
  /** Requests of a month. */
  readonly limit: number
  readonly zone: TimeZone
  /** The time of day from which the person is told. */
  readonly earliest: string
}

/** One morning at most of each month. A UTC day counts once it is over. */
export function quotaMornings(months: readonly MonthUsage[], question: QuotaQuestion): QuotaMorning[] {
  const { percent, limit, zone, earliest } = question
  return months.flatMap(({ month, byDay }) => {
    let used = 0
    const index = byDay.findIndex((count) => {
      used += count
      return used * 100 >= percent * limit
    })
    if (index < 0) return []
    // The first morning whose earliest hour comes after the end of that UTC day.
    const over = new Date(Date.parse(`${month}T00:00:00Z`) + (index + 1) * DAY_MS)
    const today = todayIn(zone, over)
    const at = instantAt(zone, today, earliest)
    const date = at >= over ? today : addDays(today, 1)
    return [{ month, date, at: instantAt(zone, date, earliest) }]
  })
}

/** The newest months that a preview reaches back to. */
const MONTHS = 5

/** The counts of the last months, oldest first. */
export async function readMonths({ database }: Pick<Context, "database">, userId: string): Promise<MonthUsage[]> {
  const rows = await database
    .selectFrom("usage")
    .select(["month", "by_day as byDay"])
    .where("user_id", "=", userId)
    .orderBy("month", "desc")
    .limit(MONTHS)
    .execute()
  return rows.toReversed()
}
