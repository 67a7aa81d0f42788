import { DAY_MS } from "@restwell/client/time-units"
import { type PolarRecords, type PolarSimulator, signPolarWebhook } from "@restwell/simulator"
import { UNTIMED, VENDOR_APP, type VendorUnderTest } from "./vendor-under-test.ts"

/** Polar serves nights for 28 days, and the days of a year. */
const NIGHT_DAYS = 28
const DAY_DAYS = 365

const EVENTS = { sleep: "SLEEP", recovery: "SLEEP", workout: "EXERCISE", cycle: "ACTIVITY_SUMMARY" } as const

const utcDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The simulated Polar. What it once served to a person stays stored. It refreshes no tokens. */
export function polarUnderTest(simulator: PolarSimulator): VendorUnderTest {
  const { edit, records, clock, firstServedMs } = simulator
  const served = (person: Parameters<typeof records>[0]): PolarRecords => {
    const all = records(person)
    const sinceMs = firstServedMs(person) ?? clock.nowMs()
    const oldestNight = utcDate(sinceMs - (NIGHT_DAYS - 1) * DAY_MS)
    const oldestDay = utcDate(sinceMs - (DAY_DAYS - 1) * DAY_MS)
    return {
      nights: all.nights.filter(({ date }) => date >= oldestNight),
      recharges: all.recharges.filter(({ date }) => date >= oldestNight),
      temperatures: all.temperatures.filter(({ sleep_date }) => sleep_date >= oldestNight),
      days: all.days.filter(({ start_time }) => start_time >= oldestDay),
      exercises: all.exercises.filter(({ upload_time }) => Date.parse(upload_time) >= sinceMs - 30 * DAY_MS),
    }
  }
  const idsOf: VendorUnderTest["idsOf"] = (person, kind) => {
    const { nights, recharges, temperatures, days, exercises } = served(person)
    const ids = {
      sleep: nights.map(({ date }) => date),
      recovery: [
        ...new Set([...recharges.map(({ date }) => date), ...temperatures.map(({ sleep_date }) => sleep_date)]),
      ].toSorted(),
      cycle: days.map(({ start_time }) => start_time.slice(0, 10)),
      workout: exercises.map(({ id }) => id),
    }[kind]
    return ids.toReversed()
  }
  return {
    provider: "polar",
    simulator,
    paths: { data: /^\/v3\/(?:users\/.|exercises)/, one: /^\/v3\/exercises\/./, token: "/v2/oauth2/token" },
    listName: "nights",
    unknownId: "2001-01-01",
    cyclesEndByClock: true,
    idsOf,
    recentIds(person, kind, since) {
      const { nights, exercises } = served(person)
      if (kind === "sleep") return nights.flatMap(({ date }) => (date >= since ? [date] : []))
      return exercises.flatMap(({ id, start_time }) => (start_time >= since ? [id] : []))
    },
    versionsOf(person) {
      const ofDates = (["sleep", "recovery", "cycle"] as const).flatMap((kind) =>
        idsOf(person, kind).map((date) => `${kind}/${date}/${date}T12:00:00.000Z`),
      )
      const workouts = served(person).exercises.map(({ id }) => `workout/${id}/${UNTIMED}`)
      return [...ofDates, ...workouts]
    },
    samplesBefore: () => 0,
    hasUnannounced: () => false,
    // A window of the past is longer than the newest days.
    isHistory(query) {
      const parameters = new URLSearchParams(query)
      const [first, last] = ["from", "to"].map((name) => Date.parse(parameters.get(name) ?? ""))
      return Number(last) - Number(first) > 20 * DAY_MS
    },
    renameWorkout: (person, id, sport) =>
      edit.exercises.patch(person, id, { detailed_sport_info: sport.toUpperCase() }),
    rescoreSleep: (person, id, score) => edit.nights.patch(person, id, { sleep_score: score }),
    // It has no score of recoveries.
    rescoreRecovery: () => {},
    addWorkout(person, beside, { id, earlierByMs }) {
      const exercise = records(person).exercises.find((each) => each.id === beside)
      if (!exercise) throw new Error("the person has no such workout")
      const startMs = Date.parse(`${exercise.start_time}Z`) - earlierByMs
      edit.exercises.put(person, {
        ...exercise,
        id,
        upload_time: clock.now().toISOString(),
        start_time: new Date(startMs).toISOString().slice(0, 19),
      })
    },
    delete: (person, kind, id) => (kind === "sleep" ? edit.nights : edit.exercises).delete(person, id),
    write: ({ person, kind, id, eventId }) =>
      JSON.stringify({
        event: EVENTS[kind],
        user_id: person.userId,
        ...(kind === "workout" ? { entity_id: id } : { date: id }),
        timestamp: eventId ?? crypto.randomUUID(),
      }),
    // The app's own secret stands for that of its webhook.
    sign(body, _atMs, secret) {
      const own = secret === VENDOR_APP.clientSecret ? simulator.webhook()?.signature_secret_key : secret
      return { "polar-webhook-signature": signPolarWebhook(own ?? "", body) }
    },
  }
}
