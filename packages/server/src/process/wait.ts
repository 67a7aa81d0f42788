import { setTimeout as timer } from "node:timers/promises"

/** Resolves after that time on the service's clock. Rejects when the signal aborts. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>

/** Waits in real time, and keeps no process from ending. */
export const waitUnreferenced = (milliseconds: number): Promise<void> => timer(milliseconds, undefined, { ref: false })

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

/**
 * The result of a step, or a rejection with the signal's reason as soon as that aborts. The step itself goes on and nobody learns its result: for
 * processes that end then.
 */
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
