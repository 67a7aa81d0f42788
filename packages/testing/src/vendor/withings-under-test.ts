import type { WireMeasureGroup, WireWithingsActivity, WireWithingsSleep, WithingsSimulator } from "@restwell/simulator"
import type { VendorUnderTest } from "./vendor-under-test.ts"

const DAY_SECONDS = 86_400
const SPO2 = 54
/** Measures that become values of a series: weight, fat, both blood pressures, VO2max. */
const SERIES_TYPES = [1, 6, 9, 10, 123]

const isOwn = ({ attrib, category }: WireMeasureGroup): boolean => attrib !== 1 && category === 1

const has = ({ measures }: WireMeasureGroup, type: number): boolean => measures.some((one) => one.type === type)

/** The longest sleep of each date. */
function mainSleeps(sleeps: readonly WireWithingsSleep[]): WireWithingsSleep[] {
  const length = (row: WireWithingsSleep) => row.enddate - row.startdate
  const main = new Map<string, WireWithingsSleep>()
  for (const row of sleeps) {
    const other = main.get(row.date)
    if (!other || length(row) > length(other)) main.set(row.date, row)
  }
  return [...main.values()].toSorted((one, other) => other.enddate - one.enddate)
}

const dateIn = (zone: string, seconds: number): string =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(seconds * 1000))
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString()

const hasVariability = ({ data }: WireWithingsSleep): boolean =>
  typeof Reflect.get(data, "rmssd_start_avg") === "number"

/** Of each date the row of Withings itself, or else of another app. */
function days(rows: readonly WireWithingsActivity[]): WireWithingsActivity[] {
  const ofDate = new Map<string, WireWithingsActivity>()
  for (const row of rows) if (row.brand === 1 || !ofDate.has(row.date)) ofDate.set(row.date, row)
  return [...ofDate.values()].toSorted((one, other) => (one.date < other.date ? 1 : -1))
}

/** A window of the past is longer than the newest days. */
function isHistory(form: string): boolean {
  const parameters = new URLSearchParams(form)
  const [first, last] = ["startdateymd", "enddateymd"].map((name) => Date.parse(parameters.get(name) ?? ""))
  return Number(last) - Number(first) > 20 * DAY_SECONDS * 1000
}

/** The simulated Withings. It sends no notifications. */
export function withingsUnderTest(simulator: WithingsSimulator): VendorUnderTest {
  const { edit, records, clock, people } = simulator
  type Reference = Parameters<typeof records>[0]
  /** The newest SpO2 of each date. */
  const oxygenOf = (person: Reference) =>
    new Map(
      records(person)
        .measures.filter((group) => isOwn(group) && has(group, SPO2))
        .toSorted((one, other) => one.date - other.date)
        .map((group) => [dateIn(people.get(person).traits.homeZone, group.date), group]),
    )
  const recoveriesOf = (person: Reference) => {
    const oxygen = oxygenOf(person)
    return mainSleeps(records(person).sleep)
      .map((night) => ({ night, oxygen: oxygen.get(night.date) }))
      .filter((one) => hasVariability(one.night) || one.oxygen !== undefined)
  }
  const at = (seconds: number): string => new Date(seconds * 1000).toISOString()
  return {
    provider: "withings",
    simulator,
    paths: { data: /^\/(?:v2\/sleep|v2\/measure|measure)\//, one: /^$/, token: "/v2/oauth2" },
    listName: "series",
    unknownId: "1",
    cyclesEndByClock: true,
    idsOf(person, kind) {
      const { sleep, workouts, activity } = records(person)
      const ids = {
        sleep: sleep.map(({ id }) => id),
        recovery: recoveriesOf(person).map(({ night }) => night.id),
        workout: workouts.map(({ id }) => id),
        cycle: days(activity).map(({ date }) => date),
      }[kind]
      return ids.map(String)
    },
    recentIds(person, kind, since) {
      const { sleep, workouts } = records(person)
      return (kind === "sleep" ? sleep : workouts).flatMap(({ id, date }) => (date >= since ? [String(id)] : []))
    },
    versionsOf(person) {
      const { sleep, workouts, activity } = records(person)
      const isOver = ({ date, timezone }: WireWithingsActivity) => date < dateIn(timezone, clock.nowMs() / 1000)
      return [
        ...sleep.map(({ id, modified }) => `sleep/${id}/${at(modified)}`),
        ...recoveriesOf(person).map(({ night }) => `recovery/${night.id}/${at(night.modified)}`),
        ...workouts.map(({ id, modified }) => `workout/${id}/${at(modified)}`),
        ...days(activity)
          .filter(isOver)
          .map(({ date, modified }) => `cycle/${date}/${at(modified)}`),
      ]
    },
    samplesBefore: (person, atMs) =>
      records(person)
        .measures.filter((group) => isOwn(group) && group.date * 1000 < atMs)
        .reduce((count, { measures }) => count + measures.filter(({ type }) => SERIES_TYPES.includes(type)).length, 0),
    hasUnannounced: () => false,
    isHistory,
    renameWorkout: (person, id, sport) => edit.workouts.patch(person, id, { category: sport === "tennis" ? 12 : 31 }),
    rescoreSleep(person, id, score) {
      const night = records(person).sleep.find((row) => String(row.id) === id)
      if (night && Reflect.get(night.data, "sleep_score"))
        edit.sleep.patch(person, id, { data: { sleep_score: score } })
    },
    // It has no score of the recovery.
    rescoreRecovery: () => {},
    addWorkout(person, beside, { id, earlierByMs }) {
      const workout = records(person).workouts.find((row) => String(row.id) === beside)
      if (!workout) throw new Error("the person has no such workout")
      const earlier = Math.round(earlierByMs / 1000)
      const startdate = workout.startdate - earlier
      edit.workouts.put(person, {
        ...workout,
        id: Number.parseInt(id.slice(0, 8), 16),
        startdate,
        enddate: workout.enddate - earlier,
        date: dateIn(workout.timezone, startdate),
        modified: Math.floor(clock.nowMs() / 1000),
      })
    },
    delete(person, kind, id) {
      if (kind === "workout") edit.workouts.delete(person, id)
      else edit.sleep.delete(person, id)
    },
    write: () => "",
    sign: () => ({}),
  }
}
