/* Random questions of the four kinds, as a program sends them. */
import { METRIC_IDS } from "@restwell/client"
import type { Dice } from "../several/dice.ts"
import { dateOf } from "./calendar.ts"

export type Path = "trend" | "compare" | "relate" | "day"

type Parameter = "days" | "start_date" | "end_date" | "with_start_date" | "with_end_date" | "source" | "date" | "rows"
type Subject =
  | "sport"
  | "with_source"
  | "metric"
  | "outcome"
  | "factor"
  | "lag"
  | "by"
  | "points"
  | "top"
  | "above"
  | "below"

/** Parameters as text. */
export type Query = { readonly [name in Parameter | Subject]?: string }

export interface Question {
  readonly path: Path
  readonly query: Query
}

const JOURNAL = ["journal:alcohol", "journal:caffeine", "journal:reading"]

const OF_WORKOUTS = METRIC_IDS.filter((id) => /^(workout|distance|zone_|first_workout|last_workout)/.test(id))

/** A range of every kind: the last days, two dates, one date, beyond the history, and of a single day. */
function someRange(dice: Dice, today: number, history: number): Query {
  const length = dice.pick([1, 7, 14, 30, 60, 90, 180, 365, 700, 4000, 1 + dice.below(history + 30)])
  const last = today - dice.below(history + 5)
  switch (dice.below(6)) {
    case 0:
      return { start_date: dateOf(last - length + 1), end_date: dateOf(last) }
    case 1:
      return { end_date: dateOf(last), days: String(length) }
    case 2:
      return { start_date: dateOf(today - length + 1) }
    case 3:
      return { start_date: dateOf(last), end_date: dateOf(last) }
    default:
      return { days: String(length) }
  }
}

/** Two periods. Some touch, some have a gap, some are in the wrong order, and a few overlap. */
function twoPeriods(dice: Dice, today: number, history: number): Query {
  const length = () => dice.pick([1, 5, 7, 14, 28, 60, 120, 1 + dice.below(history + 10)])
  if (dice.percent(40)) return { days: String(length()) }
  const last = today - dice.below(Math.max(1, Math.floor(history / 2)))
  const first = last - length() + 1
  const otherLast = dice.percent(8) ? first + dice.below(3) : first - 1 - dice.pick([0, 0, 3, 20, 150])
  const one = [dateOf(first), dateOf(last)]
  const other = [dateOf(otherLast - length() + 1), dateOf(otherLast)]
  const [period = one, before = other] = dice.percent(15) ? [other, one] : [one, other]
  return {
    start_date: period[0] ?? "",
    end_date: period[1] ?? "",
    with_start_date: before[0] ?? "",
    with_end_date: before[1] ?? "",
  }
}

export interface Asker {
  readonly dice: Dice
  readonly today: number
  /** Dates with records. */
  readonly history: number
  readonly providers: readonly string[]
}

/** Questions about one person: every kind, with metrics at random. */
export function someQuestions(asker: Asker, perKind: number): Question[] {
  const { dice, today, history, providers } = asker
  const metric = () => (dice.percent(8) ? dice.pick(JOURNAL) : dice.pick(METRIC_IDS))
  const source = (): Query =>
    dice.percent(25) ? { source: dice.pick([...providers, "all", "withings", "fitbit"]) } : {}
  const someLimit = () => dice.pick(["0", "7.5", "52", "-1", "23:30", "00:10", "07:00"])
  const trend = (): Question => ({
    path: "trend",
    query: {
      metric: metric(),
      ...someRange(dice, today, history),
      ...source(),
      ...(dice.percent(50) && { by: dice.pick(["week", "month", "weekday", "weekend"]) }),
      ...(dice.percent(40) && { points: dice.pick(["true", "false"]) }),
      ...(dice.percent(40) && { top: String(1 + dice.below(100)) }),
      ...(dice.percent(40) && { above: someLimit() }),
      ...(dice.percent(30) && { below: someLimit() }),
    },
  })
  const ofSport = (): Question => {
    const { path, query } = trend()
    const subject = dice.percent(90) ? dice.pick(OF_WORKOUTS) : dice.pick(METRIC_IDS)
    return { path, query: { ...query, metric: subject, sport: dice.pick(["running", "cycling", "yoga", "rowing"]) } }
  }
  const periods = (): Question => ({
    path: "compare",
    query: { metric: metric(), ...twoPeriods(dice, today, history), ...source() },
  })
  const sources = (): Question => {
    const [one = "", other = dice.pick(["withings", one])] = dice.shuffled(providers)
    const range = dice.percent(90) ? someRange(dice, today, history) : twoPeriods(dice, today, history)
    return {
      path: "compare",
      query: { metric: metric(), ...range, ...(dice.percent(95) && { source: one }), with_source: other },
    }
  }
  const compare = (): Question =>
    providers.length > 1 && dice.percent(50) ? sources() : dice.percent(5) ? sources() : periods()
  const relate = (): Question => {
    const [outcome = "hrv", other = "strain"] = dice.shuffled(METRIC_IDS)
    const factor = dice.percent(30) ? dice.pick(JOURNAL) : other
    return {
      path: "relate",
      query: {
        outcome,
        ...(dice.percent(75) && { factor }),
        ...(dice.percent(70) && { lag: dice.pick(["0", "1"]) }),
        ...(dice.percent(75) && someRange(dice, today, history)),
        ...source(),
      },
    }
  }
  const day = (): Question => ({
    path: "day",
    query: {
      ...(dice.percent(80) && { date: dateOf(today - dice.below(dice.pick([3, 30, history + 5]))) }),
      ...(dice.percent(30) && { rows: String(dice.below(32)) }),
      ...source(),
    },
  })
  const statistics = Array.from({ length: perKind }, () => [
    dice.percent(20) ? ofSport() : trend(),
    compare(),
    relate(),
  ]).flat()
  return [...statistics, ...Array.from({ length: perKind }, day)]
}
