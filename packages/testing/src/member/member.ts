import { randomUUID } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import type { VendorName } from "@restwell/providers"
import type { Person } from "@restwell/simulator"
import { expect } from "vitest"
import { z } from "zod"
import { approveAtVendor } from "../vendor/approve-at-vendor.ts"
import { expectDescribed } from "./expect-described.ts"

const AccountSchema = z.object({
  connections: z.array(
    z.object({ provider: z.string(), status: z.string(), history: z.object({ complete: z.boolean() }) }),
  ),
})
const KeySchema = z.object({ api_key: z.string() })
const LOOK_AGAIN_MS = 50

/** Where the service is. */
export interface Address {
  readonly url: string
}

/** A person who uses the service over HTTP alone. Each response must be one that the service's /openapi.json describes. */
export class Member {
  readonly email: string
  readonly password = "correct horse battery staple"
  readonly #service: Address
  readonly #headers: Readonly<Record<string, string>>
  readonly #cookies = new Map<string, string>()

  /** @param headers sent with every request, as a proxy would add them */
  constructor(service: Address, headers: Readonly<Record<string, string>> = {}, email = `${randomUUID()}@example.com`) {
    this.#service = service
    this.#headers = headers
    this.email = email
  }

  /** A new member, connected to a person of the vendor, with the whole history stored, and an API key. */
  static async connected(
    service: Address,
    person: Pick<Person, "email">,
    headers?: Readonly<Record<string, string>>,
    provider: VendorName = "whoop",
  ): Promise<{ member: Member; key: string }> {
    const member = new Member(service, headers)
    await member.signUp()
    await member.connect(person, provider)
    await member.untilHistoryIsComplete()
    return { member, key: await member.newKey() }
  }

  /** The same member, with the same session, at another address of the service. */
  at(service: Address): Member {
    const member = new Member(service, this.#headers, this.email)
    for (const [name, value] of this.#cookies) member.#cookies.set(name, value)
    return member
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  }

  async signUp(): Promise<void> {
    const { email, password } = this
    const response = await this.send("POST", "/api/auth/sign-up/email", { name: "Ada", email, password })
    expect(response.status).toBe(200)
  }

  async connect(person: Pick<Person, "email">, provider: VendorName = "whoop"): Promise<void> {
    const begun = await this.send("GET", `/api/connections/${provider}/authorize`)
    const callback = await approveAtVendor(new URL(begun.headers.get("location") ?? ""), person)
    const connected = await this.send("GET", callback.pathname + callback.search)
    expect(connected.status).toBe(302)
  }

  /** Waits until the whole history of the first connection is stored. Errors on the way are only thrown once the time is over. */
  async untilHistoryIsComplete(timeoutMs = 120_000, intervalMs = LOOK_AGAIN_MS): Promise<void> {
    const deadline = performance.now() + timeoutMs
    for (;;) {
      const problem = await this.#isHistoryComplete().then(
        (isComplete) => (isComplete ? undefined : new Error("the history is not complete")),
        (error: unknown) => error,
      )
      if (problem === undefined) return
      if (performance.now() > deadline) throw problem
      await wait(intervalMs)
    }
  }

  async #isHistoryComplete(): Promise<boolean> {
    const account = AccountSchema.parse(await (await this.send("GET", "/api/account")).json())
    return account.connections.length > 0 && account.connections.every(({ history }) => history.complete)
  }

  async newKey(): Promise<string> {
    const response = await this.send("POST", "/api/account/api-key")
    expect(response.status).toBe(201)
    return KeySchema.parse(await response.json()).api_key
  }

  /** Sends a request with the member's cookies, and keeps the cookies of the response. */
  async send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> {
    const response = await fetch(this.#service.url + path, {
      method,
      redirect: "manual",
      headers: {
        ...this.#headers,
        ...(this.#cookies.size > 0 && { cookie: this.cookie }),
        ...(body && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    await expectDescribed(this.#service.url, method, path, response)
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie)
    return response
  }

  #keep(cookie: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (/; Max-Age=0(?:;|$)/i.test(cookie)) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}

/** A read with an API key. */
export async function readHealth(
  url: string,
  key: string,
  search = "",
  headers: Record<string, string> = {},
): Promise<Response> {
  const response = await fetch(`${url}/api/v1/health${search}`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
  await expectDescribed(url, "GET", "/api/v1/health", response)
  return response
}
