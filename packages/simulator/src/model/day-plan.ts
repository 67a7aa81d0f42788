/** A person's plan for a day. */
import { clamp, weekday, yearFraction } from "./calendar.ts"
import { episodeOn, type Whereabouts, whereaboutsOn } from "./episodes.ts"
import { type Random, randomFor } from "./random.ts"
import type { PlannedSession, SportName, Traits } from "./traits.ts"

interface EveningOut {
  readonly laterMinutes: number
  /** Standard drinks, 0 for a sober evening. */
  readonly drinks: number
}

interface PlannedNap {
  readonly startsAtMinute: number
  readonly durationMinutes: number
}

export interface DayPlan extends Whereabouts {
  readonly day: number
  readonly isTravelDay: boolean
  /** No alarm on the morning of this day. */
  readonly isFreeDay: boolean
  /** 0 is well, 1 is a day in bed. */
  readonly illness: number
  readonly eveningOut?: EveningOut
  readonly nap?: PlannedNap
  readonly sessions: readonly PlannedSession[]
  /** Load of the day without its sessions, in zone-weighted minutes. */
  readonly everydayLoad: number
  /** When the strap is worn: always, by day only (it charges overnight), or never. */
  readonly strap: "always" | "by_day" | "never"
  readonly signalIsPoor: boolean
}

/** Returns the plan of a day: a pure function of the seed, the traits and the day. */
export function planDay(seed: string, traits: Traits, day: number): DayPlan {
  const random = randomFor(seed, "day", day)
  const whereabouts = whereaboutsOn(seed, traits, day)
  const isTravelDay = whereabouts.morningZone !== whereabouts.eveningZone
  const illness = illnessOn(seed, traits, day)
  const eveningOut = planEveningOut(random, traits, day, illness)
  const nap = planNap(random, traits, isTravelDay)
  return {
    day,
    ...whereabouts,
    isTravelDay,
    isFreeDay: weekday(day) >= 5 || illness > 0.5,
    illness,
    ...(eveningOut && { eveningOut }),
    ...(nap && { nap }),
    sessions: isTravelDay || illness > 0.3 ? [] : planSessions(seed, traits, day),
    everydayLoad: traits.life.everydayLoad * Math.exp(random.normal(0, 0.3)) * (1 - 0.5 * illness),
    strap: strapOn(seed, random, traits, day),
    signalIsPoor: random.chance(traits.life.unscorableNights),
  }
}

function illnessOn(seed: string, traits: Traits, day: number): number {
  const kind = {
    name: "illness",
    blockDays: 60,
    perYear: traits.life.illnessesPerYear,
    shortestDays: 3,
    longestDays: 8,
  }
  const episode = episodeOn(seed, kind, day)
  if (!episode) return 0
  const position = (day - episode.firstDay + 0.7) / (episode.endDay - episode.firstDay)
  return clamp(Math.sin(Math.PI * Math.min(1, position)) + 0.15, 0, 1)
}

function planEveningOut(random: Random, traits: Traits, day: number, illness: number): EveningOut | undefined {
  const isFridayOrSaturday = weekday(day) === 4 || weekday(day) === 5
  const probability = (traits.life.eveningsOutPerWeek / 7) * (isFridayOrSaturday ? 2.3 : 0.48)
  if (illness > 0 || !random.chance(Math.min(0.9, probability))) return undefined
  return { laterMinutes: random.between(45, 170), drinks: Math.max(0, Math.round(random.normal(2.4, 1.6))) }
}

function planNap(random: Random, traits: Traits, isTravelDay: boolean): PlannedNap | undefined {
  if (isTravelDay || !random.chance(traits.sleep.napsPerWeek / 7)) return undefined
  return { startsAtMinute: random.between(790, 930), durationMinutes: random.between(18, 85) }
}

/** Three weeks of rising volume, one of rest, and a seasonal wave. Some sessions are skipped, some are added. */
function planSessions(seed: string, traits: Traits, day: number): PlannedSession[] {
  const random = randomFor(seed, "training", day)
  const { week, skipShare, seasonSwing, pastimes, pastimesPerWeek, recoveryActivitiesPerWeek } = traits.training
  const volume = weekVolume(day) * (1 + seasonSwing * Math.sin(2 * Math.PI * (yearFraction(day) - 0.22)))
  const sessions = (week[weekday(day)] ?? [])
    .filter(() => !random.chance(skipShare))
    .map((planned) => vary(random, planned, volume))
  if (random.chance(pastimesPerWeek / 7)) sessions.push(vary(random, pastime(inSeason(random.pick(pastimes), day)), 1))
  if (random.chance(recoveryActivitiesPerWeek / 7)) sessions.push(recoveryActivity(random))
  return sessions
}

function weekVolume(day: number): number {
  const weekOfBlock = Math.floor((day + 3) / 7) % 4
  return [0.92, 1.04, 1.16, 0.7][weekOfBlock] ?? 1
}

function vary(random: Random, planned: PlannedSession, volume: number): PlannedSession {
  return {
    sport: planned.sport,
    durationMinutes: clamp(planned.durationMinutes * volume * Math.exp(random.normal(0, 0.14)), 10, 420),
    intensity: clamp(planned.intensity + random.normal(0, 0.022), 0.42, 0.93),
    startsAtMinute: planned.startsAtMinute + random.normal(0, 18),
  }
}

/** Outside the first quarter and December a skier goes hiking. */
function inSeason(sport: SportName, day: number): SportName {
  const isWinter = yearFraction(day) < 0.25 || yearFraction(day) > 0.92
  return sport === "skiing" && !isWinter ? "hiking-rucking" : sport
}

function pastime(sport: SportName): PlannedSession {
  return { sport, durationMinutes: 70, intensity: 0.66, startsAtMinute: 960 }
}

function recoveryActivity(random: Random): PlannedSession {
  const sport = random.pick(["sauna", "massage-therapy", "ice-bath", "meditation"] as const)
  const minutes = { sauna: 25, "massage-therapy": 50, "ice-bath": 8, meditation: 15 }[sport]
  const intensity = { sauna: 0.52, "massage-therapy": 0.33, "ice-bath": 0.4, meditation: 0.3 }[sport]
  return { sport, durationMinutes: minutes * random.between(0.8, 1.2), intensity, startsAtMinute: 1190 }
}

function strapOn(seed: string, random: Random, traits: Traits, day: number): DayPlan["strap"] {
  const gaps = { name: "gap", blockDays: 90, perYear: traits.life.gapsPerYear, shortestDays: 1, longestDays: 14 }
  if (episodeOn(seed, gaps, day)) return "never"
  return random.chance(traits.life.chargingNights) ? "by_day" : "always"
}
