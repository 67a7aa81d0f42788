import { setTimeout as wait } from "node:timers/promises"
import { tryRequest } from "../crash/try-request.ts"

const PAUSE_MS = 20
const READERS = 3

interface Probe {
  readonly url: string
  readonly startedMs: number
  readonly endedMs: number
  /** Undefined without a response. */
  readonly status: number | undefined
  readonly retryAfter: string | null
}

/** Reads without a pause from every process, and remembers when they were answered. */
export class Prober {
  readonly #probes: Probe[] = []
  readonly #running: readonly Promise<void>[]
  #isEnding = false

  constructor(urls: readonly string[], key: string) {
    this.#running = urls.flatMap((url) => Array.from({ length: READERS }, () => this.#readAgainAndAgain(url, key)))
  }

  async end(): Promise<void> {
    this.#isEnding = true
    await Promise.all(this.#running)
  }

  get answered(): number {
    return this.#probes.filter(({ status }) => status === 200).length
  }

  /** Reads that may have been counted although no data came. */
  get uncertain(): number {
    return this.#probes.length - this.answered
  }

  get slowestMs(): number {
    return Math.round(Math.max(...this.#probes.map(({ startedMs, endedMs }) => endedMs - startedMs)))
  }

  /** Reads that were neither answered nor refused with 503 and a time to come back. */
  get wrong(): readonly Probe[] {
    return this.#probes.filter(
      ({ status, retryAfter }) => status !== 200 && !(status === 503 && Number(retryAfter) >= 1),
    )
  }

  /** From a moment until every process has answered a read that was sent later, and until the last read failed. */
  since(momentMs: number): { readonly backMs: number; readonly lastFailureMs: number } {
    const urls = [...new Set(this.#probes.map(({ url }) => url))]
    const later = this.#probes.filter(({ endedMs }) => endedMs > momentMs)
    const backMs = urls.map((url) =>
      Math.min(...later.filter((probe) => probe.url === url && probe.status === 200).map(({ endedMs }) => endedMs)),
    )
    const failures = later.filter(({ status }) => status !== 200).map(({ endedMs }) => endedMs)
    return {
      backMs: Math.round(Math.max(...backMs) - momentMs),
      lastFailureMs: Math.round(Math.max(momentMs, ...failures) - momentMs),
    }
  }

  /** The longest time after a moment in which some process answered no read. */
  longestGapMs(momentMs: number): number {
    const urls = [...new Set(this.#probes.map(({ url }) => url))]
    const gaps = urls.flatMap((url) => {
      const answers = this.#probes
        .filter((probe) => probe.url === url && probe.status === 200)
        .map(({ endedMs }) => endedMs)
      return answers.flatMap((endedMs, index) =>
        endedMs > momentMs ? [endedMs - (answers[index - 1] ?? momentMs)] : [],
      )
    })
    return Math.round(Math.max(...gaps))
  }

  async #readAgainAndAgain(url: string, key: string): Promise<void> {
    while (!this.#isEnding) {
      const startedMs = performance.now()
      const outcome = await tryRequest(`${url}/api/v1/health?type=sleep&days=7`, {
        headers: { authorization: `Bearer ${key}` },
      })
      const answer = outcome.kind === "answered" ? outcome : undefined
      this.#probes.push({
        url,
        startedMs,
        endedMs: performance.now(),
        status: answer?.status,
        retryAfter: answer?.headers.get("retry-after") ?? null,
      })
      await wait(PAUSE_MS)
    }
  }
}
