/** A body the service may answer 304 about. Kept as text: each caller gets an own copy that is theirs to change. */
export interface KeptAnswer {
  readonly etag: string
  readonly text: string
}

/** The last answers by address, in memory; the one unused for longest goes first. */
export interface AnswerCache {
  get(url: string): KeptAnswer | undefined
  set(url: string, answer: KeptAnswer): void
}

/** Returns an empty cache of at most `maxEntries` answers. */
export function createAnswerCache(maxEntries: number): AnswerCache {
  // A Map hands its keys out in the order they were set: setting again makes a key the newest.
  const answers = new Map<string, KeptAnswer>()
  const set = (url: string, answer: KeptAnswer): void => {
    answers.delete(url)
    answers.set(url, answer)
    for (const oldest of answers.keys()) {
      if (answers.size <= maxEntries) return
      answers.delete(oldest)
    }
  }
  const get = (url: string): KeptAnswer | undefined => {
    const answer = answers.get(url)
    if (answer !== undefined) set(url, answer)
    return answer
  }
  return { get, set }
}
