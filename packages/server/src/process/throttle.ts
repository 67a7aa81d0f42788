const INTERVAL_MS = 10_000

/**
 * Writes the first of many equal log lines at once, then at most one every ten seconds.
 * @param write called with the number of lines since the last one, this one included
 */
export function throttle<Subject extends readonly unknown[]>(
  write: (count: number, ...subject: Subject) => void,
): (...subject: Subject) => void {
  let count = 0
  let silentUntilMs = Number.NEGATIVE_INFINITY
  return (...subject) => {
    count += 1
    if (performance.now() < silentUntilMs) return
    write(count, ...subject)
    count = 0
    silentUntilMs = performance.now() + INTERVAL_MS
  }
}

const SUMMED_MS = 60_000

/** Equal log lines that are counted, and written as one. */
export interface SummedLines {
  /** Counts a line. */
  add(reason: string): void
  /** Writes the counts that are not written yet. */
  flush(): void
}

/**
 * Writes one line for all that is counted within a minute.
 * @param write called with the number of lines by reason
 */
export function sumLines(
  write: (counts: Readonly<Record<string, number>>) => void,
  wait: (milliseconds: number) => Promise<void>,
): SummedLines {
  const counts = new Map<string, number>()
  const flush = () => {
    if (counts.size > 0) write(Object.fromEntries(counts))
    counts.clear()
  }
  return {
    add(reason) {
      if (counts.size === 0) void wait(SUMMED_MS).then(flush)
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
    },
    flush,
  }
}
