import type { Member } from "../member/member.ts"

/** A browser without scripts or windows: it keeps cookies, sends forms, and follows no redirect by itself. */
export class Browser {
  readonly #cookies = new Map<string, string>()

  constructor(member?: Member) {
    for (const cookie of member?.cookie.split("; ") ?? []) this.keep(cookie)
  }

  keep(cookie: string): void {
    const [name = "", ...value] = (cookie.split(";")[0] ?? "").split("=")
    this.#cookies.set(name, value.join("="))
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  }

  async get(url: URL | string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#send(url, { headers })
  }

  async post(
    url: URL | string,
    form: URLSearchParams | Readonly<Record<string, string>>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.#send(url, {
      method: "POST",
      body: new URLSearchParams(form),
      headers: { origin: new URL(url).origin, "sec-fetch-site": "same-origin", ...headers },
    })
  }

  async #send(url: URL | string, init: RequestInit & { headers: Record<string, string> }): Promise<Response> {
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      headers: { ...init.headers, cookie: this.cookie },
    })
    for (const cookie of response.headers.getSetCookie()) this.keep(cookie)
    return response
  }
}
