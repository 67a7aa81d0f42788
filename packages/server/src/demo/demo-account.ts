import { randomBytes } from "node:crypto"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import {
  AccountResponseSchema,
  ApiKeyResponseSchema,
  ImportStartedResponseSchema,
  ImportsResponseSchema,
  JournalDaysResponseSchema,
} from "@restwell/client"
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import { z } from "zod"

const DemoStateSchema = z.object({
  name: z.string(),
  email: z.string(),
  password: z.string(),
  apiKey: z.string().optional(),
  /** Start of the simulated history. Another one would change its records. */
  historyFrom: z.coerce.date(),
})

/** What the demo stores between starts, with the key that the service stores only as a hash. */
export type DemoState = z.infer<typeof DemoStateSchema>

const fileIn = (directory: string): string => join(directory, "demo.json")

/** The stored state, or that of a new account. */
export async function readState(directory: string, historyFrom: Date): Promise<DemoState> {
  try {
    return DemoStateSchema.parse(JSON.parse(await readFile(fileIn(directory), "utf8")))
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error
    return { name: "Lena", email: "lena@example.com", password: randomBytes(9).toString("base64url"), historyFrom }
  }
}

/** Only this user of the machine can read the file. */
export async function writeState(directory: string, state: DemoState): Promise<void> {
  await mkdir(directory, { recursive: true })
  await writeFile(fileIn(directory), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
}

const FIRST_RECORDS_MS = 30_000
const LOOK_MS = 50
const UNAVAILABLE = 503
const MOST_TRIES = 30
const AGAIN_MS = 1_000

/** Mornings that the demo's person has answered questions about. */
const JOURNAL_DAYS = 180
/** What they answer. The ring knows the evenings with a yes from their tags, and has no way to note a no. */
const ASKED = ["alcohol", "late_meal"]

const dateBefore = (now: Date, days: number): string => addDays(utcDateOf(now), -days)

const CountedSchema = z.object({ count: z.number() })

/** The demo's person, who uses the service only over HTTP, with its cookies. */
export class DemoAccount {
  readonly #baseUrl: string
  readonly #setupCode: string
  readonly #state: DemoState
  #cookie = ""

  constructor(baseUrl: string, setupCode: string, state: DemoState) {
    this.#baseUrl = baseUrl
    this.#setupCode = setupCode
    this.#state = state
  }

  /** Signs in. The first time it creates the owner's account. */
  async signIn(): Promise<void> {
    const { name, email, password } = this.#state
    const signedIn = await this.#send("POST", "/api/auth/sign-in/email", { email, password })
    if (signedIn.ok) return
    const code = this.#setupCode
    await this.#expect(201, this.#send("POST", "/api/setup/owner", { name, email, password, code }))
  }

  /** Connects a vendor, whose page approves by itself. Keeps a connection that works. */
  async connect(provider: string): Promise<void> {
    const { connections } = await this.read()
    const connection = connections.find((each) => each.provider === provider)
    if (connection?.status === "ok" || connection?.status === "syncing") return
    const page = locationOf(await this.#send("GET", `/api/connections/${provider}/authorize`))
    const callback = locationOf(await fetch(page, { redirect: "manual" }))
    await this.#expect(302, this.#send("GET", callback.pathname + callback.search))
  }

  /** Connects a vendor with a key of the person. Keeps a connection. */
  async connectWithKey(provider: string, key: string): Promise<void> {
    if ((await this.read()).connections.some((each) => each.provider === provider)) return
    await this.#expect(200, this.#send("PUT", `/api/connections/${provider}/credential`, { key }))
  }

  async read() {
    return AccountResponseSchema.parse(await (await this.#send("GET", "/api/account")).json())
  }

  async imports() {
    return ImportsResponseSchema.parse(await (await this.#send("GET", "/api/imports")).json()).imports
  }

  /** Uploads an archive, and waits until it is read. Returns how many records it brought. */
  async addArchive(fileName: string, bytes: Uint8Array): Promise<number> {
    const form = new FormData()
    form.set("file", new Blob([Uint8Array.from(bytes)]), fileName)
    const answer = await this.#expect(202, this.#send("POST", "/api/imports", form))
    const { id } = ImportStartedResponseSchema.parse(await answer.json())
    for (;;) {
      const found = (await this.imports()).find((each) => each.id === id)
      if (found?.status === "done") return found.report?.stored ?? 0
      if (!found || found.status === "failed") throw new Error(`${fileName} was not imported: ${found?.error}`)
      await wait(LOOK_MS)
    }
  }

  /** Answers yes where a device has a tag and no on the other mornings, except those answered before. Returns how many it answered. */
  async answerJournal(now: Date): Promise<number> {
    const search = new URLSearchParams({ days: String(JOURNAL_DAYS) })
    const read = await this.#send("GET", `/api/account/journal?${search}`)
    const { days } = JournalDaysResponseSchema.parse(await read.json())
    const noted = new Map(days.map((day) => [day.date, day]))
    const isAsked = (factor: string) => ASKED.includes(factor)
    if (!days.some(({ yes }) => yes.some(isAsked))) return 0
    const dates = Array.from({ length: JOURNAL_DAYS - 1 }, (_, index) => dateBefore(now, index + 1))
    const open = dates.filter((date) => !noted.get(date)?.no.some(isAsked))
    for (const date of open) {
      const answers = ASKED.map((factor) => ({ factor, answer: noted.get(date)?.yes.includes(factor) ?? false }))
      await this.#expect(200, this.#send("PUT", `/api/account/journal/${date}`, { answers }))
    }
    return open.length
  }

  /** The key of the last start if it still works, or else a new one. */
  async apiKey(): Promise<string> {
    const { apiKey } = this.#state
    if (apiKey !== undefined && (await this.#readRecovery(apiKey)).status === 200) return apiKey
    const created = await this.#expect(201, this.#send("POST", "/api/account/api-key"))
    return ApiKeyResponseSchema.parse(await created.json()).api_key
  }

  /** Resolves once the key reads records. */
  async firstRecords(apiKey: string): Promise<void> {
    const deadline = performance.now() + FIRST_RECORDS_MS
    while (performance.now() < deadline) {
      const answer = await this.#readRecovery(apiKey)
      if (answer.ok && CountedSchema.parse(await answer.json()).count > 0) return
      await wait(LOOK_MS)
    }
    throw new Error("the simulated vendors sent no records in time")
  }

  #readRecovery(apiKey: string): Promise<Response> {
    const headers = { authorization: `Bearer ${apiKey}` }
    return fetch(`${this.#baseUrl}/api/v1/health?type=recovery`, { headers })
  }

  /** A service on a busy machine may ask to come again. */
  async #send(method: string, path: string, body?: object): Promise<Response> {
    for (let tries = 1; tries < MOST_TRIES; tries += 1) {
      const answer = await this.#sendOnce(method, path, body)
      if (answer.status !== UNAVAILABLE) return answer
      await wait(AGAIN_MS)
    }
    return this.#sendOnce(method, path, body)
  }

  async #sendOnce(method: string, path: string, body?: object): Promise<Response> {
    const isForm = body instanceof FormData
    const answer = await fetch(this.#baseUrl + path, {
      method,
      redirect: "manual",
      headers: { cookie: this.#cookie, ...(body && !isForm && { "content-type": "application/json" }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0])
    if (cookies.length > 0) this.#cookie = cookies.join("; ")
    return answer
  }

  async #expect(status: number, sent: Promise<Response>): Promise<Response> {
    const answer = await sent
    if (answer.status === status || (status === 201 && answer.ok)) return answer
    throw new Error(`the demo expected ${status} and got ${answer.status}: ${await answer.text()}`)
  }
}

function locationOf(answer: Response): URL {
  const location = answer.headers.get("location")
  if (location === null) throw new Error(`expected a redirect and got ${answer.status}`)
  return new URL(location)
}
