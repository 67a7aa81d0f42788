import { randomUUID } from "node:crypto"
import type { Person } from "@restwell/simulator"
import { approveAtVendor, type VendorUnderTest } from "@restwell/testing/vendor"
import { z } from "zod"
import { type Outcome, tryRequest } from "./try-request.ts"

const PASSWORD = "correct horse battery staple"
const KeySchema = z.object({ api_key: z.string() })
const AccountSchema = z.object({
  usage: z.object({ by_day: z.array(z.object({ requests: z.number() })) }),
  api_key: z.object({ prefix: z.string() }).nullable(),
  connections: z.array(
    z.object({
      status: z.string(),
      history: z.object({ complete: z.boolean(), records: z.number() }),
    }),
  ),
})

export type AccountSeen = z.infer<typeof AccountSchema>

/** Reports something that must never happen. */
export type ReportViolation = (what: string) => void

/** Reads with one key. */
interface Reads {
  /** A complete response with data came. */
  complete: number
  /** No complete response came: whether the read was counted is unknown. */
  uncertain: number
}

/** A person who uses the service while it is killed, and remembers what it acknowledged. All calls but `look` run one at a time. */
export class Customer {
  readonly person: Person
  readonly reads: Reads = { complete: 0, uncertain: 0 }
  readonly #vendor: VendorUnderTest
  readonly #reportViolation: ReportViolation
  #email = ""
  #cookie = ""
  #key = ""
  #isConnected = false
  #last: { readonly remaining: number; readonly reset: string; readonly uncertain: number } | undefined

  constructor(person: Person, vendor: VendorUnderTest, reportViolation: ReportViolation) {
    this.person = person
    this.#vendor = vendor
    this.#reportViolation = reportViolation
  }

  get email(): string {
    return this.#email
  }

  /** True once the account, the connection and the key are acknowledged. */
  get hasJoined(): boolean {
    return this.#isConnected && this.#key !== ""
  }

  /** Tries the next step of joining. Without a response to the sign-up, the next try signs up with another address. */
  async join(url: string): Promise<void> {
    if (this.#cookie === "") await this.#signUp(url)
    else if (!this.#isConnected) await this.#connect(url)
    else if (this.#key === "") await this.#makeKey(url)
  }

  async #signUp(url: string): Promise<void> {
    this.#email = `${randomUUID()}@example.com`
    const body = JSON.stringify({ name: "Ada", email: this.#email, password: PASSWORD })
    const headers = { "content-type": "application/json" }
    const outcome = await tryRequest(`${url}/api/auth/sign-up/email`, { method: "POST", headers, body })
    const answer = this.#expect("sign-up", outcome, 200)
    this.#cookie = answer?.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  }

  async #connect(url: string): Promise<void> {
    const { provider, keyOf } = this.#vendor
    const own = `${url}/api/connections/${provider}`
    if (keyOf) {
      const outcome = await this.#send(`${own}/credential`, "PUT", { key: keyOf(this.person) })
      this.#isConnected = this.#expect("connecting with a key", outcome, 200) !== undefined
      return
    }
    const begun = this.#expect("connecting", await this.#send(`${own}/authorize`), 302)
    if (!begun) return
    const callback = await approveAtVendor(new URL(begun.headers.get("location") ?? ""), this.person)
    const outcome = await this.#send(url + callback.pathname + callback.search)
    this.#isConnected = this.#expect("the vendor's callback", outcome, 302) !== undefined
  }

  async #makeKey(url: string): Promise<void> {
    const answer = this.#expect("a new key", await this.#send(`${url}/api/account/api-key`, "POST"), 201)
    if (answer) this.#key = KeySchema.parse(JSON.parse(answer.body)).api_key
  }

  /**
   * Requests a sync. Within a minute of the last one it is refused, and while the grant is gone: whether a kill can have taken it is asked at
   * the end.
   */
  async requestSync(url: string): Promise<void> {
    const outcome = await this.#send(`${url}/api/connections/${this.#vendor.provider}/sync`, "POST")
    const isRefused =
      outcome.kind === "answered" &&
      (outcome.status === 429 ||
        (outcome.status === 400 && outcome.body.includes("no longer accepts the authorization")))
    if (!isRefused) this.#expect("a requested sync", outcome, 202)
  }

  /** A read. The remaining quota must fall by one, plus at most one for each read without a response since the last. */
  async read(url: string, search: string): Promise<void> {
    const outcome = await tryRequest(`${url}/api/v1/health${search}`, {
      headers: { authorization: `Bearer ${this.#key}` },
    })
    if (outcome.kind === "unsent") return
    const answer = this.#expect("a read", outcome, 200)
    if (!answer) {
      this.reads.uncertain += 1
      return
    }
    JSON.parse(answer.body)
    this.reads.complete += 1
    const { uncertain } = this.reads
    const remaining = Number(answer.headers.get("x-ratelimit-remaining"))
    const reset = answer.headers.get("x-ratelimit-reset") ?? ""
    const last = this.#last
    this.#last = { remaining, reset, uncertain }
    if (last?.reset !== reset) return
    const counted = last.remaining - remaining
    if (!(counted >= 1 && counted <= 1 + uncertain - last.uncertain))
      this.#reportViolation(
        `${counted} reads were counted for one, with ${uncertain - last.uncertain} without a response`,
      )
  }

  /** Reads the account and checks that what was acknowledged is there. Undefined while the service does not respond. */
  async look(url: string): Promise<AccountSeen | undefined> {
    const { hasJoined } = this
    const answer = this.#expect("the account", await this.#send(`${url}/api/account`), 200)
    if (!answer) return undefined
    const account = AccountSchema.parse(JSON.parse(answer.body))
    if (hasJoined && account.api_key === null) this.#reportViolation("an issued key is gone")
    if (hasJoined && account.connections[0]?.status === undefined) this.#reportViolation("a connection is gone")
    if (hasJoined && account.connections[0]?.status === "disconnected")
      this.#reportViolation("a connection was disconnected")
    return account
  }

  #send(url: string, method = "GET", body?: object): Promise<Outcome> {
    const headers = { cookie: this.#cookie, ...(body && { "content-type": "application/json" }) }
    return tryRequest(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  }

  /** The response, if it has this status. A lost response or a 5xx is no violation, because the service was killed meanwhile. */
  #expect(what: string, outcome: Outcome, status: number) {
    if (outcome.kind !== "answered" || outcome.status >= 500) return undefined
    if (outcome.status === status) return outcome
    this.#reportViolation(`${what} was answered ${outcome.status}: ${outcome.body}`)
    return undefined
  }
}
