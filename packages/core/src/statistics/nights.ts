/**
 * Whole nights of facts. `groupNights` decides which sleeps are one night. Every count, average and chart takes the night, and the choice
 * between sources compares nights. What only one part can tell, as a score, is that of the longest part.
 */
import { isMainNight } from "@restwell/client"
import { groupNights, type KnownStages, known, type PartsOfNight } from "@restwell/providers"
import { hoursOf } from "../base/rounding.ts"
import { asleepMsOf, partOfSleep, type StoredRecord, type StoredSleep } from "../store/stored-record.ts"

const lengthOf = ({ durationMs, startMs }: StoredSleep) => ({ hours: hoursOf(durationMs), startMs })

/** The night of a date. Undefined without any. @param nights of one date */
export const mainNightOf = <Sleep extends StoredSleep>(nights: readonly Sleep[]): Sleep | undefined => {
  const [first, ...others] = nights
  return first && others.reduce((main, night) => (isMainNight(lengthOf(night), lengthOf(main)) ? night : main), first)
}

/** The night of each date. @param nights whole ones, of one source */
export const mainNights = (nights: readonly StoredSleep[]): StoredSleep[] =>
  [...Map.groupBy(nights, ({ date }) => date).values()].flatMap((ofDate) => mainNightOf(ofDate) ?? [])

const isNight = (fact: StoredRecord): fact is StoredSleep => fact.kind === "sleep" && !fact.isNap

/** A night as one sleep, with the records that it is made of. */
export interface WholeNight<Sleep extends StoredSleep> extends PartsOfNight<Sleep> {
  /** The record itself where there is one part. */
  readonly night: Sleep
}

/** Returns every night of the facts as one sleep. Naps and facts of other kinds are left out. */
export const nightsOf = <Fact extends StoredRecord>(
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
export function wholeNights<Fact extends StoredRecord>(
  facts: readonly Fact[],
  finish: (whole: WholeNight<Extract<Fact, { kind: "sleep" }>>) => Fact = ({ night }) => night,
): ReadonlyMap<StoredRecord, readonly Fact[]> {
  const wholes = new Map<StoredRecord, readonly Fact[]>()
  for (const whole of nightsOf(facts))
    if (whole.sleeps.length > 1)
      for (const sleep of whole.sleeps) wholes.set(sleep, sleep === whole.last ? [finish(whole)] : [])
  return wholes
}

/** The facts with each night in parts as one sleep, in the place of its last part. */
export function withWholeNights<Fact extends StoredRecord>(facts: readonly Fact[]): readonly Fact[] {
  const wholes = wholeNights(facts)
  return wholes.size === 0 ? facts : facts.flatMap((fact) => wholes.get(fact) ?? fact)
}

/** Puts the parts of a night together. @param parts oldest first, none at the time of another */
function nightOf<Sleep extends StoredSleep>(parts: readonly [Sleep, ...Sleep[]]): Sleep {
  const last = parts.at(-1) ?? parts[0]
  if (parts.length === 1) return last
  const betweenMs = sum(parts.slice(1).map(({ startMs }, index) => startMs - (parts[index]?.endMs ?? startMs)))
  const durationMs = sum(parts.map((part) => part.durationMs)) + betweenMs
  const stages = stagesOf(parts, betweenMs)
  const longestFirst = parts.toSorted((one, other) => other.durationMs - one.durationMs)
  const [longest = last] = longestFirst
  const ofLongest = <Value>(read: (part: Sleep) => Value | undefined): Value | undefined =>
    longestFirst.map(read).find((value) => value !== undefined)
  const whole = {
    ...last,
    providerId: longest.providerId,
    fromArchive: parts.some(({ fromArchive }) => fromArchive),
    scoreState: stateOf(parts),
    startMs: parts[0].startMs,
    startUtcOffsetMinutes: parts[0].startUtcOffsetMinutes ?? parts[0].utcOffsetMinutes,
    durationMs,
  }
  // What only the last part has is no figure of the night.
  for (const name of FIGURES) Reflect.deleteProperty(whole, name)
  return Object.assign(
    whole,
    known({
      scorePercent: ofLongest((part) => part.scorePercent),
      consistencyPercent: ofLongest((part) => part.consistencyPercent),
      needMs: ofLongest((part) => part.needMs),
      needParts: ofLongest((part) => part.needParts),
      contributors: ofLongest((part) => part.contributors),
      efficiencyPercent: efficiencyOf(parts, durationMs),
      respiratoryRatePerMinute: meanAsleep(parts, "respiratoryRatePerMinute"),
      timesAwake: timesAwakeOf(parts),
      latencyMs: parts[0].latencyMs,
      stages,
      asleepMs: stages ? undefined : knownSum(parts.map(asleepMsOf)),
      averageHeartRateBpm: meanAsleep(parts, "averageHeartRateBpm"),
      ...lowestHeartRateOf(parts),
    }),
  )
}

/** Of a whole night, made of those of its parts. */
const FIGURES = [
  ...["scorePercent", "consistencyPercent", "needMs", "needParts", "contributors"],
  ...["efficiencyPercent", "respiratoryRatePerMinute"],
  ...["stages", "asleepMs", "timesAwake", "latencyMs"],
  ...["averageHeartRateBpm", "lowestHeartRateBpm", "lowestHeartRateAtMs"],
]

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Null as soon as one is unknown. */
function knownSum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === values.length ? sum(known) : null
}

