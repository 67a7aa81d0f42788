import { LRUCache } from "lru-cache"
import type { HealthResponse } from "./response.ts"

export interface ResponseCache {
  /** The response to send, if counting confirms its version. Undefined if it has certainly expired. */
  get(key: string, now: Date): HealthResponse | undefined
  set(key: string, response: HealthResponse): void
}

/** Memory of an entry beside its bytes. */
const OVERHEAD_BYTES = 1_024

/** Responses by person and canonical query. The ones unused for longest make room. @param maxBytes 0 caches nothing */
export function createResponseCache(maxBytes: number): ResponseCache {
  if (maxBytes === 0) return { get: () => undefined, set: () => {} }
  const cache = new LRUCache<string, HealthResponse>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes.length + OVERHEAD_BYTES,
  })
  return {
    get(key, now) {
      const cached = cache.get(key)
      return cached && now.getTime() >= cached.validFromMs && now.getTime() < cached.validUntilMs ? cached : undefined
    },
    set: (key, response) => void cache.set(key, response),
  }
}
