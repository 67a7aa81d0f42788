/** The one webhook that an app has at Polar, which deactivates it when it has failed for seven days. */
import { DAY_MS } from "../model/calendar.ts"
import { randomFor } from "../model/random.ts"

/** The webhook of an app. */
export interface PolarWebhook {
  readonly id: string
  readonly events: readonly string[]
  readonly url: string
  readonly signature_secret_key: string
  readonly active: boolean
}

const LONGEST_FAILURE_MS = 7 * DAY_MS

/** The webhook that an app has, or none. */
export class OwnWebhook {
  #webhook: PolarWebhook | undefined
  #failingSinceMs: number | undefined
  #created = 0

  get(): PolarWebhook | undefined {
    return this.#webhook
  }

  create(wanted: Pick<PolarWebhook, "events" | "url">): PolarWebhook {
    const random = randomFor("polar webhook", this.#created++)
    this.#webhook = { id: random.uuid().slice(0, 8), ...wanted, signature_secret_key: random.uuid(), active: true }
    this.#failingSinceMs = undefined
    return this.#webhook
  }

  change(changes: Partial<PolarWebhook>): void {
    if (this.#webhook) this.#webhook = { ...this.#webhook, ...changes }
    this.#failingSinceMs = undefined
  }

  remove(): void {
    this.#webhook = undefined
  }

  /** Notes the outcome of a delivery. */
  note(isDelivered: boolean, atMs: number): void {
    this.#failingSinceMs = isDelivered ? undefined : (this.#failingSinceMs ?? atMs)
    if (this.#failingSinceMs !== undefined && atMs - this.#failingSinceMs >= LONGEST_FAILURE_MS)
      this.change({ active: false })
  }
}
