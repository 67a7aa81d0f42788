import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import type { GoogleHealthSimulator, GoogleRecords, Person, WireDaily } from "@restwell/simulator"
import { UNTIMED, type VendorUnderTest } from "./vendor-under-test.ts"

const idOf = ({ name }: { readonly name: string }): string => name.slice(name.lastIndexOf("/") + 1)

function dateOf(point: WireDaily): string {
  const { name: _name, dataSource: _source, ...figures } = point
  const [figure] = Object.values(figures)
  const { year = 0, month = 0, day = 0 } = figure?.date ?? {}
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`
}

/** A night that goes on is no record yet. */
const isOver = ({ sleep }: GoogleRecords["sleep"][number]): boolean => sleep.interval.endTime !== undefined

/** Dates with a figure that is of the date of waking. */
const mornings = ({ daily }: GoogleRecords): string[] => [
  ...new Set(
    [
      ...daily["daily-resting-heart-rate"],
      ...daily["daily-heart-rate-variability"],
      ...daily["daily-sleep-temperature-derivations"],
    ].map(dateOf),
  ),
]

const counted = ({ days }: GoogleRecords) =>
  days.filter(({ steps, distanceMillimeters, activeKcal }) => steps > 0 || distanceMillimeters > 0 || activeKcal > 0)

const newestFirst = (dates: readonly string[]): string[] => dates.toSorted((one, other) => (one < other ? 1 : -1))

/** The simulated Google Health. It sends no webhooks. */
export function googleHealthUnderTest(simulator: GoogleHealthSimulator): VendorUnderTest {
  const { edit, records, clock, people } = simulator
  const zoneOf = (person: Person) => people.get(person).traits.homeZone
  const todayOf = (person: Person) =>
    Temporal.Instant.fromEpochMilliseconds(clock.nowMs()).toZonedDateTimeISO(zoneOf(person)).toPlainDate().toString()
  return {
    provider: "google_health",
    simulator,
    paths: { data: /^\/v4\/users\//, one: /\/dataPoints\/./, token: "/token" },
    keepsRefreshToken: true,
    listName: "dataPoints",
    unknownId: "1",
    cyclesEndByClock: true,
    idsOf(person, kind) {
      const all = records(person)
      return {
        sleep: () => all.sleep.filter(isOver).map(idOf),
        recovery: () => newestFirst(mornings(all)),
        workout: () => all.exercise.map(idOf),
        cycle: () => newestFirst(counted(all).map(({ date }) => date)),
      }[kind]()
    },
    recentIds(person, kind, since) {
      const { sleep, exercise } = records(person)
      if (kind === "workout") return exercise.filter((one) => one.exercise.interval.startTime >= since).map(idOf)
      return sleep.filter((one) => isOver(one) && one.sleep.interval.startTime >= since).map(idOf)
    },
    versionsOf(person) {
      const all = records(person)
      const today = todayOf(person)
      return [
        ...all.sleep.filter(isOver).map((point) => `sleep/${idOf(point)}/${point.sleep.updateTime}`),
        ...all.exercise.map((point) => `workout/${idOf(point)}/${point.exercise.updateTime}`),
        ...mornings(all).map((date) => `recovery/${date}/${date}T12:00:00Z`),
        ...counted(all).flatMap(({ date }) => (date < today ? [`cycle/${date}/${UNTIMED}`] : [])),
      ]
    },
    samplesBefore(person, atMs) {
      const { weight, bodyFat } = records(person)
      const times = [...weight.map((point) => point.weight), ...bodyFat.map((point) => point.bodyFat)]
      return times.filter(({ sampleTime }) => Date.parse(sampleTime.physicalTime) < atMs).length
    },
    hasUnannounced: () => false,
    // A window of the past is longer than the newest days.
    isHistory(query) {
      const [first = "", last = ""] = new URLSearchParams(query).get("filter")?.match(/\d{4}-\d\d-\d\d/g) ?? []
      return Date.parse(last) - Date.parse(first) > 60 * DAY_MS
    },
    renameWorkout: (person, id, sport) =>
      edit.exercise.patch(person, id, { exercise: { exerciseType: sport.toUpperCase() } }),
    // It has no scores.
    rescoreSleep: () => {},
    rescoreRecovery: () => {},
    addWorkout(person, beside, { id, earlierByMs }) {
      const point = records(person).exercise.find((each) => idOf(each) === beside)
      if (!point) throw new Error("the person has no such workout")
      const { interval } = point.exercise
      const earlier = (time: string) => `${new Date(Date.parse(time) - earlierByMs).toISOString().slice(0, 19)}Z`
      edit.exercise.put(person, {
        ...point,
        name: point.name.replace(beside, id),
        exercise: {
          ...point.exercise,
          interval: {
            ...interval,
            startTime: earlier(interval.startTime),
            endTime: earlier(interval.endTime ?? new Date(clock.nowMs() + MINUTE_MS).toISOString()),
          },
          updateTime: clock.now().toISOString(),
        },
      })
    },
    delete(person, kind, id) {
      if (kind === "sleep") edit.sleep.delete(person, id)
      else edit.exercise.delete(person, id)
    },
    write: () => "",
    sign: () => ({}),
  }
}