/** Pending as long as a part is. */
function stateOf(parts: readonly StoredSleep[]): StoredSleep["scoreState"] {
  const states = parts.map(({ scoreState }) => scoreState)
  return (["pending", "scored"] as const).find((state) => states.includes(state)) ?? "unscorable"
}

/** Undefined unless each part has stages. @param betweenMs time awake between the parts */
function stagesOf(parts: readonly StoredSleep[], betweenMs: number): KnownStages | undefined {
  const known = parts.flatMap(({ stages }) => stages ?? [])
  if (known.length < parts.length) return undefined
  // A part without REM sleep is short, if the device finds REM sleep in another one.
  const rem = known.flatMap(({ remMs }) => remMs ?? [])
  return {
    lightMs: sum(known.map(({ lightMs }) => lightMs)),
    deepMs: sum(known.map(({ deepMs }) => deepMs)),
    ...(rem.length > 0 && { remMs: sum(rem) }),
    awakeMs: sum(known.map(({ awakeMs }) => awakeMs)) + betweenMs,
  }
}

/** Each time between parts is one more time awake. Undefined unless each part has a count. */
function timesAwakeOf(parts: readonly StoredSleep[]): number | undefined {
  const counted = knownSum(parts.map(({ timesAwake = null }) => timesAwake))
  return counted === null ? undefined : counted + parts.length - 1
}

/** Of the whole night, of which the time between the parts was not asleep. Undefined unless each part has one. */
function efficiencyOf(parts: readonly StoredSleep[], durationMs: number): number | undefined {
  const asleep = knownSum(
    parts.map((part) => (part.efficiencyPercent === undefined ? null : part.efficiencyPercent * part.durationMs)),
  )
  return asleep === null || durationMs === 0 ? undefined : asleep / durationMs
}

/** A mean of the parts that have a value, each by its time asleep. */
function meanAsleep(
  parts: readonly StoredSleep[],
  name: "respiratoryRatePerMinute" | "averageHeartRateBpm",
): number | undefined {
  const known = parts.flatMap((part) => {
    const value = part[name]
    return value === undefined ? [] : [{ value, weight: asleepMsOf(part) ?? part.durationMs }]
  })
  const weight = sum(known.map((one) => one.weight))
  return weight === 0 ? undefined : sum(known.map((one) => one.value * one.weight)) / weight
}

/** The lowest of all parts. */
function lowestHeartRateOf(
  parts: readonly StoredSleep[],
): Pick<StoredSleep, "lowestHeartRateBpm" | "lowestHeartRateAtMs"> {
  const [lowest] = parts
    .flatMap(({ lowestHeartRateBpm, lowestHeartRateAtMs }) =>
      lowestHeartRateBpm === undefined ? [] : { lowestHeartRateBpm, ...known({ lowestHeartRateAtMs }) },
    )
    .toSorted((one, other) => one.lowestHeartRateBpm - other.lowestHeartRateBpm)
  return lowest ?? {}
}
