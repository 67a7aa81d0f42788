/**
 * Episodes of several days: illness, trips, gaps without the strap. Time is divided into equal blocks with at most one
 * episode each, so a day does not depend on the first simulated day.
 */
import { randomFor } from "./random.ts"

export interface EpisodeKind {
  readonly name: string
  readonly blockDays: number
  readonly perYear: number
  readonly shortestDays: number
  readonly longestDays: number
}

/** Days from `firstDay` up to and excluding `endDay`. */
export interface Episode {
  readonly firstDay: number
  readonly endDay: number
  /** Number of the block; a key for further draws. */
  readonly block: number
}

/** Returns the latest episode of a kind that has begun by a day, from that day's block or the one before. */
export function latestEpisode(seed: string, kind: EpisodeKind, day: number): Episode | undefined {
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
