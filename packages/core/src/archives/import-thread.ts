import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import { MINUTE_MS } from "@restwell/client/time-units"
import type { ThreadLog } from "../context/thread-log.ts"
import type { ClaimedJob, DueTime } from "../jobs/job-queue.ts"
import type { PoolSettings } from "../store/pool.ts"
import type { ImportContext } from "./claim-import.ts"
import { giveUp } from "./finish-import.ts"

/** What the thread is started with. */
export interface ImportThreadData {
  readonly connection: PoolSettings
  readonly job: ClaimedJob
  /** What both threads see of the reading. */
  readonly reading: ReadingSigns
  /** When the process began by the service's clock, epoch milliseconds: `performance.now()` counts from there in all threads. */
  readonly processStartMs: number
}

/** How often reading went on, and 1 while the thread reads, 0 while it waits for the database. */
export type ReadingSigns = Int32Array<SharedArrayBuffer>

/** What the thread sends: a line for the log, a question for free space or for a pause, how the run ended, or why it failed. */
export type ImportThreadMessage =
  | ThreadLog
  | { readonly type: "free_bytes"; readonly id: number }
  | { readonly type: "wait"; readonly id: number; readonly milliseconds: number }
  | { readonly type: "ended"; readonly again: DueTime | undefined }
  | { readonly type: "failed"; readonly error: unknown }

/** What is sent to the thread. */
export type ImportThreadRequest =
  | { readonly type: "stop" }
  | { readonly type: "answer"; readonly id: number; readonly bytes?: number | undefined }

/**
 * A small heap is collected often. Rows of millions of samples would otherwise wait for the collection in hundreds of megabytes. The most
 * is several times what the largest archives need.
 */
const YOUNG_HEAP_MB = 24
const OLD_HEAP_MB = 512

/** The slowest step is to sort the largest table, which takes a minute or two. */
const QUIET_MS = 5 * MINUTE_MS
const LOOKS_IN_QUIET = 30

/** A chunk takes a fraction of a second. A database that does not answer takes longer. */
const LONGEST_STOP_MS = 3_000

interface ImportThreadsOptions {
  /** Settings of the thread's own connections. */
  readonly connection: PoolSettings
  /** Resolves after that many milliseconds of real time. It must not keep the process from ending. */
  readonly wait: (milliseconds: number) => Promise<void>
  /** Memory for objects that live long. An archive that needs more fails. @default 512 */
  readonly heapMb?: number
  /** An archive is given up when reading made no progress for this long, milliseconds. @default five minutes */
  readonly quietMs?: number
}

interface Run {
  readonly worker: Worker
  readonly ended: Promise<DueTime | undefined>
}

/** Reads each archive in a thread beside the one that answers requests, so that nobody waits for rows of others. The thread ends with it. */
export class ImportThreads implements AsyncDisposable {
  readonly #options: ImportThreadsOptions
  readonly #runs = new Set<Run>()

  constructor(options: ImportThreadsOptions) {
    this.#options = options
  }

  /** As `runImport` does it. @param signal aborts between two chunks */
  async run(context: ImportContext, job: ClaimedJob, signal: AbortSignal): Promise<DueTime | undefined> {
    const run = this.#start(context, job)
    this.#runs.add(run)
    const stop = () => send(run.worker, { type: "stop" })
    if (signal.aborted) stop()
    signal.addEventListener("abort", stop)
    try {
      return await run.ended
    } finally {
      signal.removeEventListener("abort", stop)
      this.#runs.delete(run)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const runs = [...this.#runs]
    if (runs.length === 0) return
    for (const { worker } of runs) send(worker, { type: "stop" })
    await Promise.race([Promise.allSettled(runs.map(({ ended }) => ended)), this.#options.wait(LONGEST_STOP_MS)])
    // Another process notices the silence of their imports.
    for (const { worker } of this.#runs) await worker.terminate()
  }

  #start(context: ImportContext, job: ClaimedJob): Run {
    // The published package has the same file as JavaScript.
    const program = new URL(`import-worker${extname(import.meta.filename)}`, import.meta.url)
    const reading = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
    const processStartMs = context.clock.now().getTime() - performance.now()
    const workerData: ImportThreadData = { connection: this.#options.connection, job, processStartMs, reading }
    const { heapMb = OLD_HEAP_MB } = this.#options
    const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_HEAP_MB }
    const worker = new Worker(program, { workerData, resourceLimits })
    const { promise: ended, resolve, reject } = Promise.withResolvers<DueTime | undefined>()
    let again: Promise<DueTime | undefined> | DueTime | undefined
    worker
      .on("message", (message: ImportThreadMessage) => {
        if (message.type === "ended") again = message.again
        else if (message.type === "log") context.logger[message.level](message.fields, message.text)
        else if (message.type === "failed") reject(message.error)
        else answer(context, message).then((reply) => send(worker, reply), reject)
      })
      .on("error", (error) => {
        if (isOutOfMemory(error)) again = failLargeImport(context, job)
        else reject(error)
      })
      .on("exit", () => resolve(again))
    const run = { worker, ended }
    void this.#untilQuiet(run, reading).then((isQuiet) => {
      if (!isQuiet) return
      again = failQuietImport(context, job)
      return worker.terminate()
    })
    return run
  }

  /** @returns true once the thread has read for too long without progress, false when it has ended */
  async #untilQuiet({ ended }: Run, reading: ReadingSigns): Promise<boolean> {
    const { wait, quietMs = QUIET_MS } = this.#options
    const end = ended.then(
      () => true,
      () => true,
    )
    let before = -1
    for (let quietLooks = 0; quietLooks < LOOKS_IN_QUIET; ) {
      const hasEnded = await Promise.race([end, wait(quietMs / LOOKS_IN_QUIET).then(() => false)])
      if (hasEnded) return false
      const [signs, isReading] = [Atomics.load(reading, 0), Atomics.load(reading, 1) === 1]
      quietLooks = isReading && signs === before ? quietLooks + 1 : 0
      before = signs
    }
    return true
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

const failLargeImport = (context: ImportContext, job: ClaimedJob): Promise<undefined> =>
  giveUp(context, job, {
    log: "an import needs more memory than an archive gets",
    error: " needs more memory than one archive gets here, order an export of a shorter time and upload the new file",
  })

const failQuietImport = (context: ImportContext, job: ClaimedJob): Promise<undefined> =>
  giveUp(context, job, {
    log: "an import was ended because reading made no progress",
    error: " could not be read any further for five minutes, order an export of a shorter time and upload the new file",
  })

async function answer(
  { disk, wait }: ImportContext,
  message: Extract<ImportThreadMessage, { readonly id: number }>,
): Promise<ImportThreadRequest> {
  if (message.type === "free_bytes") return { type: "answer", id: message.id, bytes: await disk.freeBytes() }
  await wait(message.milliseconds)
  return { type: "answer", id: message.id }
}

const send = (worker: Worker, message: ImportThreadRequest): void => worker.postMessage(message)
