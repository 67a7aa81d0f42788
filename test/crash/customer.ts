import { randomUUID } from "node:crypto"
import type { Person } from "@restwell/simulator"
import { z } from "zod"
import { ask, type Outcome } from "./ask.ts"

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

/** Tells of something that must never happen. */
export type Violated = (what: string) => void

/** Counted reads with one key. */
interface Reads {
  /** A whole answer with data came. */
  complete: number
  /** No answer with data came, and whether it was counted is not known. */
  uncertain: number
}

/** A person who uses the service while it is killed, and remembers what it acknowledged. They do one thing at a time, but for `look`. */
export class Customer {
  readonly person: Person
  readonly reads: Reads = { complete: 0, uncertain: 0 }
  readonly #violated: Violated
  #email = ""
  #cookie = ""
  #key = ""
  #isConnected = false
  #last: { readonly remaining: number; readonly reset: string; readonly uncertain: number } | undefined

  constructor(person: Person, violated: Violated) {
    this.person = person
    this.#violated = violated
  }

  get email(): string {
    return this.#email
  }

  /** True once account, connection and key were acknowledged. */
  get hasJoined(): boolean {
    return this.#isConnected && this.#key !== ""
  }

  /** Tries the next step of joining. An account of which no answer came is given up for another one. */
  async join(url: string): Promise<void> {
    if (this.#cookie === "") await this.#signUp(url)
    else if (!this.#isConnected) await this.#connect(url)
    else if (this.#key === "") await this.#makeKey(url)
  }

  async #signUp(url: string): Promise<void> {
    this.#email = `${randomUUID()}@example.com`
    const body = JSON.stringify({ name: "Ada", email: this.#email, password: PASSWORD })
    const headers = { "content-type": "application/json" }
    const outcome = await ask(`${url}/api/auth/sign-up/email`, { method: "POST", headers, body })
    const answer = this.#expect("sign-up", outcome, 200)
    this.#cookie = answer?.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  }

  async #connect(url: string): Promise<void> {
    const begun = this.#expect("connecting", await this.#send(`${url}/api/connections/whoop/authorize`), 302)
    if (!begun) return
    const page = new URL(begun.headers.get("location") ?? "")
    page.searchParams.set("login_hint", this.person.email)
    const callback = new URL((await fetch(page, { redirect: "manual" })).headers.get("location") ?? "")
    const outcome = await this.#send(url + callback.pathname + callback.search)
    this.#isConnected = this.#expect("the way back from the vendor", outcome, 302) !== undefined
  }

  async #makeKey(url: string): Promise<void> {
    const answer = this.#expect("a new key", await this.#send(`${url}/api/account/api-key`, "POST"), 201)
    if (answer) this.#key = KeySchema.parse(JSON.parse(answer.body)).api_key
  }

  /** A counted read. What remains falls by one with each, and by no more than what got no answer in between. */
  async read(url: string, search: string): Promise<void> {
    const outcome = await ask(`${url}/api/v1/health${search}`, { headers: { authorization: `Bearer ${this.#key}` } })
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
      this.#violated(`${counted} reads were counted for one, with ${uncertain - last.uncertain} without an answer`)
  }

  /** What the account's page shows; undefined while nobody answers. What was acknowledged must be there. */
  async look(url: string): Promise<AccountSeen | undefined> {
    const { hasJoined } = this
    const answer = this.#expect("the account", await this.#send(`${url}/api/account`), 200)
    if (!answer) return undefined
    const account = AccountSchema.parse(JSON.parse(answer.body))
    if (hasJoined && account.api_key === null) this.#violated("a key that was given out is gone")
    if (hasJoined && account.connections[0]?.status === undefined) this.#violated("a connection is gone")
    if (hasJoined && account.connections[0]?.status === "disconnected") this.#violated("a connection was disconnected")
    return account
  }

  #send(url: string, method = "GET"): Promise<Outcome> {
    return ask(url, { method, headers: { cookie: this.#cookie } })
  }

  /** The answer if it is the one that was hoped for; none, or a failure of the service, is no more than bad luck. */
  #expect(what: string, outcome: Outcome, status: number) {
    if (outcome.kind !== "answered" || outcome.status >= 500) return undefined
    if (outcome.status === status) return outcome
    this.#violated(`${what} was answered ${outcome.status}: ${outcome.body}`)
    return undefined
  }
}
