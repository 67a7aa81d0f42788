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
