import { setTimeout as wait } from "node:timers/promises"
import { callConnector, connectAssistant, TokensSchema } from "@restwell/testing/assistant"
import type { Member } from "@restwell/testing/member"
import { expect } from "vitest"
import type { ReportViolation } from "../crash/customer.ts"
import { tryRequest } from "../crash/try-request.ts"

const PAUSE_MS = 50

/** An assistant that refreshes its tokens again and again. Without a response, it sends the same refresh token once more. */
export class Assistant {
  readonly #urls: readonly string[]
  readonly #clientId: string
  readonly #running: Promise<void>
  #refreshToken: string
  #accessToken: string
  #refreshes = 0
  #isEnding = false

  static async connect(urls: readonly string[], member: Member, reportViolation: ReportViolation): Promise<Assistant> {
    const [url = ""] = urls
    return new Assistant(urls, await connectAssistant({ url }, member), reportViolation)
  }

  private constructor(
    urls: readonly string[],
    { clientId, refresh_token, access_token }: Awaited<ReturnType<typeof connectAssistant>>,
    reportViolation: ReportViolation,
  ) {
    this.#urls = urls
    this.#clientId = clientId
    this.#refreshToken = refresh_token
    this.#accessToken = access_token
    this.#running = this.#refreshAgainAndAgain(reportViolation)
  }

  get refreshes(): number {
    return this.#refreshes
  }

  /** Expects that the newest tokens work. */
  async end(): Promise<void> {
    this.#isEnding = true
    await this.#running
    const [url = ""] = this.#urls
    expect((await this.#refresh(url))?.status).toBe(200)
    expect((await callConnector({ url }, this.#accessToken, "tools/list")).status).toBe(200)
  }

  async #refreshAgainAndAgain(reportViolation: ReportViolation): Promise<void> {
    for (let turn = 0; !this.#isEnding; turn += 1) {
      const answer = await this.#refresh(this.#urls[turn % this.#urls.length] ?? "")
      if (answer !== undefined && answer.status !== 200 && answer.status < 500)
        reportViolation(`an acknowledged refresh token was refused with ${answer.status}: ${answer.body}`)
      await wait(PAUSE_MS)
    }
  }

  async #refresh(url: string): Promise<{ readonly status: number; readonly body: string } | undefined> {
    const form = { grant_type: "refresh_token", client_id: this.#clientId, refresh_token: this.#refreshToken }
    const outcome = await tryRequest(`${url}/oauth/token`, { method: "POST", body: new URLSearchParams(form) })
    if (outcome.kind !== "answered") return undefined
    if (outcome.status === 200) {
      const tokens = TokensSchema.parse(JSON.parse(outcome.body))
      this.#refreshToken = tokens.refresh_token
      this.#accessToken = tokens.access_token
      this.#refreshes += 1
    }
    return outcome
  }
}
