import { DAY_MS } from "@restwell/client/time-units"
import type { UltrahumanSimulator, WireUltrahumanDay } from "@restwell/simulator"
import type { VendorUnderTest } from "./vendor-under-test.ts"

const hasPoint = ({ metrics }: WireUltrahumanDay, type: string): boolean => metrics.some((point) => point.type === type)

/** A night that is there has a score. */
const hasNight = ({ metrics }: WireUltrahumanDay): boolean =>
  metrics.some(({ type, object }) => type === "sleep" && object["sleep_score"] !== undefined)

/** Types of points that are about a night as a whole. */
const OF_NIGHT = /sleep|recovery|night/

const KINDS = {
  sleep: hasNight,
  recovery: (day: WireUltrahumanDay) => hasPoint(day, "recovery_index"),
  workout: () => false,
  cycle: (day: WireUltrahumanDay) => hasPoint(day, "steps"),
}

/** Values of series that have both their parts, and are no zero. */
function momentsOf({ metrics }: WireUltrahumanDay): number[] {
  return metrics.flatMap(({ type, object }) => {
    const values: unknown = object["values"]
    if (!["hr", "hrv", "temp", "spo2"].includes(type) || !Array.isArray(values)) return []
    const points: readonly { readonly timestamp?: number; readonly value?: number }[] = values
    return points.flatMap(({ timestamp, value }) => (timestamp !== undefined && value ? [timestamp * 1000] : []))
  })
}

/** The simulated Ultrahuman. It has no workouts, no webhooks, and one document for each date. */
export function ultrahumanUnderTest(simulator: UltrahumanSimulator): VendorUnderTest {
  const { edit, records, clock, people } = simulator
  const untilToday = (person: Parameters<typeof records>[0]) => {
    const today = Temporal.Instant.fromEpochMilliseconds(clock.nowMs())
      .toZonedDateTimeISO(people.get(person).traits.homeZone)
      .toPlainDate()
      .toString()
    return records(person).days.filter(({ id }) => id <= today)
  }
  const changeNight = (person: Parameters<typeof records>[0], id: string, type: string, change: object) => {
    const day = records(person).days.find((each) => each.id === id)
    if (!day) return
    const metrics = day.metrics.map((point) =>
      point.type === type ? { ...point, object: { ...point.object, ...change } } : point,
    )
    edit.days.patch(person, id, { metrics })
  }
  return {
    provider: "ultrahuman",
    simulator,
    keyOf: ({ email }) => simulator.keyOf(email),
    paths: { data: /^\/api\/v1\/partner\//, one: /^$/, token: "" },
    listName: "",
    unknownId: "2001-01-01",
    cyclesEndByClock: true,
    idsOf: (person, kind) =>
      untilToday(person)
        .toReversed()
        .filter(KINDS[kind])
        .map(({ id }) => id),
    recentIds: (person, kind, since) =>
      untilToday(person)
        .filter((day) => KINDS[kind](day) && day.id >= since)
        .map(({ id }) => id),
    versionsOf: (person) =>
      (["recovery", "cycle", "sleep"] as const).flatMap((kind) =>
        untilToday(person)
          .filter(KINDS[kind])
          .map(({ id }) => `${kind}/${id}/${id}T00:00:00.000Z`),
      ),
    samplesBefore: (person, atMs) =>
      untilToday(person)
        .flatMap(momentsOf)
        .filter((ms) => ms < atMs).length,
    hasUnannounced: () => false,
    // The newest days are the last two weeks.
    isHistory: (query) => Date.parse(new URLSearchParams(query).get("date") ?? "") < clock.nowMs() - 20 * DAY_MS,
    // It has none.
    renameWorkout: () => {},
    rescoreSleep: (person, id, score) => changeNight(person, id, "sleep", { sleep_score: { score } }),
    rescoreRecovery: (person, id, score) => changeNight(person, id, "recovery_index", { value: score }),
    addWorkout: () => {},
    // What was measured within the day stays.
    delete(person, kind, id) {
      const day = kind === "sleep" && records(person).days.find((each) => each.id === id)
      if (day) edit.days.patch(person, id, { metrics: day.metrics.filter(({ type }) => !OF_NIGHT.test(type)) })
    },
    write: () => "",
    sign: () => ({}),
  }
}
