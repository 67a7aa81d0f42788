import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import { MINUTE_MS } from "@restwell/client/time-units"
import type { Pool } from "pg"
import { takeTurns } from "../base/batch.ts"
import type { Clock } from "../base/calendar.ts"
import { receiveError } from "../base/thread-errors.ts"
import { InvalidRequest, Unavailable } from "../context/errors.ts"
import { type LimitAtATime, limitAtATime } from "../context/limit-at-a-time.ts"
import type { PoolSettings } from "../store/pool.ts"
import {
  type ComputedAnswer,
  computeStatistics,
  END,
  type StatisticsTask,
  type ThreadMessage,
  type ThreadReply,
} from "./compute-statistics.ts"

/** Expensive reads of one person at a time: running and waiting ones. The dashboard begins three. */
const MOST_EXPENSIVE_READS = 8

/** The limit that a person's keys, sessions and assistants share for statistics, values within the day, long periods and exports. */
export const limitExpensiveReads = (clock: Clock): LimitAtATime =>
  limitAtATime({
    what: "expensive reads (statistics, values within the day, periods of the dashboard, exports)",
    most: MOST_EXPENSIVE_READS,
    retryAfterSeconds: 1,
    clock,
  })

/** Computes statistics. Returns undefined if the person's data changed since the snapshot. @throws {Unavailable} if too many wait */
export type Statistics = (userId: string, task: StatisticsTask) => Promise<ComputedAnswer | undefined>

/** Tasks of all people that wait or run. The last of them waits for some seconds. */
const MOST_TASKS = 64
const RETRY_AFTER_SECONDS = 2
/** The thread costs memory, so it ends after this time without a task. Its start delays an answer by a part of a second. */
const IDLE_MS = 5 * MINUTE_MS

interface StatisticsThreadOptions {
  /** Settings of the thread's own connection. */
  readonly connection: PoolSettings
  /** Resolves after that many milliseconds of real time. It must not keep the process from ending. */
  readonly wait: (milliseconds: number) => Promise<void>
}

/** Computes in the calling thread. For programs that serve nobody else meanwhile. */
export const computeInThread =
  (pool: Pool): Statistics =>
  (_userId, task) =>
    computeStatistics(pool, task)

/**
 * Computes in one thread beside the one that answers requests. It computes one task at a time, so that a processor is left for reads where
 * there are two. People take turns. The thread starts with the first task, and ends when there has been none for a while.
 */
export class StatisticsThread implements AsyncDisposable {
  readonly #options: StatisticsThreadOptions
  readonly #turns = takeTurns()
  #worker: Worker | undefined
  /** Tasks since the start. */
  #tasks = 0

  constructor(options: StatisticsThreadOptions) {
    this.#options = options
  }

  readonly compute: Statistics = async (userId, task) => {
    if (this.#turns.count >= MOST_TASKS)
      throw new Unavailable("too many statistics are being computed, try again", RETRY_AFTER_SECONDS)
    return this.#turns.run(userId, () => this.#run(task))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker
    if (!worker) return
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    worker.once("exit", () => resolve())
    // The process may have nothing else left that keeps it, and would end with the rest of its stop undone.
    worker.ref()
    send(worker, END)
    await ended
  }

  async #run(task: StatisticsTask): Promise<ComputedAnswer | undefined> {
    this.#tasks += 1
    const worker = this.#worker ?? this.#start()
    const { promise, resolve, reject } = Promise.withResolvers<ThreadReply>()
    const fail = (cause?: unknown) => reject(new Error("the thread of the statistics has ended", { cause }))
    worker.once("message", resolve).once("error", fail).once("exit", fail)
    try {
      send(worker, task)
      const reply = await promise
      if ("answer" in reply) return reply.answer
      if ("refused" in reply) throw new InvalidRequest(reply.refused.message, reply.refused.field)
      throw receiveError(reply)
    } finally {
      worker.off("message", resolve).off("error", fail).off("exit", fail)
    }
  }

  #start(): Worker {
    // The published package has the same file as JavaScript.
    const program = new URL(`statistics-worker${extname(import.meta.filename)}`, import.meta.url)
    const worker = new Worker(program, { workerData: this.#options.connection })
    this.#worker = worker
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined
    }
    // A failure fails the task, which `#run` reports.
    worker.on("error", forget).on("exit", forget)
    worker.unref()
    void this.#endWhenIdle(worker)
    return worker
  }

  async #endWhenIdle(worker: Worker): Promise<void> {
    for (let before = -1; before !== this.#tasks || this.#turns.count > 0; ) {
      before = this.#tasks
      await this.#options.wait(IDLE_MS)
    }
    if (this.#worker !== worker) return
    this.#worker = undefined
    send(worker, END)
  }
}

const send = (worker: Worker, message: ThreadMessage): void => worker.postMessage(message)
