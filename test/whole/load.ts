import { setTimeout as wait } from "node:timers/promises"

/** One kind of request in a load, sent again and again. */
export interface Kind {
  readonly name: string
  send(): Promise<Response>
}

/** The outcome of one request. */
export interface Outcome {
  readonly name: string
  /** HTTP status, or 0 if the connection broke or was refused. */
  readonly status: number
  readonly durationMs: number
  readonly retryAfter: string | null
  /** The body of a response that is not 2xx. */
  readonly problem: string
}

export interface Load {
  readonly outcomes: readonly Outcome[]
  /** Waits for the requests in flight. */
  stop(): Promise<readonly Outcome[]>
}

/** Sends every kind again and again, with a pause after each response, until it is stopped. */
export function startLoad(kinds: readonly Kind[], pauseMs: number): Load {
  const outcomes: Outcome[] = []
  let isOver = false
  const run = async (kind: Kind): Promise<void> => {
    while (!isOver) {
      outcomes.push(await outcomeOf(kind))
      await wait(pauseMs)
    }
  }
  const running = kinds.map(run)
  return {
    outcomes,
    async stop() {
      isOver = true
      await Promise.all(running)
      return outcomes
    },
  }
}

export async function outcomeOf({ name, send }: Kind): Promise<Outcome> {
  const startedAt = performance.now()
  const since = () => performance.now() - startedAt
  try {
    const answer = await send()
    const text = await answer.text()
    const retryAfter = answer.headers.get("retry-after")
    return { name, status: answer.status, durationMs: since(), retryAfter, problem: answer.ok ? "" : text }
  } catch (error) {
    return { name, status: 0, durationMs: since(), retryAfter: null, problem: String(error) }
  }
}

export const countOf = (outcomes: readonly Outcome[], status: number, name?: string): number =>
  outcomes.filter((outcome) => outcome.status === status && (name === undefined || outcome.name === name)).length

export const slowestMs = (outcomes: readonly Outcome[]): number =>
  Math.round(Math.max(0, ...outcomes.map(({ durationMs }) => durationMs)))

/** A percentile of the durations, milliseconds. */
export function percentileMs(outcomes: readonly Outcome[], percent: number): number {
  const sorted = outcomes.map(({ durationMs }) => durationMs).toSorted((one, other) => one - other)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0)
}
