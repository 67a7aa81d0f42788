import type { SummaryResponse } from "@restwell/client"
import { toHours, toTenth } from "../base/rounding.ts"
import { type Choice, chooseSources, inOrder } from "../sources/choose.ts"
import { asleepMsOf } from "../statistics/metrics.ts"
import type { SourcePreferences } from "../store/record-tables.ts"
import {
  type CycleFact,
  type HealthFact,
  methodOfHrv,
  type RecoveryFact,
  type SleepFact,
} from "../store/statements/health-fact.ts"
import type { HealthSource } from "../store/statements/read-health.ts"

/** The mean of the known values. Null without any, never zero. */
export function knownMean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null
}

/**
 * The figures of a period, without naps and unscored nights. They include and mark an open cycle with a score. Each family is of one
 * source, the one that was chosen for most dates, and of those dates only.
 * @param choices all records of the period, chosen or not
 */
export function summarize(
  choices: readonly Choice<HealthFact>[],
  sources: readonly HealthSource[],
  preferences: SourcePreferences,
): Pick<SummaryResponse, "sleep" | "recovery" | "strain"> {
  const chosen = choices.filter(({ because }) => because !== null).map(({ fact }) => fact)
  const nights = chosen.filter((fact) => fact.kind === "sleep").filter(({ isNap }) => !isNap)
  const recoveries = chosen.filter((fact) => fact.kind === "recovery")
  const workouts = chosen.filter((fact) => fact.kind === "workout").filter(({ countsAsWorkout }) => countsAsWorkout)
  const cycles = withStrain(choices, preferences)
  const orderOf = (type: "sleep" | "recovery" | "cycle") => inOrder(sources, preferences.order[type])
  return {
    sleep: summarizeSleep(ofMainSource(nights, orderOf("sleep"))),
    recovery: summarizeRecovery(ofMainSource(recoveries, orderOf("recovery"))),
    strain: { ...summarizeStrain(ofMainSource(cycles, orderOf("cycle"))), workout_count: workouts.length },
  }
}

/** Strain is chosen among the cycles that have one: a source without strain is no candidate for it. */
function withStrain(choices: readonly Choice<HealthFact>[], preferences: SourcePreferences): CycleFact[] {
  const cycles = choices.map(({ fact }) => fact).filter((fact) => fact.kind === "cycle")
  return chooseSources(
    cycles.filter(({ strain }) => strain !== null),
    preferences,
  ).flatMap(({ fact, because }) => (because === null ? [] : [fact]))
}

interface Family<Fact> {
  readonly source: string | null
  readonly facts: readonly Fact[]
}

/** The facts of the source with the most dates. Of two with as many, the first of the sources. */
function ofMainSource<Fact extends HealthFact>(facts: readonly Fact[], sources: readonly HealthSource[]): Family<Fact> {
  const bySource = Map.groupBy(facts, ({ provider }) => provider)
  const found = sources.flatMap(({ provider }) => {
    const ofSource = bySource.get(provider)
    return ofSource
      ? [{ source: provider, facts: ofSource, dates: new Set(ofSource.map(({ date }) => date)).size }]
      : []
  })
  const [main] = found.toSorted((one, other) => other.dates - one.dates)
  return main ?? { source: null, facts: [] }
}

const isScored = ({ scoreState }: HealthFact): boolean => scoreState === "scored"

function summarizeSleep({ source, facts }: Family<SleepFact>): SummaryResponse["sleep"] {
  const nights = facts.filter(isScored)
  const stages = nights.map((night) => night.stages)
  return {
    average_duration_hours: toHours(knownMean(nights.map((night) => night.durationMs))),
    average_asleep_hours: toHours(knownMean(nights.map(asleepMsOf))),
    average_need_hours: toHours(knownMean(nights.map((night) => night.needMs))),
    average_light_hours: toHours(knownMean(stages.map((stage) => stage?.lightMs ?? null))),
    average_deep_hours: toHours(knownMean(stages.map((stage) => stage?.deepMs ?? null))),
    average_rem_hours: toHours(knownMean(stages.map((stage) => stage?.remMs ?? null))),
    average_awake_hours: toHours(knownMean(stages.map((stage) => stage?.awakeMs ?? null))),
    average_performance: toTenth(knownMean(nights.map((night) => night.score))),
    average_efficiency: toTenth(knownMean(nights.map((night) => night.efficiency))),
    night_count: nights.length,
    source,
  }
}

function summarizeRecovery({ source, facts }: Family<RecoveryFact>): SummaryResponse["recovery"] {
  const recoveries = facts.filter(isScored)
  const newest = recoveries
    .filter(({ hrv }) => hrv !== null)
    .reduce<RecoveryFact | undefined>((last, each) => (last && last.date >= each.date ? last : each), undefined)
  const method = newest ? methodOfHrv(newest) : null
  const ofMethod = recoveries.filter((recovery) => methodOfHrv(recovery) === method)
  return {
    average_score: toTenth(knownMean(recoveries.map((recovery) => recovery.score))),
    average_hrv: toTenth(knownMean(ofMethod.map(({ hrv }) => hrv))),
    average_rhr: toTenth(knownMean(recoveries.map((recovery) => recovery.restingHeartRate))),
    day_count: recoveries.length,
    source,
    hrv_method: method,
  }
}

function summarizeStrain({ source, facts }: Family<CycleFact>): Omit<SummaryResponse["strain"], "workout_count"> {
  const cycles = facts.filter(isScored)
  const strains = cycles.flatMap(({ strain }) => strain ?? [])
  const average = knownMean(strains)
  return {
    total: toTenth(average === null ? null : strains.reduce((sum, strain) => sum + strain, 0)),
    average_daily: toTenth(average),
    cycle_count: strains.length,
    includes_open_cycle: cycles.some(({ strain, endMs }) => strain !== null && endMs === null),
    source,
  }
}
