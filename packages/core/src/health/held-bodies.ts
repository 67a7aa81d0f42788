import { LRUCache } from "lru-cache"
import type { HeldReads } from "../store/count-held.ts"

/** An answer as the bytes that are sent, and all that it was made under. Who else made it finds the same bytes under the same entity tag. */
export interface HeldBody {
  readonly bytes: Buffer
  readonly etag: string
  readonly recordCount: number
  readonly userId: string
  readonly provider: string
  readonly dataVersion: string
  readonly utcOffsetMinutes: number | null
  /** The date it was at the person's place. */
  readonly today: string
  readonly fromDate: string
  readonly toDate: string
}

/** Beside its bytes: the entry's own objects. */
const OVERHEAD_BYTES = 1_024
const DAY_MS = 86_400_000

export interface HeldBodies {
  get(name: string): HeldBody | undefined
  set(name: string, body: HeldBody): void
}

/** Bodies by who asks and for what; those that nobody asked for longest make room. @param maxBytes 0 holds none */
export function createHeldBodies(maxBytes: number): HeldBodies {
  if (maxBytes === 0) return { get: () => undefined, set: () => {} }
  const cache = new LRUCache<string, HeldBody>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes.length + OVERHEAD_BYTES,
  })
  return { get: (name) => cache.get(name), set: (name, body) => void cache.set(name, body) }
}

/** What has to stand for a body to be the answer still; undefined when it cannot be by what is known here: another day, or none at all. */
export function standingOf(
  { userId, provider, dataVersion, utcOffsetMinutes, today }: HeldBody,
  keyHash: string,
  now: Date,
): Omit<HeldReads, "times"> | undefined {
  if (utcOffsetMinutes === null) return undefined
  const daysNow = Math.floor((now.getTime() + utcOffsetMinutes * 60_000) / DAY_MS)
  if (daysNow * DAY_MS !== Date.parse(today)) return undefined
  return {
    user_id: userId,
    key_hash: keyHash,
    provider,
    data_version: dataVersion,
    utc_offset_minutes: utcOffsetMinutes,
  }
}
