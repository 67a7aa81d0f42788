/**
 * Subscriptions of the app to webhooks: one for each type of data and event, for 90 days.
 * @see https://cloud.ouraring.com/v2/docs#tag/Webhook-Subscription-Routes
 */

import { DAY_MS } from "../model/calendar.ts"
import { randomFor } from "../model/random.ts"

export const EVENT_TYPES = ["create", "update", "delete"] as const

export interface Subscription {
  readonly id: string
  readonly callback_url: string
  readonly event_type: string
  readonly data_type: string
  readonly expiration_time: string
}

const LIFE_MS = 90 * DAY_MS

export class Subscriptions {
  readonly #nowMs: () => number
  #all: Subscription[] = []
  #created = 0

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Returns every subscription, expired ones too. */
  list(): readonly Subscription[] {
    return this.#all
  }

  find(id: string): Subscription | undefined {
    return this.#all.find((known) => known.id === id)
  }

  /** Returns the subscription to the same events, if there is one that has not expired. */
  findSame(wanted: { readonly data_type: string; readonly event_type: string }): Subscription | undefined {
    return this.#valid().find((known) => known.data_type === wanted.data_type && known.event_type === wanted.event_type)
  }

  add(wanted: Omit<Subscription, "id" | "expiration_time">): Subscription {
    const added = {
      id: randomFor("oura subscription", this.#created++).uuid(),
      ...wanted,
      expiration_time: this.#expiration(),
    }
    this.#all.push(added)
    return added
  }

  change(id: string, changes: Partial<Omit<Subscription, "id">>): Subscription | undefined {
    this.#all = this.#all.map((known) => (known.id === id ? { ...known, ...changes } : known))
    return this.find(id)
  }

  renew(id: string): Subscription | undefined {
    return this.change(id, { expiration_time: this.#expiration() })
  }

  remove(id: string): void {
    this.#all = this.#all.filter((known) => known.id !== id)
  }

  /** Returns where events of a type are sent, for example `sleep.update`. */
  addressesOf(type: string): string[] {
    return this.#valid()
      .filter(({ data_type, event_type }) => `${data_type}.${event_type}` === type)
      .map(({ callback_url }) => callback_url)
  }

  #valid(): Subscription[] {
    return this.#all.filter(({ expiration_time }) => Date.parse(expiration_time) > this.#nowMs())
  }

  #expiration(): string {
    return new Date(this.#nowMs() + LIFE_MS).toISOString()
  }
}
