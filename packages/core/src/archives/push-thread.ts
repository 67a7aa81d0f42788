import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import { MINUTE_MS } from "@restwell/client/time-units"
import { receiveError, type SentError } from "../base/thread-errors.ts"
import type { Context } from "../context/context.ts"
import type { ThreadLog } from "../context/thread-log.ts"
import { databaseTrouble } from "../store/database-trouble.ts"
import type { PoolSettings } from "../store/pool.ts"
import { type ClaimedPush, claimLeftPushes, noteLife, releasePush } from "./receive-push.ts"
import { failPush, type PushOutcome } from "./run-push.ts"

/** What is sent to the thread. */
export type PushRequest =
  | { readonly type: "store"; readonly push: ClaimedPush; readonly nowMs: number }
  | { readonly type: "stop" }

/** What the thread sends: a line for the log, which push it has as a whole in memory, and how a push ended. */
export type PushReply =
  | ThreadLog
  | { readonly type: "large"; readonly id: string }
  | { readonly type: "ended"; readonly id: string; readonly outcome: PushOutcome }
  | ({ readonly type: "failed"; readonly id: string } & SentError)

/** A small heap is collected often. The most is several times what a push of 50 MB needs. */
const YOUNG_HEAP_MB = 24
const OLD_HEAP_MB = 256
/** The thread costs memory, so it ends after this time without a push. Its start delays an answer by a part of a second. */
const IDLE_MS = 5 * MINUTE_MS
/** Another process takes a push over that was silent for a few times as long. */
const LOOK_EVERY_MS = 5_000
/** A piece takes a second or two. A database that does not answer takes longer. */
const LONGEST_STOP_MS = 3_000

/** Threads and processes that may end while they store one push. It may be the cause, and must not end them for ever. */
const MOST_DEATHS = 2
const KILLS = "the service ended several times while it stored this push: cut it into smaller ones, or ask the operator"
const TOO_MUCH_MEMORY = "the push needs more memory than one push gets here, cut it into smaller ones"

interface PushThreadOptions {
  readonly context: Pick<Context, "database" | "clock" | "logger">
  /** Settings of the thread's own connections. */
  readonly connection: PoolSettings
  /** Resolves after that many milliseconds of real time. It must not keep the process from ending. */
  readonly wait: (milliseconds: number) => Promise<void>
}

interface RunningPush {
  readonly push: ClaimedPush
  readonly outcome: PromiseWithResolvers<PushOutcome>
  /** How many threads ended while they stored it. */
  deaths: number
}

/**
 * Stores pushes in a thread beside the one that answers requests. The thread starts with the first push, and ends when there has been none
 * for a while. What another process left is stored too.
 */
export class PushThread implements AsyncDisposable {
  readonly #options: PushThreadOptions
  readonly #running = new Map<string, RunningPush>()
  #worker: Worker | undefined
  #large: string | undefined
  #isEnding = false
  #lastMs = 0

  constructor(options: PushThreadOptions) {
    this.#options = options
    void this.#look()
  }

  /** Stores a received push. */
  store(push: ClaimedPush): Promise<PushOutcome> {
    const outcome = Promise.withResolvers<PushOutcome>()
    this.#running.set(push.id, { push, outcome, deaths: 0 })
    this.#send(push)
    return outcome.promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true
    const worker = this.#worker
    if (!worker) return
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    worker.once("exit", () => resolve())
    // The process may have nothing else left that keeps it, and would end with the rest of its stop undone.
    worker.ref()
    send(worker, { type: "stop" })
    await Promise.race([ended, this.#options.wait(LONGEST_STOP_MS)])
    await worker.terminate()
    for (const { push } of this.#running.values())
      await releasePush(this.#options.context, push).catch((error: unknown) => {
        if (databaseTrouble(error) === undefined) throw error
      })
  }

  #send(push: ClaimedPush): void {
    const { clock } = this.#options.context
    this.#lastMs = performance.now()
    const worker = this.#worker ?? this.#start()
    this.#worker = worker
    send(worker, { type: "store", push, nowMs: clock.now().getTime() })
  }

  #start(): Worker {
    // The published package has the same file as JavaScript.
    const program = new URL(`push-worker${extname(import.meta.filename)}`, import.meta.url)
    const worker = new Worker(program, {
      workerData: this.#options.connection,
      resourceLimits: { maxOldGenerationSizeMb: OLD_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    })
    worker
      .on("message", (reply: PushReply) => {
        if (reply.type === "log") this.#options.context.logger[reply.level](reply.fields, reply.text)
        else if (reply.type === "large") this.#large = reply.id
        else this.#end(reply)
      })
      .on("error", (error) => void this.#replace(worker, error))
    worker.unref()
    return worker
  }

  #end(reply: Extract<PushReply, { readonly type: "ended" | "failed" }>): void {
    const running = this.#running.get(reply.id)
    if (!running || this.#isEnding) return
    this.#running.delete(reply.id)
    this.#lastMs = performance.now()
    if (this.#large === reply.id) this.#large = undefined
    if (reply.type === "ended") running.outcome.resolve(reply.outcome)
    else void this.#fail(running, receiveError(reply))
  }

  /** Another try would end the same way, unless the database failed. */
  async #fail({ push, outcome }: RunningPush, error: unknown): Promise<void> {
    const { context } = this.#options
    const { userId, id } = push
    context.logger.error({ err: error, userId, pushId: id }, "a push could not be stored")
    const isDatabase = databaseTrouble(error) !== undefined
    await (isDatabase
      ? releasePush(context, push)
      : failPush(context, push, `internal error, ask the operator, who finds its cause in the log under ${id}`)
    ).catch(() => {})
    outcome.reject(error)
  }

  /** The thread had too little memory, for the push that it had as a whole if there was one. The others go on in a new one. */
  async #replace(worker: Worker, error: unknown): Promise<void> {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const { context } = this.#options
    const large = this.#running.get(this.#large ?? "")
    this.#large = undefined
    context.logger.warn({ err: error, pushId: large?.push.id }, "the thread of the pushes has ended")
    const all = [...this.#running.values()]
    for (const running of all) running.deaths += running === large ? MOST_DEATHS : 1
    for (const running of all) {
      const { push, outcome, deaths } = running
      if (deaths < MOST_DEATHS) {
        this.#send(push)
        continue
      }
      this.#running.delete(push.id)
      await failPush(context, push, TOO_MUCH_MEMORY).catch(() => {})
      outcome.resolve({ kind: "refused", reason: "too_large", message: TOO_MUCH_MEMORY })
    }
  }

  /** Shows that the pushes of this process are stored, takes over those of dead ones, and ends the thread when it is idle. */
  async #look(): Promise<void> {
    const { context, wait } = this.#options
    while (!this.#isEnding) {
      try {
        const own = [...this.#running.values()].map(({ push }) => push)
        if (own.length > 0) await noteLife(context, own)
        for (const push of await claimLeftPushes(context, own))
          if (push.deaths > MOST_DEATHS) await failPush(context, push, KILLS)
          else
            this.store(push).catch(() => {
              // Logged, and tried again after a while.
            })
      } catch (error) {
        if (databaseTrouble(error) === undefined)
          context.logger.error({ err: error }, "could not look for pushes that are left")
      }
      if (this.#worker && this.#running.size === 0 && performance.now() - this.#lastMs > IDLE_MS) {
        send(this.#worker, { type: "stop" })
        this.#worker = undefined
      }
      await wait(LOOK_EVERY_MS)
    }
  }
}

const send = (worker: Worker, request: PushRequest): void => worker.postMessage(request)
