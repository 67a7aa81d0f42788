import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import type { ThreadLog } from "../context/thread-log.ts"
import type { ClaimedJob, DueTime } from "../jobs/job-queue.ts"
import type { PoolSettings } from "../store/pool.ts"
import { beginImport, type ImportContext } from "./claim-import.ts"
import { failImport } from "./finish-import.ts"

/** What the thread is started with. */
export interface ImportThreadData {
  readonly connection: PoolSettings
  readonly job: ClaimedJob
  /** When the process began by the service's clock, epoch milliseconds: `performance.now()` counts from there in all threads. */
  readonly processStartMs: number
}

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

/** A chunk takes a fraction of a second. A database that does not answer takes longer. */
const LONGEST_STOP_MS = 3_000

interface ImportThreadOptions {
  /** Settings of the thread's own connections. */
  readonly connection: PoolSettings
  /** Resolves after that many milliseconds of real time. It must not keep the process from ending. */
  readonly wait: (milliseconds: number) => Promise<void>
  /** Memory for objects that live long. An archive that needs more fails. @default 512 */
  readonly heapMb?: number
}

/** Reads an archive in a thread beside the one that answers requests, so that nobody waits for rows of others. The thread ends with it. */
export class ImportThread implements AsyncDisposable {
  readonly #options: ImportThreadOptions
  #worker: Worker | undefined
  #ended: Promise<unknown> = Promise.resolve()

  constructor(options: ImportThreadOptions) {
    this.#options = options
  }

  /** As `runImport` does it, one at a time. @param signal aborts between two chunks */
  async run(context: ImportContext, job: ClaimedJob, signal: AbortSignal): Promise<DueTime | undefined> {
    const { worker, ended } = this.#start(context, job)
    this.#worker = worker
    this.#ended = ended
    const stop = () => send(worker, { type: "stop" })
    if (signal.aborted) stop()
    signal.addEventListener("abort", stop)
    try {
      return await ended
    } finally {
      signal.removeEventListener("abort", stop)
      this.#worker = undefined
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#worker) return
    send(this.#worker, { type: "stop" })
    await Promise.race([this.#ended.catch(() => {}), this.#options.wait(LONGEST_STOP_MS)])
    // Another process notices the silence of its import.
    await this.#worker?.terminate()
  }

  #start(
    context: ImportContext,
    job: ClaimedJob,
  ): { readonly worker: Worker; readonly ended: Promise<DueTime | undefined> } {
    // The published package has the same file as JavaScript.
    const program = new URL(`import-worker${extname(import.meta.filename)}`, import.meta.url)
    const processStartMs = context.clock.now().getTime() - performance.now()
    const workerData: ImportThreadData = { connection: this.#options.connection, job, processStartMs }
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
    return { worker, ended }
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

/** Another try would end the same way. */
async function failLargeImport(context: ImportContext, job: ClaimedJob): Promise<undefined> {
  const claimed = await beginImport(context, job)
  if (!claimed) return
  const { userId, id: importId, fileName } = claimed
  context.logger.warn({ userId, importId }, "an import needs more memory than an archive gets")
  const error = `${fileName} needs more memory than one archive gets here, order an export of a shorter time and upload the new file`
  await failImport(context, claimed, { kind: null, error })
}

async function answer(
  { disk, wait }: ImportContext,
  message: Extract<ImportThreadMessage, { readonly id: number }>,
): Promise<ImportThreadRequest> {
  if (message.type === "free_bytes") return { type: "answer", id: message.id, bytes: await disk.freeBytes() }
  await wait(message.milliseconds)
  return { type: "answer", id: message.id }
}

const send = (worker: Worker, message: ImportThreadRequest): void => worker.postMessage(message)
