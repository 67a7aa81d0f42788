// How what waits for work is woken, and how long it waits if nobody wakes it.
import type { Wait } from "../context/context.ts"

/** How often a process looks for work by itself, milliseconds. What it does not hear it has to look for. */
export const LOOK_EVERY_MS = { listening: 30_000, deaf: 1_000 }

/** Wakes one loop that waits. If it rings while the loop works, the next wait ends at once. */
export class Bell {
  #rung = new AbortController()

  ring(): void {
    this.#rung.abort()
  }

  /** Waits that long, or until it rings. @returns true if it rang @throws the reason of `signal` when that aborts */
  async wait(milliseconds: number, wait: Wait, signal?: AbortSignal): Promise<boolean> {
    const { signal: rung } = this.#rung
    try {
      await wait(milliseconds, signal ? AbortSignal.any([rung, signal]) : rung)
    } catch (error) {
      if (!rung.aborted || signal?.aborted) throw error
    }
    if (rung.aborted) this.#rung = new AbortController()
    return rung.aborted
  }
}
