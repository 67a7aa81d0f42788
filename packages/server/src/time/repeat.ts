import type { Wait } from "./wait.ts"

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
