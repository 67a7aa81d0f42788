/**
 * Webhooks: when the clock passes an event of a connected person, it is posted to every address. A failed delivery is tried
 * five more times over about an hour of the simulated clock, unless `manners` say otherwise.
 * @see https://developer.whoop.com/docs/developing/webhooks
 */
import { randomFor } from "../model/random.ts"
import { MINUTE_MS } from "../model/units.ts"
import { eventsBetween, type WhoopEvent } from "../whoop/events.ts"
import { signWebhook } from "../whoop/signature.ts"
import type { Vendor } from "../whoop/vendor.ts"

/** Waiting before each retry: about an hour in all. */
const RETRY_AFTER_MS = [1, 5, 10, 20, 24].map((minutes) => minutes * MINUTE_MS)
/** An endpoint that has not answered by then has failed; WHOOP gives no figure. */
const DEFAULT_TIMEOUT_MS = 5000

export interface Delivery {
  readonly url: string
  readonly event: WhoopEvent
  readonly traceId: string
  /** Tries so far. */
  attempts: number
  /** Status of the last answer; absent while there was none. */
  status?: number
  /** Real milliseconds until that answer. */
  tookMs?: number
  /** `failed` is final: the last retry is spent. */
  state: "sending" | "waiting" | "delivered" | "failed"
  /** Simulated time of the next try of a waiting delivery. */
  dueMs: number
}

export interface WebhookManners {
  /** Sends every event this many times in all. @default 1 */
  copies: number
  /** Sends the events of one move of the clock in a drawn order. @default false */
  shuffled: boolean
  /** Real milliseconds an endpoint has for its answer. @default 5000 */
  timeoutMs: number
  /** Deliveries under way at a time; the others wait for their turn. Any number when absent. */
  atATime?: number
  /** Simulated milliseconds before each retry; as many retries as there are figures. @default WHOOP's five in an hour */
  retryAfterMs: readonly number[]
}

export class Webhooks {
  readonly #vendor: Vendor
  readonly #deliveries: Delivery[] = []
  readonly #inFlight = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  #posting = 0
  readonly #turns: (() => void)[] = []
  readonly manners: WebhookManners = {
    copies: 1,
    shuffled: false,
    timeoutMs: DEFAULT_TIMEOUT_MS,
    retryAfterMs: RETRY_AFTER_MS,
  }
  /** Addresses of the app; may change at any time. */
  urls: string[]
  #announcedMs: number

  constructor(vendor: Vendor, urls: readonly string[]) {
    this.#vendor = vendor
    this.urls = [...urls]
    this.#announcedMs = vendor.clock.nowMs()
    vendor.clock.onMove(() => this.catchUp())
  }

  /** Every delivery so far, oldest first. */
  get deliveries(): readonly Delivery[] {
    return this.#deliveries
  }

  /** Announces what has happened since the last time, and tries again what is due. Returns the moment it got to. */
  catchUp(): number {
    const beforeMs = this.#announcedMs
    this.#announcedMs = this.#vendor.clock.nowMs()
    if (this.urls.length > 0 && this.#announcedMs > beforeMs) {
      this.send(eventsBetween(this.#vendor, beforeMs, this.#announcedMs))
    }
    for (const delivery of this.#deliveries) {
      if (delivery.state === "waiting" && delivery.dueMs <= this.#announcedMs) this.#start(delivery)
    }
    return this.#announcedMs
  }

  /** Posts events of people who are connected; those of others are nobody's business. */
  send(events: readonly WhoopEvent[]): void {
    const known = events.filter(({ userId }) => this.#vendor.grants.isConnected(userId))
    const copied = known.flatMap((event) => Array.from({ length: this.manners.copies }, () => event))
    for (const event of this.manners.shuffled ? this.#shuffle(copied) : copied) {
      for (const url of this.urls) {
        const traceId = randomFor(this.#vendor.settings.seed, "trace", event.type, event.id, event.atMs).uuid()
        const delivery: Delivery = { url, event, traceId, attempts: 0, state: "waiting", dueMs: event.atMs }
        this.#deliveries.push(delivery)
        this.#start(delivery)
      }
    }
  }

  /** Resolves when no delivery is on its way. Those that wait for a retry still wait. */
  async flush(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight)
  }

  close(): Promise<void> {
    this.#closing.abort()
    return this.flush()
  }

  #start(delivery: Delivery): void {
    if (this.#closing.signal.aborted) return
    delivery.state = "sending"
    const sending = this.#attempt(delivery).finally(() => this.#inFlight.delete(sending))
    this.#inFlight.add(sending)
  }

  async #attempt(delivery: Delivery): Promise<void> {
    await this.#turn()
    delivery.attempts++
    const startMs = performance.now()
    const status = await this.#post(delivery).finally(() => this.#endTurn())
    if (status !== undefined) Object.assign(delivery, { status, tookMs: performance.now() - startMs })
    if (status !== undefined && status >= 200 && status < 300) {
      delivery.state = "delivered"
      return
    }
    const waitMs = this.manners.retryAfterMs[delivery.attempts - 1]
    delivery.state = waitMs === undefined ? "failed" : "waiting"
    delivery.dueMs = this.#vendor.clock.nowMs() + (waitMs ?? 0)
  }

  async #turn(): Promise<void> {
    if (this.#posting >= (this.manners.atATime ?? Number.POSITIVE_INFINITY))
      await new Promise<void>((resolve) => this.#turns.push(resolve))
    else this.#posting++
  }

  /** Hands the turn to who has waited longest. */
  #endTurn(): void {
    const next = this.#turns.shift()
    if (next) next()
    else this.#posting--
  }

  /** Returns the status of the answer, or nothing when there was none. */
  async #post({ url, event, traceId }: Delivery): Promise<number | undefined> {
    const { clock, settings } = this.#vendor
    const body = JSON.stringify({ user_id: event.userId, id: event.id, type: event.type, trace_id: traceId })
    const timestamp = String(Math.floor(clock.nowMs()))
    try {
      const reply = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "X-WHOOP-Signature": signWebhook(settings.clientSecret, timestamp, body),
          "X-WHOOP-Signature-Timestamp": timestamp,
        },
        body,
        redirect: "manual",
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.manners.timeoutMs)]),
      })
      await reply.body?.cancel()
      return reply.status
    } catch {
      // Refused, reset or too slow: all the same to WHOOP, a failed delivery that is tried again.
      return undefined
    }
  }

  #shuffle(events: readonly WhoopEvent[]): WhoopEvent[] {
    const random = randomFor(this.#vendor.settings.seed, "shuffle", this.#announcedMs)
    return events
      .map((event) => ({ event, rank: random.next() }))
      .sort((left, right) => left.rank - right.rank)
      .map(({ event }) => event)
  }
}
