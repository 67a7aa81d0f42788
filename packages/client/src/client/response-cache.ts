/** A response body with its ETag. Kept as text, so that each caller parses a copy of its own. */
export interface CachedResponse {
  readonly etag: string
  readonly text: string
}

/** The last responses by URL, in memory. The least recently used one is dropped first. */
export interface ResponseCache {
  get(url: string): CachedResponse | undefined
  set(url: string, response: CachedResponse): void
}

/** Returns an empty cache of at most `maxEntries` responses. */
export function createResponseCache(maxEntries: number): ResponseCache {
  // A Map iterates in insertion order: deleting and setting a key makes it the newest.
  const responses = new Map<string, CachedResponse>()
  const set = (url: string, response: CachedResponse): void => {
    responses.delete(url)
    responses.set(url, response)
    for (const oldest of responses.keys()) {
      if (responses.size <= maxEntries) return
      responses.delete(oldest)
    }
  }
  const get = (url: string): CachedResponse | undefined => {
    const response = responses.get(url)
    if (response !== undefined) set(url, response)
    return response
  }
  return { get, set }
}
