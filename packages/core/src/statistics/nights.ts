/**
 * Whole nights of facts. `groupNights` decides which sleeps are one night. Every count, average and chart takes the night, and the choice
 * between sources compares nights. What only one part can tell, as a score, is that of the longest part.
 */
import { isMainNight } from "@restwell/client"
import { groupNights, type KnownStages, type NightPart, type PartsOfNight } from "@restwell/providers"
import { hoursOf } from "../base/rounding.ts"
import type { HealthFact, SleepFact } from "../store/statements/health-fact.ts"

/**
 * Light, deep and REM sleep, milliseconds. A device that finds no REM sleep counts all of it as the others, and one without stages reports the
 * whole. Null without either: time in bed is another figure.
 */
export const asleepMsOf = ({ stages, asleepMs }: Pick<SleepFact, "stages" | "asleepMs">): number | null =>
  stages ? stages.lightMs + stages.deepMs + (stages.remMs ?? 0) : asleepMs

const lengthOf = ({ durationMs, startMs }: SleepFact) => ({ hours: hoursOf(durationMs), startMs })

/** The night of a date. Undefined without any. @param nights of one date */
export const mainNightOf = <Sleep extends SleepFact>(nights: readonly Sleep[]): Sleep | undefined => {
  const [first, ...others] = nights
  return first && others.reduce((main, night) => (isMainNight(lengthOf(night), lengthOf(main)) ? night : main), first)
}

/** The night of each date. @param nights whole ones, of one source */
export const mainNights = (nights: readonly SleepFact[]): SleepFact[] =>
  [...Map.groupBy(nights, ({ date }) => date).values()].flatMap((ofDate) => mainNightOf(ofDate) ?? [])

const isNight = (fact: HealthFact): fact is SleepFact => fact.kind === "sleep" && !fact.isNap

const partOfSleep = (fact: SleepFact): NightPart => ({
  provider: fact.provider,
  device: fact.device,
  startMs: fact.startMs,
  endMs: fact.endMs,
  asleepMs: asleepMsOf(fact),
  isPending: fact.scoreState === "pending",
})

/** A night as one sleep, with the records that it is made of. */
export interface WholeNight<Sleep extends SleepFact> extends PartsOfNight<Sleep> {
  /** The record itself where there is one part. */
  readonly night: Sleep
}

/** Returns every night of the facts as one sleep. Naps and facts of other kinds are left out. */
export const nightsOf = <Fact extends HealthFact>(
  facts: readonly Fact[],
): WholeNight<Extract<Fact, { kind: "sleep" }>>[] => {
  const isOwnNight = (fact: Fact): fact is Extract<Fact, { kind: "sleep" }> => isNight(fact)
  return groupNights(facts.filter(isOwnNight), partOfSleep).map((parts) => ({
    ...parts,
    night: nightOf(parts.counted),
  }))
}

/**
 * What stands for the parts of nights: the whole night for the last part, nothing for the others. Other facts are not in it.
 * @param finish adds what the type of the facts has beside the figures of a sleep
 */
export function wholeNights<Fact extends HealthFact>(
  facts: readonly Fact[],
  finish: (whole: WholeNight<Extract<Fact, { kind: "sleep" }>>) => Fact = ({ night }) => night,
): ReadonlyMap<HealthFact, readonly Fact[]> {
  const wholes = new Map<HealthFact, readonly Fact[]>()
  for (const whole of nightsOf(facts))
    if (whole.sleeps.length > 1)
      for (const sleep of whole.sleeps) wholes.set(sleep, sleep === whole.last ? [finish(whole)] : [])
  return wholes
}

/** The facts with each night in parts as one sleep, in the place of its last part. */
export function withWholeNights<Fact extends HealthFact>(facts: readonly Fact[]): readonly Fact[] {
  const wholes = wholeNights(facts)
  return wholes.size === 0 ? facts : facts.flatMap((fact) => wholes.get(fact) ?? fact)
}

