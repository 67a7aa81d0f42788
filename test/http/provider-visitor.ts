import { SecurityLogResponseSchema } from "@restwell/client"
import { expect } from "vitest"

/** A browser that follows redirects by hand and keeps cookies. */
export class ProviderVisitor {
  readonly #jar = new Map<string, string>()
  readonly #base: string

  constructor(base: string) {
    this.#base = base
  }

  get cookie(): string {
    return [...this.#jar].map(([name, value]) => `${name}=${value}`).join("; ")
  }

  async get(address: string): Promise<string> {
    const own = address.startsWith(this.#base)
    const answer = await fetch(address, { redirect: "manual", headers: own ? { cookie: this.cookie } : {} })
    expect(answer.status).toBe(302)
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";")
      const [name = "", ...value] = pair.split("=")
      this.#jar.set(name, value.join("="))
    }
    return answer.headers.get("location") ?? ""
  }

  /** Visits the provider. Returns the callback address that it redirects to. */
  async visit(provider = "google"): Promise<string> {
    return this.get(await this.get(`${this.#base}/api/auth/sign-in/${provider}`))
  }

  async signIn(): Promise<string> {
    return this.get(await this.visit())
  }

  async account(): Promise<Response> {
    return fetch(`${this.#base}/api/account`, { headers: { cookie: this.cookie } })
  }

  /** The security events, newest first. */
  async securityEvents(): Promise<string[]> {
    const answer = await fetch(`${this.#base}/api/account/security-log`, { headers: { cookie: this.cookie } })
    const { entries } = SecurityLogResponseSchema.parse(await answer.json())
    for (const { network } of entries) expect(network).not.toBeNull()
    return entries.map(({ type, detail }) => `${type}: ${detail}`)
  }
}
