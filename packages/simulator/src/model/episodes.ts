/**
 * Episodes of several days: illness, trips with their time zone and jet lag, gaps without the strap. Time is divided into
 * equal blocks with at most one episode each, so a day does not depend on the first simulated day.
 */

import { clamp, localInstantMs, offsetMinutes } from "./calendar.ts"
import { randomFor } from "./random.ts"
import type { Traits } from "./traits.ts"

interface EpisodeKind {
  readonly name: string
  readonly blockDays: number
  readonly perYear: number
  readonly shortestDays: number
  readonly longestDays: number
}

/** Days from `firstDay` up to and excluding `endDay`. */
interface Episode {
  readonly firstDay: number
  readonly endDay: number
  /** Number of the block; a key for further draws. */
  readonly block: number
}

/** Returns the latest episode of a kind that has begun by a day, from that day's block or the one before. */
function latestEpisode(seed: string, kind: EpisodeKind, day: number): Episode | undefined {
  const block = Math.floor(day / kind.blockDays)
  const current = episodeOfBlock(seed, kind, block)
  if (current && current.firstDay <= day) return current
  return episodeOfBlock(seed, kind, block - 1)
}

/** Returns the episode that covers a day. */
export function episodeOn(seed: string, kind: EpisodeKind, day: number): Episode | undefined {
  const latest = latestEpisode(seed, kind, day)
  return latest && day < latest.endDay ? latest : undefined
}

function episodeOfBlock(seed: string, kind: EpisodeKind, block: number): Episode | undefined {
  const random = randomFor(seed, kind.name, block)
  if (!random.chance((kind.perYear * kind.blockDays) / 365)) return undefined
  const days = random.integer(kind.shortestDays, kind.longestDays)
  // One free day at both ends of a block separates neighbouring episodes.
  const firstDay = block * kind.blockDays + random.integer(1, kind.blockDays - days - 1)
  return { firstDay, endDay: firstDay + days, block }
}

export interface Whereabouts {
  /** IANA zone in which the person wakes on this day. */
  readonly morningZone: string
  /** IANA zone in which the person goes to bed on this day. */
  readonly eveningZone: string
  /** Hours by which the body clock is behind the local clock; negative when ahead. */
  readonly jetLagHours: number
}

/** A body clock adapts by about an hour a day (Eastman and Burgess, 2009, Sleep Med Clin 4:241). */
const ADAPTATION_HOURS_PER_DAY = 1

/** Returns where a person is on a day. From the first evening to the last morning of a trip that is the destination. */
export function whereaboutsOn(seed: string, traits: Traits, day: number): Whereabouts {
  const trips = { name: "trip", blockDays: 45, perYear: traits.life.tripsPerYear, shortestDays: 4, longestDays: 12 }
  return {
    morningZone: eveningZone(seed, traits, trips, day - 1),
    eveningZone: eveningZone(seed, traits, trips, day),
    jetLagHours: jetLagHours(seed, traits, trips, day),
  }
}

function eveningZone(seed: string, traits: Traits, trips: EpisodeKind, day: number): string {
  const trip = latestEpisode(seed, trips, day)
  return trip && day < trip.endDay ? destination(seed, traits, trip.block) : traits.homeZone
}

function destination(seed: string, traits: Traits, block: number): string {
  return randomFor(seed, "destination", block).pick(traits.life.destinations)
}

function jetLagHours(seed: string, traits: Traits, trips: EpisodeKind, day: number): number {
  const trip = latestEpisode(seed, trips, day)
  if (!trip) return 0
  const eastwardHours = hoursEastOfHome(traits.homeZone, destination(seed, traits, trip.block), trip.firstDay)
  const away = day < trip.endDay
  const adaptedHours = Math.min(Math.abs(eastwardHours), (trip.endDay - trip.firstDay) * ADAPTATION_HOURS_PER_DAY)
  const full = away ? Math.abs(eastwardHours) : adaptedHours
  const nights = day - (away ? trip.firstDay : trip.endDay)
  const left = Math.max(0, full - nights * ADAPTATION_HOURS_PER_DAY)
  return Math.sign(eastwardHours) * (away ? left : -left)
}

/** The shorter way around the clock, -12 to 12. */
function hoursEastOfHome(home: string, away: string, day: number): number {
  const noonMs = localInstantMs("UTC", day, 720)
  const difference = (offsetMinutes(away, noonMs) - offsetMinutes(home, noonMs)) / 60
  return clamp(difference > 12 ? difference - 24 : difference < -12 ? difference + 24 : difference, -12, 12)
}
