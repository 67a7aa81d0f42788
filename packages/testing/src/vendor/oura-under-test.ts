import { DAY_MS } from "@restwell/client/time-units"
import { type OuraRecords, type OuraSimulator, signOuraWebhook, type WireOuraSleep } from "@restwell/simulator"
import type { VendorUnderTest } from "./vendor-under-test.ts"

const COLLECTIONS = {
  sleep: "sleep",
  recovery: "daily_readiness",
  workout: "workout",
  cycle: "daily_activity",
} as const

/** The simulated Oura. */
export function ouraUnderTest(simulator: OuraSimulator): VendorUnderTest {
  const { edit, records, heartRates, clock } = simulator
  return {
    provider: "oura",
    simulator,
    paths: { data: /^\/v2\/usercollection\//, one: /\/v2\/usercollection\/\w+\/./, token: "/oauth/v2/ext/oauth-token" },
    listName: "data",
    unknownId: "00000000-0000-4000-8000-000000000000",
    cyclesEndByClock: true,
    idsOf(person, kind) {
      const all = records(person)
      const documents = {
        sleep: sleepsOf(all),
        recovery: [...all.daily_readiness, ...unready(all)],
        workout: all.workout,
        cycle: all.daily_activity,
      }[kind]
      return documents.map(({ id }) => id).toReversed()
    },
    versionsOf: (person) => versionsOf(records(person), clock.nowMs()),
    samplesBefore: (person, atMs) => heartRates(person, { fromMs: 0, toMs: atMs - 1 }).length,
    // Every document has its own event.
    hasUnannounced: () => false,
    // A window of the past is longer than the newest days.
    isHistory(query) {
      const parameters = new URLSearchParams(query)
      const [first, last] = ["start_date", "end_date"].map((name) => Date.parse(parameters.get(name) ?? ""))
      return Number(last) - Number(first) > 30 * DAY_MS
    },
    renameWorkout: (person, id, sport) => edit.workout.patch(person, id, { activity: sport }),
    rescoreSleep(person, id, score) {
      const all = records(person)
      const night = all.sleep.find((sleep) => sleep.id === id)
      const daily = all.daily_sleep.find(({ day }) => day === night?.day)
      if (daily) edit.daily_sleep.patch(person, daily.id, { score })
    },
    rescoreRecovery(person, id, score) {
      if (records(person).daily_readiness.some((readiness) => readiness.id === id))
        edit.daily_readiness.patch(person, id, { score })
    },
    addWorkout(person, beside, { id, earlierByMs }) {
      const workout = records(person).workout.find((each) => each.id === beside)
      if (!workout) throw new Error("the person has no such workout")
      const earlier = (local: string) => shifted(local, -earlierByMs)
      const start = earlier(workout.start_datetime)
      const meta = { ...workout.meta, updated_at: clock.now().toISOString() }
      edit.workout.put(person, {
        ...workout,
        id,
        meta,
        day: start.slice(0, 10),
        start_datetime: start,
        end_datetime: earlier(workout.end_datetime),
      })
    },
    delete: (person, kind, id) => edit[kind].delete(person, id),
    write: ({ person, kind, id, verb, eventId }) =>
      JSON.stringify({
        event_type: verb === "deleted" ? "delete" : "update",
        data_type: COLLECTIONS[kind],
        object_id: id,
        event_time: eventId ?? crypto.randomUUID(),
        user_id: records(person).personal_info.id,
      }),
    sign(body, atMs, secret) {
      const timestamp = String(Math.floor(atMs / 1000))
      return { "x-oura-signature": signOuraWebhook(secret, timestamp, body), "x-oura-timestamp": timestamp }
    },
  }
}

/** Without records that their owner deleted or rejected. */
const sleepsOf = ({ sleep }: OuraRecords): WireOuraSleep[] =>
  sleep.filter(({ type }) => type !== "deleted" && type !== "rest")

/** The longest night of each day. */
function nightsByDay(records: OuraRecords): ReadonlyMap<string, WireOuraSleep> {
  const nights = new Map<string, WireOuraSleep>()
  for (const sleep of sleepsOf(records).toSorted((one, other) => (one.id < other.id ? 1 : -1))) {
    if (sleep.type !== "long_sleep") continue
    const length = (night: WireOuraSleep | undefined) => night?.total_sleep_duration ?? -1
    if (length(sleep) >= length(nights.get(sleep.day))) nights.set(sleep.day, sleep)
  }
  return nights
}

/** Nights with heart rates and without a readiness: their recovery has their id. */
function unready(records: OuraRecords): WireOuraSleep[] {
  const ready = new Set(records.daily_readiness.map(({ day }) => day))
  return [...nightsByDay(records)].flatMap(([day, night]) =>
    !ready.has(day) && (night.average_hrv || night.lowest_heart_rate) ? [night] : [],
  )
}

/** A record is as new as its main document. */
function versionsOf(records: OuraRecords, nowMs: number): string[] {
  const version = (key: string, { meta }: { readonly meta: { readonly updated_at: string } }) =>
    `${key}/${new Date(meta.updated_at).toISOString()}`
  const sleeps = sleepsOf(records).map((sleep) => version(`sleep/${sleep.id}`, sleep))
  const recoveries = [
    ...records.daily_readiness.map((readiness) => version(`recovery/${readiness.id}`, readiness)),
    ...unready(records).map((night) => version(`recovery/${night.id}`, night)),
  ]
  const starts = new Map(records.daily_activity.map(({ day, timestamp }) => [day, Date.parse(timestamp)]))
  const isOver = (day: string, startMs: number) => (starts.get(dayAfter(day)) ?? startMs + DAY_MS) <= nowMs
  const cycles = records.daily_activity
    .filter(({ day, timestamp }) => isOver(day, Date.parse(timestamp)))
    .map((activity) => version(`cycle/${activity.id}`, activity))
  return [...sleeps, ...recoveries, ...cycles, ...records.workout.map((each) => version(`workout/${each.id}`, each))]
}

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)

/** A local time with its offset, moved by a duration. */
function shifted(local: string, byMs: number): string {
  const offset = /(?:Z|[+-]\d\d:\d\d)$/.exec(local)?.[0] ?? "Z"
  const wall = Date.parse(`${local.slice(0, -offset.length)}Z`)
  return `${new Date(wall + byMs).toISOString().slice(0, -1)}${offset}`
}
