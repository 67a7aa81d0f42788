/** The people who are published to Home Assistant: what is published of them, and what was. */
import { type DayResponse, DayResponseSchema, TrendResponseSchema } from "@restwell/client"
import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { sql } from "kysely"
import type { Pool } from "pg"
import { z } from "zod"
import { type TimeZone, todayIn } from "../../base/calendar.ts"
import type { Context } from "../../context/context.ts"
import { type ComputedAnswer, PERSON_ONLY } from "../../read/compute-statistics.ts"
import type { InsightQuery } from "../../read/insight-query.ts"
import type { Statistics } from "../../read/statistics-thread.ts"
import { type ConnectedSnapshot, readHealthSnapshot } from "../../store/statements/read-health.ts"
import { nightEventOf, presentFigures, stateOf, todayOf } from "./discovery.ts"
import { type HomeFigure, HomeFigureSchema, type HomeValue, weightOf } from "./figures.ts"

/** What the verbs about a publication use. */
export interface HomeAssistantContext extends Pick<Context, "database" | "clock"> {
  /** Connections that keep the statements prepared. */
  readonly pool: Pool
  readonly statistics: Statistics
}

/** Before the device of a person in the key of the job that removes it. */
const REMOVE = "remove "

/** The device of a job that removes what is retained of it. Undefined for other jobs. */
export const removedDevice = (key: string): string | undefined =>
  key.startsWith(REMOVE) ? key.slice(REMOVE.length) : undefined

/** Requests the publication of all people: a broker or Home Assistant that starts may have forgotten them. What has to be removed is tried again. */
export async function requestAllPublications({ database }: Pick<Context, "database">): Promise<void> {
  await sql`
    select restwell.request_publication(user_id) from restwell.home_assistant order by device
  `.execute(database)
  await sql`
    update restwell.job set due_at = '-infinity'
    where kind = 'home_assistant' and starts_with(key, ${REMOVE}) and claim is null and due_at > '-infinity'
  `.execute(database)
}

/** What is known of a published person. */
interface PublishedPerson {
  readonly userId: string
  readonly device: string
  readonly name: string
  readonly figures: readonly HomeFigure[]
  readonly night: string | null
  readonly nightArrivedAt: Date | null
  readonly isNightAnnounced: boolean
  readonly isFirst: boolean
}

const FiguresSchema = z.array(HomeFigureSchema)

/** The person of a device. Undefined once it was switched off. */
async function readPublished(
  { database }: Pick<Context, "database">,
  device: string,
): Promise<PublishedPerson | undefined> {
  const row = await database
    .selectFrom("home_assistant as h")
    .innerJoin("user as u", "u.id", "h.user_id")
    .select(["h.user_id", "u.name", "h.figures", "h.night_arrived_at", "h.is_night_announced", "h.published_at"])
    .select(sql<string | null>`h.night::text`.as("night"))
    .where("h.device", "=", device)
    .executeTakeFirst()
  return (
    row && {
      userId: row.user_id,
      device,
      name: row.name,
      figures: FiguresSchema.parse(row.figures),
      night: row.night,
      nightArrivedAt: row.night_arrived_at,
      isNightAnnounced: row.is_night_announced,
      isFirst: row.published_at === null,
    }
  )
}

/** Rows by which is known which figures a person has: a month. */
const ROWS = 31
/** Weights are rarer than nights. */
const WEIGHT_DAYS = 90

/** A publication, ready to send. */
export interface Publication extends PublishedPerson {
  readonly state: ReturnType<typeof stateOf>
  /** The event of the night of today that was not sent yet. */
  readonly event: ReturnType<typeof nightEventOf>
  /** When to publish again without a change of the data. */
  readonly nextAt: Date
}

/**
 * Prepares what is published of a person now, and notes when a new night came. `gone`: it was switched off. `changing`: the data changed
 * meanwhile, so that it has to be prepared again.
 */
