import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { repeat, type Wait } from "./wait.ts"

/**
 * Makes something heavy at its first use, and again after a failure. Many installations never use some of our libraries, which have
 * megabytes each.
 */
export function onFirstUse<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let making: Promise<Made> | undefined
  return () => {
    making ??= make().catch((error: unknown) => {
      making = undefined
      throw error
    })
    return making
  }
}

/** Longer than the pauses of a busy service. */
const LOOK_MS = 20_000
/** Less of a core than this is idle. An idle service needs one or two hundredths. */
const IDLE_SHARE = 0.05
/** Growth of the process below which there is nothing to release. */
const GROWTH_BYTES = 4 * 1_048_576

/** V8 forgets code that ran only at the start after it has collected several times. */
const ROUNDS = 4

export interface IdleOptions {
  readonly wait: Wait
  readonly signal: AbortSignal
}

/**
 * Gives memory back to the system while there is nothing to do. Without it the process keeps what its busiest moment needed, like the first
 * sync of a long history: V8 collects only when memory is asked for. It takes a tenth of a second and never runs while the process works.
 */
export function releaseWhenIdle({ wait, signal }: IdleOptions): void {
  const collect = findCollector()
  let usage = process.cpuUsage()
  let keptBytes = 0
  let rounds = 0
  const look = async (): Promise<void> => {
    const { user, system } = process.cpuUsage(usage)
    usage = process.cpuUsage()
    const isIdle = (user + system) / 1000 < LOOK_MS * IDLE_SHARE
    if (process.memoryUsage.rss() > keptBytes + GROWTH_BYTES) rounds = ROUNDS
    if (!isIdle || rounds === 0) return
    rounds -= 1
    collect({ type: "major", execution: "sync", flavor: "last-resort" })
    keptBytes = process.memoryUsage.rss()
    usage = process.cpuUsage()
  }
  void repeat(look, { everyMs: LOOK_MS, wait, signal })
}

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void

/** V8's collector, which only contexts that are made after the flag have. */
function findCollector(): Collect {
  setFlagsFromString("--expose-gc")
  const collect: Collect = runInNewContext("gc")
  setFlagsFromString("--no-expose-gc")
  return collect
}
