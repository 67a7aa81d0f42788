// A run of a claimed job: it shows that it lives, stops when it has lost its job, and gives it back.
import type { Context } from "../context/context.ts"
import { isDatabaseAway } from "../store/database-trouble.ts"
import { type ClaimedJob, type DueTime, endJob, keepJob, SILENT_SECONDS } from "./job-queue.ts"

/** The queue has a connection of its own: a run that waits for one must not look dead. */
export type JobContext = Pick<Context, "database" | "clock" | "wait">

/** A few times in the silence that means death. */
const KEEP_MS = 4_000
const END_AGAIN_MS = 500

/** Runs a job. @param signal aborts when the process stops, or when another one has the job @returns when to run again, or undefined when it is done */
export type RunJob = (signal: AbortSignal) => Promise<DueTime | undefined>

interface HoldOptions {
  /** Aborts when the process stops. The job is then handed to another one. */
  readonly stopping: AbortSignal
  readonly run: RunJob
}

/** Runs a claimed job to its end. @throws what the run throws. The job is then run again when its silence counts. */
export async function holdJob(context: JobContext, job: ClaimedJob, { stopping, run }: HoldOptions): Promise<void> {
  const lost = new AbortController()
  const ended = new AbortController()
  void keep(context, job, { lost, ended: ended.signal })
  try {
    const again = await run(AbortSignal.any([stopping, lost.signal]))
    // A run that was aborted for its silence has not ended, and nobody may have taken its job over.
    await end(context, job, { again: again ?? (lost.signal.aborted ? "at_once" : undefined), stopping })
  } finally {
    ended.abort()
  }
}

async function keep(
  context: JobContext,
  job: ClaimedJob,
  { lost, ended }: { readonly lost: AbortController; readonly ended: AbortSignal },
): Promise<void> {
  for (let keptMs = performance.now(); !lost.signal.aborted; ) {
    await context.wait(KEEP_MS)
    if (ended.aborted) return
    const isKept = await keepJob(context, job).catch(() => undefined)
    if (isKept) keptMs = performance.now()
    // A run that could not say that it lives for so long may have been taken for dead.
    else if (isKept === false || performance.now() - keptMs >= SILENT_SECONDS * 1_000) lost.abort()
  }
}

/** A job whose end could not be stored would wait until its silence counts. */
async function end(
  context: JobContext,
  job: ClaimedJob,
  { again, stopping }: { readonly again: DueTime | undefined; readonly stopping: AbortSignal },
): Promise<void> {
  for (;;)
    try {
      return await endJob(context, job, again ?? (stopping.aborted ? "at_once" : undefined))
    } catch (error) {
      if (stopping.aborted || !isDatabaseAway(error)) throw error
      await context.wait(END_AGAIN_MS)
    }
}