export async function preparePublication(
  context: HomeAssistantContext,
  device: string,
): Promise<Publication | "gone" | "changing"> {
  const person = await readPublished(context, device)
  const now = context.clock.now()
  const snapshot = person && (await readHealthSnapshot(context.pool, { userId: person.userId }, PERSON_ONLY, now))
  if (!person || !snapshot) return "gone"
  const read = isConnected(snapshot) ? await readToday(context, snapshot, todayIn(snapshot, now)) : NOTHING
  if (!read) return "changing"
  const { day, weight } = read
  const known = await noteNight(context, person, day)
  const figures = presentFigures(day.rows, weight, person.figures)
  const row = todayOf(day)
  const isToday = known.night === day.today && known.nightArrivedAt !== null
  return {
    ...known,
    figures,
    state: stateOf({ day, weight, figures, arrivedAt: isToday ? known.nightArrivedAt : null }),
    event: isToday && !known.isNightAnnounced && row ? nightEventOf(row, known.nightArrivedAt ?? now) : undefined,
    nextAt: nextAt(snapshot, now),
  }
}

/** Whether there is anything to publish. */
export const isConnected = (snapshot: { readonly sources: readonly unknown[] }): snapshot is ConnectedSnapshot =>
  snapshot.sources.length > 0

interface Today {
  readonly day: Pick<DayResponse, "today" | "rows" | "signs" | "figures_date" | "sources" | "sleep">
  readonly weight: { readonly date: string; readonly value: HomeValue } | null
}

/** Of a person without a source. */
const NOTHING: Today = {
  day: { today: "", rows: [], signs: [], figures_date: null, sources: [], sleep: null },
  weight: null,
}

/** Returns undefined if the person's data changed meanwhile. */
async function readToday(
  context: HomeAssistantContext,
  snapshot: ConnectedSnapshot,
  today: string,
): Promise<Today | undefined> {
  const ask = (query: InsightQuery) =>
    context.statistics(snapshot.userId, { kind: "insight", query, limits: undefined, snapshot, today })
  const day = await ask({ type: "day", rows: ROWS })
  const weight = day && (await ask({ type: "trend", metric: "weight", days: WEIGHT_DAYS, points: true }))
  if (!day || !weight) return undefined
  return {
    day: DayResponseSchema.parse(bodyOf(day)),
    weight: newestWeight(TrendResponseSchema.parse(bodyOf(weight))),
  }
}

const decoder = new TextDecoder()

/** The body of an answer of the statistics. */
export const bodyOf = ({ bytes }: ComputedAnswer): unknown => JSON.parse(decoder.decode(bytes))

function newestWeight({ points, source }: z.infer<typeof TrendResponseSchema>): Today["weight"] {
  const [date, value] = points?.at(-1) ?? []
  return date === undefined || typeof value !== "number" ? null : { date, value: weightOf(source.provider, value) }
}

/**
 * Notes a scored night of today when it is seen for the first time: that is when it came. Of the person's first publication it came before,
 * so there is no event for it.
 */
async function noteNight(
  { database, clock }: HomeAssistantContext,
  person: PublishedPerson,
  day: Today["day"],
): Promise<PublishedPerson> {
  const night = todayOf(day)?.sleep
  if (night?.score_state !== "scored" || person.night === day.today) return person
  const noted = {
    night: day.today,
    nightArrivedAt: person.isFirst ? null : clock.now(),
    isNightAnnounced: person.isFirst,
  }
  await database
    .updateTable("home_assistant")
    .set({ night: noted.night, night_arrived_at: noted.nightArrivedAt, is_night_announced: noted.isNightAnnounced })
    .where("device", "=", person.device)
    .execute()
  return { ...person, ...noted }
}

/** Stores what was published. The event counts as sent only if it was. */
export async function markPublished(
  { database, clock }: Pick<Context, "database" | "clock">,
  { device, figures, night, event }: Publication,
): Promise<void> {
  await database
    .updateTable("home_assistant")
    .set({ published_at: clock.now(), figures: JSON.stringify(figures) })
    .where("device", "=", device)
    .execute()
  if (!event) return
  await database
    .updateTable("home_assistant")
    .set({ is_night_announced: true })
    .where("device", "=", device)
    .where(sql<boolean>`night = ${night}::date`)
    .execute()
}

/** Offsets of time zones are whole quarters of an hour. */
const QUARTER_MS = 15 * MINUTE_MS

/** The quarter of an hour in which the next date begins where the person is, or in an hour: syncs that bring nothing are no change. */
function nextAt(zone: TimeZone, now: Date): Date {
  const today = todayIn(zone, now)
  const firstMs = Math.ceil((now.getTime() + 1) / QUARTER_MS) * QUARTER_MS
  const quarters = [0, 1, 2, 3].map((count) => new Date(firstMs + count * QUARTER_MS))
  return quarters.find((at) => todayIn(zone, at) !== today) ?? new Date(now.getTime() + HOUR_MS)
}
