import { createHmac, randomUUID } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import type { VendorName } from "@restwell/providers"
import { setupCodeOf } from "@restwell/server/links"
import type { Person } from "@restwell/simulator"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { expect } from "vitest"
import { z } from "zod"
import { TEST_SECRET } from "../service/environment.ts"
import { approveAtVendor } from "../vendor/vendor-under-test.ts"

const PERIOD_MS = 30_000
const BASE_32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** A person's authenticator app, written from RFC 6238 and RFC 4226 5.3. */
export class AuthenticatorApp {
  readonly #secret: Buffer

  readonly #now: () => number

  /** @param uri the content of the QR code @param now the machine's clock, milliseconds */
  constructor(uri: string, now: () => number) {
    this.#now = now
    const { protocol, host, searchParams } = new URL(uri)
    if (`${protocol}//${host}` !== "otpauth://totp") throw new Error(`not a TOTP secret: ${uri}`)
    const bits = [...(searchParams.get("secret") ?? "")]
      .map((digit) => BASE_32.indexOf(digit).toString(2).padStart(5, "0"))
      .join("")
    this.#secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  }

  /** The code now, or that many periods later. The service accepts the next one already. */
  code(periodsLater = 0): string {
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(Math.floor(this.#now() / PERIOD_MS) + periodsLater))
    const digest = createHmac("sha1", this.#secret).update(counter).digest()
    const offset = (digest.at(-1) ?? 0) & 15
    return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0")
  }
}

const DocumentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
})
const ObjectSchema = z.record(z.string(), z.unknown())
const OperationSchema = z.object({ responses: z.record(z.string(), z.unknown()) })
const ResponseSchema = z.object({ content: z.record(z.string(), z.unknown()).optional() })

const described = new Map<string, Promise<Description>>()
const descriptions = new Map<string, Description>()

/** Expects that the service's own /openapi.json describes a response: its path, method, status, media type and body. */
export async function expectDescribed(base: string, method: string, path: string, response: Response): Promise<void> {
  const description = described.get(base) ?? Description.of(base)
  described.set(base, description)
  const fault = (await description).faultOf(method, path, response, await response.clone().text())
  expect(fault, `${method} ${path} answered ${response.status}`).toBeUndefined()
}

class Description {
  readonly #document: z.infer<typeof DocumentSchema>
  readonly #ajv: Ajv2020
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(document: unknown) {
    this.#document = DocumentSchema.parse(document)
    this.#ajv = formats.default(new Ajv2020({ strict: false }))
    this.#ajv.addSchema(this.#document, "openapi")
  }

  static async of(base: string): Promise<Description> {
    const text = await (await fetch(`${base}/openapi.json`)).text()
    // Most services describe the same API at another address, and compiling its schemas takes long.
    const key = text.replaceAll(base, "")
    const description = descriptions.get(key) ?? new Description(JSON.parse(text))
    descriptions.set(key, description)
    return description
  }

  faultOf(method: string, path: string, response: Response, body: string): string | undefined {
    const [plainPath = ""] = path.split("?")
    // A literal path wins over a template with a parameter that matches it.
    const templates = Object.keys(this.#document.paths).filter((name) => patternOf(name).test(plainPath))
    const template = templates.find((name) => name === plainPath) ?? templates[0]
    const operation = template && OperationSchema.safeParse(this.#document.paths[template]?.[method.toLowerCase()]).data
    if (!template || !operation) return `${method} ${plainPath} is not described`
    const expected = ResponseSchema.safeParse(this.#resolve(operation.responses[String(response.status)])).data
    if (!expected) return `status ${response.status} is not described`
    if (!expected.content) return body === "" ? undefined : "a body is not described"
    const mediaType = response.headers.get("content-type")?.split(";")[0] ?? ""
    if (!(mediaType in expected.content)) return `media type ${mediaType} is not described`
    if (mediaType !== "application/json") return undefined
    return this.#faultOfBody(expected.content[mediaType], JSON.parse(body))
  }

  #faultOfBody(media: unknown, body: unknown): string | undefined {
    const { schema } = z.object({ schema: z.unknown() }).parse(media)
    const text = absolute(schema)
    const validate = this.#validators.get(text) ?? this.#ajv.compile(ObjectSchema.parse(JSON.parse(text)))
    this.#validators.set(text, validate)
    return validate(body) ? undefined : this.#ajv.errorsText(validate.errors)
  }

  #resolve(node: unknown): unknown {
    const reference = z.object({ $ref: z.string() }).safeParse(node).data
    if (!reference) return node
    return reference.$ref
      .split("/")
      .slice(1)
      .reduce<unknown>((value, key) => ObjectSchema.parse(value)[key], this.#document)
  }
}

/** Makes references inside a part of the document start at the document. */
const absolute = (schema: unknown): string => JSON.stringify(schema).replaceAll('"#/', '"openapi#/')

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}$`)

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

  /** Creates an account, of which SIGN_UP=open lets everybody have one. Nobody becomes the owner by it. */
  async signUp(): Promise<void> {
    const { email, password } = this
    const response = await this.send("POST", "/api/auth/sign-up/email", { name: "Ada", email, password })
    expect(response.status).toBe(200)
  }

  /** Creates the owner's account, as the set-up does. @param code @default that of TEST_SECRET */
  async setUp(code: string = setupCodeOf(TEST_SECRET)): Promise<void> {
    const { email, password } = this
    const body = { name: "Ada", email, password, code }
    const response = await this.send("POST", "/api/setup/owner", body)
    expect(response.status).toBe(201)
  }

  async connect(person: Pick<Person, "email">, provider: VendorName = "whoop"): Promise<void> {
    const begun = await this.send("GET", `/api/connections/${provider}/authorize`)
    const callback = await approveAtVendor(new URL(begun.headers.get("location") ?? ""), person)
    const connected = await this.send("GET", callback.pathname + callback.search)
    expect(connected.status).toBe(302)
  }

  /** Waits until the whole history of each connection is stored. Sources with archives alone have none to fetch. Errors on the way are only thrown once the time is over. */
  async untilHistoryIsComplete(timeoutMs = 90_000, intervalMs = LOOK_AGAIN_MS): Promise<void> {
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
    const connected = account.connections.filter(({ status }) => status !== "archive")
    return connected.length > 0 && connected.every(({ history }) => history.complete)
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
