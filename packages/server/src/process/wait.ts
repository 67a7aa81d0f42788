import { setImmediate as nextTurn, setTimeout as timer } from "node:timers/promises"
import { MINUTE_MS } from "@restwell/client/time-units"
import type { Wait } from "@restwell/core"

export type { Wait }

/** Waits in real time, and keeps no process from ending. */
export const waitUnreferenced = (milliseconds: number): Promise<void> => timer(milliseconds, undefined, { ref: false })

/** Lets what waits for this thread go on, in the midst of a long computation. */
export const giveTurn = (): Promise<void> => nextTurn()

/** Waits in real time. */
export const waitInRealTime: Wait = (milliseconds, signal) => timer(milliseconds, undefined, { signal })

export interface RepeatOptions {
  readonly everyMs: number
  readonly wait: Wait
  /** Ends the repetition. */
  readonly signal: AbortSignal
}

/** Runs a task again and again, first after `everyMs`, and resolves when the signal aborts. The task must not throw. */
export async function repeat(task: () => Promise<unknown>, { everyMs, wait, signal }: RepeatOptions): Promise<void> {
  while (!signal.aborted) {
    try {
      await wait(everyMs, signal)
    } catch (error) {
      if (signal.aborted) return
      throw error
    }
    await task()
  }
}

/** The result of a step, or a rejection with the signal's reason as soon as that aborts. The step itself goes on, and nobody learns its result. */
export async function unlessAborted<Result>(step: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return await step
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener("abort", abort, { once: true })
  try {
    return await Promise.race([aborted, step])
  } finally {
    signal.removeEventListener("abort", abort)
  }
}

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

const SUMMED_MS = MINUTE_MS

/** Equal log lines that are counted, and written as one. */
interface SummedLines {
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
