import { DAY_MS } from "@restwell/client/time-units"
import type { IntervalsSimulator, WireActivity, WireWellness } from "@restwell/simulator"
import { UNTIMED, type VendorUnderTest } from "./vendor-under-test.ts"

const isKnown = (value: number | null): boolean => value !== null && value !== 0

/** A row that says something about the night before it. */
const hasRecovery = (row: WireWellness): boolean =>
  isKnown(row.hrv) ||
  isKnown(row.hrvSDNN) ||
  (isKnown(row.restingHR) && !row.tempRestingHR) ||
  isKnown(row.spO2) ||
  isKnown(row.sleepSecs)

const isShown = ({ source }: WireActivity): boolean => source !== "STRAVA"

/** The simulated intervals.icu. It has no sleeps, no webhooks and no tokens. */
export function intervalsUnderTest(simulator: IntervalsSimulator): VendorUnderTest {
  const { edit, records, clock, people } = simulator
  const untilToday = (person: Parameters<typeof records>[0]) => {
    const today = Temporal.Instant.fromEpochMilliseconds(clock.nowMs())
      .toZonedDateTimeISO(people.get(person).traits.homeZone)
      .toPlainDate()
      .toString()
    return records(person).wellness.filter(({ id }) => id <= today)
  }
  return {
    provider: "intervals",
    simulator,
    keyOf: ({ email }) => simulator.keyOf(email),
    paths: { data: /^\/api\/v1\//, one: /\/(?:activity|wellness)\/./, token: "" },
    listName: "",
    unknownId: "i1",
    cyclesEndByClock: true,
    idsOf(person, kind) {
      const rows = untilToday(person).toReversed()
      const ids = {
        sleep: [],
        recovery: rows.filter(hasRecovery),
        cycle: rows.filter(({ steps }) => steps !== null),
        workout: records(person).activities.filter(isShown),
      }[kind]
      return ids.map(({ id }) => id)
    },
    recentIds(person, kind, since) {
      const activities = kind === "workout" ? records(person).activities : []
      return activities.flatMap((one) => (isShown(one) && one.start_date_local >= since ? [one.id] : []))
    },
    versionsOf(person) {
      const rows = untilToday(person)
      return [
        ...rows.filter(hasRecovery).map(({ id, updated }) => `recovery/${id}/${new Date(updated).toISOString()}`),
        ...rows.flatMap(({ id, updated, steps }) =>
          steps === null ? [] : [`cycle/${id}/${new Date(updated).toISOString()}`],
        ),
        ...records(person).activities.flatMap((activity) =>
          isShown(activity) && activity.start_date !== undefined ? [`workout/${activity.id}/${UNTIMED}`] : [],
        ),
      ]
    },
    samplesBefore: (person, atMs) =>
      untilToday(person).filter(
        ({ id, weight, tempWeight }) => isKnown(weight) && !tempWeight && Date.parse(id) + DAY_MS <= atMs,
      ).length,
    hasUnannounced: () => false,
    // A window of the past is longer than the newest days.
    isHistory(query) {
      const parameters = new URLSearchParams(query)
      const [first, last] = ["oldest", "newest"].map((name) => Date.parse(parameters.get(name) ?? ""))
      return Number(last) - Number(first) > 100 * DAY_MS
    },
    renameWorkout: (person, id, sport) =>
      edit.activities.patch(person, id, { type: sport === "tennis" ? "Tennis" : "Fencing" }),
    // It has no scores.
    rescoreSleep: () => {},
    rescoreRecovery: () => {},
    addWorkout(person, beside, { id, earlierByMs }) {
      const activity = records(person).activities.find((each) => each.id === beside)
      if (activity?.start_date === undefined) throw new Error("the person has no such workout")
      const earlier = (time: string, zone: string) =>
        new Date(Date.parse(`${time}${zone}`) - earlierByMs).toISOString().slice(0, 19)
      edit.activities.put(person, {
        ...activity,
        id,
        start_date: `${earlier(activity.start_date, "")}Z`,
        start_date_local: earlier(activity.start_date_local, "Z"),
      })
    },
    delete(person, kind, id) {
      if (kind === "workout") edit.activities.delete(person, id)
    },
    write: () => "",
    sign: () => ({}),
  }
}