/** Puts the parts of a night together. @param parts oldest first, none at the time of another */
function nightOf<Sleep extends SleepFact>(parts: readonly [Sleep, ...Sleep[]]): Sleep {
  const last = parts.at(-1) ?? parts[0]
  if (parts.length === 1) return last
  const betweenMs = sum(parts.slice(1).map(({ startMs }, index) => startMs - (parts[index]?.endMs ?? startMs)))
  const durationMs = sum(parts.map((part) => part.durationMs)) + betweenMs
  const stages = stagesOf(parts, betweenMs)
  const longestFirst = parts.toSorted((one, other) => other.durationMs - one.durationMs)
  const [longest = last] = longestFirst
  const ofLongest = (figureOf: (part: Sleep) => number | null): number | null =>
    longestFirst.map(figureOf).find((value) => value !== null) ?? null
  return {
    ...last,
    providerId: longest.providerId,
    figures: longest.figures,
    fromArchive: parts.some(({ fromArchive }) => fromArchive),
    scoreState: stateOf(parts),
    startMs: parts[0].startMs,
    startUtcOffsetMinutes: parts[0].startUtcOffsetMinutes ?? parts[0].utcOffsetMinutes,
    durationMs,
    score: ofLongest(({ score }) => score),
    consistency: ofLongest(({ consistency }) => consistency),
    needMs: ofLongest(({ needMs }) => needMs),
    efficiency: efficiencyOf(parts, durationMs),
    respiratoryRate: meanAsleep(parts, ({ respiratoryRate }) => respiratoryRate),
    stages,
    asleepMs: stages ? null : knownSum(parts.map(asleepMsOf)),
    heartRate: heartRateOf(parts),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Null as soon as one is unknown. */
function knownSum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === values.length ? sum(known) : null
}

/** Pending as long as a part is. */
function stateOf(parts: readonly SleepFact[]): SleepFact["scoreState"] {
  const states = parts.map(({ scoreState }) => scoreState)
  return (["pending", "scored"] as const).find((state) => states.includes(state)) ?? "unscorable"
}

/** Null unless each part has stages. @param betweenMs time awake between the parts */
function stagesOf(parts: readonly SleepFact[], betweenMs: number): KnownStages | null {
  const known = parts.flatMap(({ stages }) => stages ?? [])
  if (known.length < parts.length) return null
  // A part without REM sleep is short, if the device finds REM sleep in another one.
  const rem = known.flatMap(({ remMs }) => remMs ?? [])
  return {
    lightMs: sum(known.map(({ lightMs }) => lightMs)),
    deepMs: sum(known.map(({ deepMs }) => deepMs)),
    ...(rem.length > 0 && { remMs: sum(rem) }),
    awakeMs: sum(known.map(({ awakeMs }) => awakeMs)) + betweenMs,
  }
}

/** Of the whole night, of which the time between the parts was not asleep. Null unless each part has one. */
function efficiencyOf(parts: readonly SleepFact[], durationMs: number): number | null {
  const asleep = knownSum(parts.map((part) => (part.efficiency === null ? null : part.efficiency * part.durationMs)))
  return asleep === null || durationMs === 0 ? null : asleep / durationMs
}

/** A mean of the parts that have a value, each by its time asleep. */
function meanAsleep(parts: readonly SleepFact[], figureOf: (part: SleepFact) => number | null): number | null {
  const known = parts.flatMap((part) => {
    const value = figureOf(part)
    return value === null ? [] : [{ value, weight: asleepMsOf(part) ?? part.durationMs }]
  })
  const weight = sum(known.map((one) => one.weight))
  return weight === 0 ? null : sum(known.map((one) => one.value * one.weight)) / weight
}

/** The mean by time asleep, and the lowest of all parts. */
function heartRateOf(parts: readonly SleepFact[]): SleepFact["heartRate"] {
  const mean = meanAsleep(parts, ({ heartRate }) => heartRate?.mean ?? null)
  const [lowest] = parts
    .flatMap(({ heartRate }) => (heartRate?.lowest === undefined ? [] : { ...heartRate, lowest: heartRate.lowest }))
    .toSorted((one, other) => one.lowest - other.lowest)
  if (mean === null && !lowest) return null
  return {
    ...(mean !== null && { mean }),
    ...(lowest && { lowest: lowest.lowest }),
    ...(lowest?.lowestAtMs !== undefined && { lowestAtMs: lowest.lowestAtMs }),
  }
}
