/** Runs the jobs of the queue in this process. It looks when a job is announced or due, and seldom otherwise. */
import type { Wait } from "../context/context.ts"
import { Bell } from "./bell.ts"
import { holdJob, type JobContext, type RunJob } from "./hold-job.ts"
import { type ClaimedJob, claimJob, type JobKind, type JobPlace, nextJobTime } from "./job-queue.ts"

/** What a process does for the queue. */
export interface JobWork {
  /** Adds the jobs that are due. @returns when the next one will be, or `paused` to be asked again soon */
  addDue(): Promise<Date | "paused" | undefined>
  /** Jobs at a time, the same objects each time: a job takes the first one that is free. */
  places(): readonly JobPlace[]
  /** By the kinds of the places. */
  readonly run: Readonly<Partial<Record<JobKind, (job: ClaimedJob, place: JobPlace) => RunJob>>>
}

interface JobRunnerOptions {
  readonly context: JobContext
  /** Called with each failure to use the queue, and with what a job throws. */
  readonly onFailure: (error: unknown) => void
  /** Waits on the service's clock. */
  readonly wait: Wait
  /** Longest time between two looks at the queue, milliseconds. */
  readonly lookEveryMs: number
}

/** How often the clock is looked at, and the queue after a failure. A machine that slept has jobs that are due. */
const TICK_MS = 1_000
export class JobRunner {
  readonly #options: JobRunnerOptions
  readonly #runs = new Map<JobPlace, Promise<void>>()
  readonly #stopping = new AbortController()
  #looking: Promise<void> = Promise.resolve()
  readonly #bell = new Bell()

  constructor(options: JobRunnerOptions) {
    this.#options = options
  }

  /** Aborts when the process stops. Jobs end at their next step. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** Begins to take jobs. */
  start(work: JobWork): void {
    this.#looking = this.#lookAgainAndAgain(work)
  }

  /** There may be something to do. */
  ring(): void {
    this.#bell.ring()
  }

  /** Takes no more jobs. Running ones are handed back at their next step. */
  leave(): void {
    this.#stopping.abort()
    this.ring()
  }

  /** Leaves. Resolves when all jobs have ended. */
  async stop(): Promise<void> {
    this.leave()
    await this.#looking
    await Promise.all(this.#runs.values())
  }

  async #lookAgainAndAgain(work: JobWork): Promise<void> {
    while (!this.stopping.aborted) {
      let next: Awaited<ReturnType<JobWork["addDue"]>>
      try {
        next = await work.addDue()
        // What becomes due while jobs are taken counts as the next one, or it would be found half a minute later.
        const before = this.#options.context.clock.now()
        await this.#takeJobs(work)
        if (next !== "paused") next = earlier(next, await this.#nextJobTime(work, before))
      } catch (error) {
        if (!this.stopping.aborted) this.#options.onFailure(error)
        next = "paused"
      }
      await this.#untilRung(next)
    }
  }

  async #takeJobs({ places, run }: JobWork): Promise<void> {
    const { context, onFailure } = this.#options
    while (!this.stopping.aborted) {
      const free = places().filter((place) => !this.#runs.has(place))
      const job = free.length > 0 ? await claimJob(context, free, context.clock.now()) : undefined
      if (!job) return
      const place = free.find(
        ({ kind, minPriority, key = job.key }) => kind === job.kind && minPriority <= job.priority && key === job.key,
      )
      const runJob = run[job.kind]
      if (!place || !runJob) throw new Error(`a job of ${job.kind} was claimed without a place`)
      const running = holdJob(context, job, { stopping: this.stopping, run: runJob(job, place) })
      const ended = running.catch(onFailure).then(() => {
        this.#runs.delete(place)
        this.ring()
      })
      this.#runs.set(place, ended)
    }
  }

  #nextJobTime({ places }: JobWork, after: Date): Promise<Date | undefined> {
    return nextJobTime(this.#options.context, [...new Set(places().map(({ kind }) => kind))], after)
  }

  async #untilRung(next: Date | "paused" | undefined): Promise<void> {
    const { context, wait, lookEveryMs } = this.#options
    const isDue = () => next === "paused" || (next !== undefined && next <= context.clock.now())
    // The first tick always passes: a job that is due and cannot be added would be looked for without a pause.
    for (let waitedMs = 0; waitedMs < lookEveryMs && (waitedMs === 0 || !isDue()); waitedMs += TICK_MS)
      if (await this.#bell.wait(TICK_MS, wait)) return
  }
}

const earlier = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one
