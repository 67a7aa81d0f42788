/** Delivers events of connected people when the clock passes them. Repeats failed deliveries on the simulated clock. */

import { randomFor } from "../model/random.ts"
import type { SimulatedClock } from "../world/clock.ts"

/** An endpoint that has not answered by then has failed. WHOOP documents no figure, Oura says 10 seconds. */
const DEFAULT_TIMEOUT_MS = 5000

/** A change of a record that the vendor announces. */
export interface VendorEvent {
  readonly atMs: number
  readonly userId: number
  readonly type: string
  readonly id: string
}

/** The part of webhooks that differs between vendors. */
export interface EventSource {
  /** Returns the events of connected people after one moment and until another, oldest first. */
  eventsBetween(afterMs: number, untilMs: number): readonly VendorEvent[]
  isConnected(userId: number): boolean
  /** Returns where an event is sent. Absent where that is every address of the app. */
  addressesOf?(event: VendorEvent): readonly string[]
  /** Returns the signed request that announces an event. */
  write(event: VendorEvent, traceId: string, sentMs: number): { headers: Record<string, string>; body: string }
  /** Simulated milliseconds before each retry. */
  readonly retryAfterMs: readonly number[]
  /** Told of each attempt. */
  note?(isDelivered: boolean, atMs: number): void
}

/** Of a vendor that sends none. */
export const NO_EVENTS: EventSource = {
  eventsBetween: () => [],
  isConnected: () => false,
  write: () => ({ headers: {}, body: "" }),
  retryAfterMs: [],
}

interface WebhookParts {
  readonly source: EventSource
  readonly clock: SimulatedClock
  readonly seed: string
  readonly urls: readonly string[]
}

export interface Delivery {
  readonly url: string
  readonly event: VendorEvent
  readonly traceId: string
  /** Attempts so far. */
  attempts: number
  /** Status of the last response; absent before the first. */
  status?: number
  /** Real milliseconds until that response. */
  tookMs?: number
  /** `failed` is final: no retry is left. */
  state: "sending" | "waiting" | "delivered" | "failed"
  /** Simulated time of the next attempt of a waiting delivery. */
  dueMs: number
}

export interface WebhookManners {
  /** Times that every event is sent. @default 1 */
  copies: number
  /** Sends the events of one clock move in random order, drawn from the seed. @default false */
  shuffled: boolean
  /** Loses events instead of sending them. @default false */
  muted: boolean
  /** Real milliseconds an endpoint has to respond. @default 5000 */
  timeoutMs: number
  /** Largest number of concurrent deliveries. @default unlimited */
  atATime?: number
  /** Simulated milliseconds before each retry, one figure per retry. @default the vendor's */
  retryAfterMs: readonly number[]
}

export class Webhooks {
  readonly #source: EventSource
  readonly #clock: SimulatedClock
  readonly #seed: string
  readonly #deliveries: Delivery[] = []
  readonly #inFlight = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  #posting = 0
  readonly #waitingForSlot: (() => void)[] = []
  readonly manners: WebhookManners
  /** Addresses of the app; may change at any time. */
  urls: string[]
  #announcedMs: number

  constructor({ source, clock, seed, urls }: WebhookParts) {
    this.#source = source
    this.#clock = clock
    this.#seed = seed
    this.manners = {
      copies: 1,
      shuffled: false,
      muted: false,
      timeoutMs: DEFAULT_TIMEOUT_MS,
      retryAfterMs: source.retryAfterMs,
    }
    this.urls = [...urls]
    this.#announcedMs = clock.nowMs()
    clock.onMove(() => this.catchUp())
  }

  /** Every delivery so far, oldest first. */
  get deliveries(): readonly Delivery[] {
    return this.#deliveries
  }

  /** Sends events since the last call and retries that are due. Returns the moment up to which events are sent. */
  catchUp(): number {
    const beforeMs = this.#announcedMs
    this.#announcedMs = this.#clock.nowMs()
    if ((this.urls.length > 0 || this.#source.addressesOf) && this.#announcedMs > beforeMs) {
      this.send(this.#source.eventsBetween(beforeMs, this.#announcedMs))
    }
    for (const delivery of this.#deliveries) {
      if (delivery.state === "waiting" && delivery.dueMs <= this.#announcedMs) this.#start(delivery)
    }
    return this.#announcedMs
  }

  /** Posts the events of connected people. A vendor announces nothing about others. */
  send(events: readonly VendorEvent[]): void {
    if (this.manners.muted) return
    const connected = events.filter(({ userId }) => this.#source.isConnected(userId))
    const copied = connected.flatMap((event) => Array.from({ length: this.manners.copies }, () => event))
    for (const event of this.manners.shuffled ? this.#shuffle(copied) : copied) {
      for (const url of this.#source.addressesOf?.(event) ?? this.urls) {
        const traceId = randomFor(this.#seed, "trace", event.type, event.id, event.atMs).uuid()
        const delivery: Delivery = { url, event, traceId, attempts: 0, state: "waiting", dueMs: event.atMs }
        this.#deliveries.push(delivery)
        this.#start(delivery)
      }
    }
  }

  /** Resolves when no delivery is in flight. It does not wait for retries. */
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
    await this.#acquireSlot()
    delivery.attempts++
    const startMs = performance.now()
    const status = await this.#post(delivery).finally(() => this.#releaseSlot())
    if (status !== undefined) Object.assign(delivery, { status, tookMs: performance.now() - startMs })
    const isDelivered = status !== undefined && status >= 200 && status < 300
    this.#source.note?.(isDelivered, this.#clock.nowMs())
    if (isDelivered) {
      delivery.state = "delivered"
      return
    }
    const waitMs = this.manners.retryAfterMs[delivery.attempts - 1]
    delivery.state = waitMs === undefined ? "failed" : "waiting"
    delivery.dueMs = this.#clock.nowMs() + (waitMs ?? 0)
  }

  async #acquireSlot(): Promise<void> {
    if (this.#posting >= (this.manners.atATime ?? Number.POSITIVE_INFINITY))
      await new Promise<void>((resolve) => this.#waitingForSlot.push(resolve))
    else this.#posting++
  }

  /** Passes the slot to the delivery that has waited longest. */
  #releaseSlot(): void {
    const next = this.#waitingForSlot.shift()
    if (next) next()
    else this.#posting--
  }

  /** Returns the status of the response, or undefined without one. */
  async #post({ url, event, traceId }: Delivery): Promise<number | undefined> {
    const { headers, body } = this.#source.write(event, traceId, Math.floor(this.#clock.nowMs()))
    try {
      const reply = await fetch(url, {
        method: "POST",
        headers,
        body,
        redirect: "manual",
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.manners.timeoutMs)]),
      })
      await reply.body?.cancel()
      return reply.status
    } catch {
      // Refused, reset and too slow are all failed deliveries, which are retried.
      return undefined
    }
  }

  #shuffle(events: readonly VendorEvent[]): VendorEvent[] {
    const random = randomFor(this.#seed, "shuffle", this.#announcedMs)
    return events
      .map((event) => ({ event, rank: random.next() }))
      .sort((left, right) => left.rank - right.rank)
      .map(({ event }) => event)
  }
}
