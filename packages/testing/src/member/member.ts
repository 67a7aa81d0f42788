import { randomUUID } from "node:crypto"
import type { Person } from "@restwell/simulator"
import { expect, vi } from "vitest"
import { z } from "zod"
import { expectDescribed } from "./conformance.ts"

const AccountSchema = z.object({
  connections: z.array(z.object({ status: z.string(), history: z.object({ complete: z.boolean() }) })),
})
const KeySchema = z.object({ api_key: z.string() })

/** Where the service is. */
export interface Address {
  readonly url: string
}

/** A person who uses the service by HTTP alone: a cookie jar, a key, and the steps of DESIGN section 4. */
export class Member {
  readonly email = `${randomUUID()}@example.com`
  readonly password = "correct horse battery staple"
  readonly #service: Address
  #cookie = ""

  constructor(service: Address) {
    this.#service = service
  }

  /** A signed-up member, connected to a person of the vendor, with the whole history there, and their key. */
  static async connected(service: Address, person: Person): Promise<{ member: Member; key: string }> {
    const member = new Member(service)
    await member.signUp()
    await member.connect(person)
    await member.untilHistoryIsComplete()
    return { member, key: await member.newKey() }
  }

  /** The same person where the service runs now. */
  at(service: Address): Member {
    const member = new Member(service)
    member.#cookie = this.#cookie
    return member
  }

  get cookie(): string {
    return this.#cookie
  }

  async signUp(): Promise<void> {
    const answer = await this.send("POST", "/api/auth/sign-up/email", {
      name: "Ada",
      email: this.email,
      password: this.password,
    })
    expect(answer.status).toBe(200)
  }

  async connect(person: Person): Promise<void> {
    const page = new URL((await this.send("GET", "/api/connections/whoop/authorize")).headers.get("location") ?? "")
    page.searchParams.set("login_hint", person.email)
    const callback = new URL((await fetch(page, { redirect: "manual" })).headers.get("location") ?? "")
    expect((await this.send("GET", callback.pathname + callback.search)).status).toBe(302)
  }

  async untilHistoryIsComplete(timeout = 120_000): Promise<void> {
    const look = async () => {
      const account = AccountSchema.parse(await (await this.send("GET", "/api/account")).json())
      expect(account.connections[0]?.history.complete).toBe(true)
    }
    await vi.waitFor(look, { timeout, interval: 50 })
  }

  async newKey(): Promise<string> {
    const answer = await this.send("POST", "/api/account/api-key")
    expect(answer.status).toBe(201)
    return KeySchema.parse(await answer.json()).api_key
  }

  /** A request with the member's cookies, to the first replica. */
  async send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> {
    const answer = await fetch(this.#service.url + path, {
      method,
      redirect: "manual",
      headers: {
        ...(this.#cookie && { cookie: this.#cookie }),
        ...(body && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    await expectDescribed(this.#service.url, method, path, answer)
    for (const cookie of answer.headers.getSetCookie()) this.#cookie = cookie.split(";")[0] ?? ""
    return answer
  }
}

/** A read with an API key. Its answer, as all of a member's, must be one that /openapi.json describes. */
export async function readHealth(
  url: string,
  key: string,
  search = "",
  headers: Record<string, string> = {},
): Promise<Response> {
  const answer = await fetch(`${url}/api/v1/health${search}`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
  await expectDescribed(url, "GET", "/api/v1/health", answer)
  return answer
}
