import type { SourceDifference } from "@restwell/client"
import { hrvMethodOf } from "@restwell/providers"
import { asleepMsOf } from "../insights/time-asleep.ts"
import { toTenth, toWhole } from "../rounding/round.ts"
import type { Choice } from "../sources/choose.ts"
import type { HealthFact } from "../store/health-fact.ts"

/** Measurements of one night differ less than this. @see merging.md, R12 */
const LIMITS = { asleepMinutes: 60, restingHeartRate: 5, hrvShare: 0.15 }
const MINUTE_MS = 60_000

/** The figures that sources are compared by. Null where a source has none. */
interface Figures {
  readonly source: string
  readonly isChosen: boolean
  readonly asleepMinutes: number | null
  readonly restingHeartRate: number | null
  readonly hrv: number | null
}

/** The dates and types on which two sources differ by more than measurements do, newest first. @param order of the person's sources */
export function differencesIn(choices: readonly Choice<HealthFact>[], order: readonly string[]): SourceDifference[] {
  const compared = choices.filter(({ fact }) => fact.kind === "recovery" || isNight(fact))
  return [...Map.groupBy(compared, ({ fact }) => `${fact.date} ${fact.kind}`).values()]
    .flatMap((ofDate) => {
      const type = ofDate[0]?.fact.kind
      const date = ofDate[0]?.fact.date
      if ((type !== "sleep" && type !== "recovery") || date === undefined) return []
      const figures = [...Map.groupBy(ofDate, ({ fact }) => fact.provider)].map(([source, own]) =>
        figuresOf(source, own),
      )
      if (!figures.some((one) => figures.some((other) => isFar(one, other)))) return []
      const values = figures.toSorted((one, other) => order.indexOf(one.source) - order.indexOf(other.source))
      return [{ type, date, values: values.map(present) }]
    })
    .toSorted((one, other) =>
      one.date === other.date ? (one.type < other.type ? -1 : 1) : one.date < other.date ? 1 : -1,
    )
}

const isNight = (fact: HealthFact): boolean => fact.kind === "sleep" && !fact.isNap

/** The figures of one source on one date. A night in several parts has their sum. */
function figuresOf(source: string, choices: readonly Choice<HealthFact>[]): Figures {
  const facts = choices.map(({ fact }) => fact)
  const asleep = facts.flatMap((fact) => {
    return fact.kind === "sleep" ? (asleepMsOf(fact.stages) ?? []) : []
  })
  const recovery = facts.find((fact) => fact.kind === "recovery")
  return {
    source,
    isChosen: choices.some(({ because }) => because !== null),
    asleepMinutes: asleep.length > 0 ? asleep.reduce((sum, each) => sum + each, 0) / MINUTE_MS : null,
    restingHeartRate: recovery?.restingHeartRate ?? null,
    hrv: recovery?.hrv ?? null,
  }
}

/** HRV is compared where both sources use one method, relative to the mean of the two. */
function isFar(one: Figures, other: Figures): boolean {
  const gap = (left: number | null, right: number | null): number =>
    left === null || right === null ? 0 : Math.abs(left - right)
  const meanHrv = ((one.hrv ?? 0) + (other.hrv ?? 0)) / 2
  return (
    gap(one.asleepMinutes, other.asleepMinutes) > LIMITS.asleepMinutes ||
    gap(one.restingHeartRate, other.restingHeartRate) > LIMITS.restingHeartRate ||
    (hrvMethodOf(one.source) === hrvMethodOf(other.source) && gap(one.hrv, other.hrv) > LIMITS.hrvShare * meanHrv)
  )
}

const present = ({ source, isChosen, asleepMinutes, restingHeartRate, hrv }: Figures) => ({
  source,
  chosen: isChosen,
  asleep_minutes: toWhole(asleepMinutes),
  resting_heart_rate: toWhole(restingHeartRate),
  hrv: toTenth(hrv),
  hrv_method: hrv === null ? null : hrvMethodOf(source),
})
