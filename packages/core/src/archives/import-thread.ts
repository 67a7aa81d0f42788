import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import type { ThreadLog } from "../context/thread-log.ts"
import { isDiskLow } from "../store/database-trouble.ts"
import type { PoolSettings } from "../store/pool.ts"
import { type ClaimedImport, type ImportContext, isImportWaiting } from "./claim-import.ts"
import { failImport } from "./finish-import.ts"
import { sweepBrokenUploads } from "./run-imports.ts"

/** What the thread is started with. */
export interface ImportThreadData {
  readonly connection: PoolSettings
  /** When the process began by the service's clock, epoch milliseconds: `performance.now()` counts from there in all threads. */
  readonly processStartMs: number
}

/** What the thread sends: what it reads now, a line for the log, a question for free space or for a pause, or why it ends. */
export type ImportThreadMessage =
  | { readonly type: "claimed"; readonly claimed: ClaimedImport }
  | ThreadLog
  | { readonly type: "free_bytes"; readonly id: number }
  | { readonly type: "wait"; readonly id: number; readonly milliseconds: number }
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

/**
 * Reads archives in a thread beside the one that answers requests, so that nobody waits for rows of others. The thread starts when an
 * archive waits, and ends after the last one.
 */
export class ImportThread implements AsyncDisposable {
  readonly #options: ImportThreadOptions
  #worker: Worker | undefined
  #ended: Promise<unknown> = Promise.resolve()

  constructor(options: ImportThreadOptions) {
    this.#options = options
  }

  /** As `runImports` does it. @param signal aborts between two chunks */
  async run(context: ImportContext, signal: AbortSignal): Promise<void> {
    await sweepBrokenUploads(context)
    if (signal.aborted || (await isDiskLow(context.disk)) || !(await isImportWaiting(context))) return
    const worker = this.#start(context)
    const stop = () => send(worker, { type: "stop" })
    if (signal.aborted) stop()
    signal.addEventListener("abort", stop)
    try {
      await this.#ended
    } finally {
      signal.removeEventListener("abort", stop)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#worker) return
    send(this.#worker, { type: "stop" })
    await Promise.race([this.#ended.catch(() => {}), this.#options.wait(LONGEST_STOP_MS)])
    // Another process notices the silence of its import.
    await this.#worker?.terminate()
  }

  #start(context: ImportContext): Worker {
    // The published package has the same file as JavaScript.
    const program = new URL(`import-worker${extname(import.meta.filename)}`, import.meta.url)
    const processStartMs = context.clock.now().getTime() - performance.now()
    const workerData: ImportThreadData = { connection: this.#options.connection, processStartMs }
    const { heapMb = OLD_HEAP_MB } = this.#options
    const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_HEAP_MB }
    const worker = new Worker(program, { workerData, resourceLimits })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let claimed: ClaimedImport | undefined
    let failed: Promise<void> | undefined
    worker
      .on("message", (message: ImportThreadMessage) => {
        if (message.type === "claimed") claimed = message.claimed
        else if (message.type === "log") context.logger[message.level](message.fields, message.text)
        else if (message.type === "failed") reject(message.error)
        else answer(context, message).then((reply) => send(worker, reply), reject)
      })
      .on("error", (error) => {
        if (claimed && isOutOfMemory(error)) failed = failLargeImport(context, claimed)
        else reject(error)
      })
      .on("exit", () => {
        if (this.#worker === worker) this.#worker = undefined
        resolve(failed)
      })
    this.#worker = worker
    this.#ended = promise
    return worker
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

/** Another try would end the same way. */
async function failLargeImport(context: ImportContext, claimed: ClaimedImport): Promise<void> {
  context.logger.warn(
    { userId: claimed.userId, importId: claimed.id },
    "an import needs more memory than an archive gets",
  )
  const error = `${claimed.fileName} needs more memory than one archive gets here, order an export of a shorter time and upload the new file`
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
