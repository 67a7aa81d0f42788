import { createHmac } from "node:crypto"
import { Agent } from "node:http"
import { expectDescribed, Member, readHealth } from "@restwell/testing/member"
import { type OpenIdProvider, startOpenIdProvider } from "@restwell/testing/openid-provider"
import { startTestService, type TestService, UNLIMITED_QUOTA } from "@restwell/testing/service"
import { VENDOR_APP } from "@restwell/testing/vendor"
import fc from "fast-check"
import { expect } from "vitest"
import { z } from "zod"
import { answerFault } from "./answer-faults.ts"
import { type HostileRequest, hostileRequest } from "./hostile-requests.ts"
import { type Answer, type RawRequest, sendRequest } from "./send-request.ts"
import { serviceRoutes } from "./service-routes.ts"
import { createVictim, type Victim } from "./victim.ts"

const PER_VICTIM = 500
const AT_ONCE = 16
const ERROR_LEVEL = 50
const HEADER_BYTES = 10_000
const LineSchema = z.looseObject({ level: z.number() })
/** They end the session. */
const ENDS_SESSION = new Set(["POST /api/auth/sign-out", "DELETE /api/account"])

/** The service that is attacked, with every sign-in method, and a person who is not attacked. */
export interface Target {
  readonly service: TestService
  readonly provider: OpenIdProvider
  readonly bystanderKey: string
  close(): Promise<void>
}

export async function startTarget(): Promise<Target> {
  const provider = await startOpenIdProvider()
  const google = { GOOGLE_CLIENT_ID: "client", GOOGLE_CLIENT_SECRET: "secret", GOOGLE_ISSUER: provider.issuer }
  // Everybody's address is believed, so that no limit of one address ends the attack.
  const environment = { ...google, ...UNLIMITED_QUOTA, TRUST_PROXY: "true", LOG_LEVEL: "info" }
  const service = await startTestService({ vendor: "intervals", days: 3, environment })
  const { key } = await Member.connected(service, service.simulator.people.add({ email: "bystander@vendor.example" }))
  return {
    service,
    provider,
    bystanderKey: key,
    async close() {
      await service.close()
      await provider.close()
    },
  }
}

export interface Attack {
  readonly statuses: ReadonlyMap<number, number>
  /** Faults of the service, by route. */
  readonly faults: readonly string[]
  /** The longest time that somebody waited who reads 7 nights again and again meanwhile. */
  readonly longestWaitMs: number
}

/** Sends hostile requests to every route, and checks every answer and that the service still works. */
export async function attackRequests(target: Target, count: number, seed: number): Promise<Attack> {
  const { service, bystanderKey } = target
  const requests = fc.sample(hostileRequest(serviceRoutes()), { numRuns: count, seed })
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const statuses = new Map<number, number>()
  const faults = new Set<string>()
  let longestWaitMs = 0
  for (let start = 0; start < count; start += PER_VICTIM) {
    const victim = await createVictim(service)
    const waiting = requests.slice(start, start + PER_VICTIM)
    const attack = async (): Promise<void> => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const raw = rawRequestOf(next, { victim, key: bystanderKey, nowMs: service.simulator.clock.nowMs() })
        const answer = await sendRequest(service.url, agent, raw)
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        const fault = answerFault(raw, answer) ?? (await descriptionFault(service.url, raw, answer))
        if (fault !== undefined) faults.add(describe(next, raw, fault))
      }
    }
    const attacked = new AbortController()
    const waited = readMeanwhile(service.url, bystanderKey, attacked.signal)
    await Promise.all(Array.from({ length: AT_ONCE }, attack))
    attacked.abort()
    longestWaitMs = Math.max(longestWaitMs, await waited)
    await expectNothingStuck(service.url, bystanderKey)
  }
  agent.destroy()
  const errors = service.log.filter((line) => LineSchema.parse(JSON.parse(line)).level >= ERROR_LEVEL)
  return {
    statuses,
    faults: [...faults, ...new Set(errors.map((line) => `logged: ${line.slice(0, 1_500)}`))],
    longestWaitMs,
  }
}

/** Reads 7 nights again and again. Returns the longest time until an answer, in milliseconds. */
async function readMeanwhile(url: string, key: string, signal: AbortSignal): Promise<number> {
  let longestMs = 0
  do {
    const sentAt = performance.now()
    const answer = await readHealth(url, key, "?type=sleep&days=7")
    await answer.arrayBuffer()
    expect(answer.status).toBe(200)
    longestMs = Math.max(longestMs, performance.now() - sentAt)
  } while (!signal.aborted)
  return longestMs
}

const EXPENSIVE = [
  "/api/account/trends?days=all",
  "/api/account/journal?days=all",
  "/api/account/sources",
  "/api/account/export",
  "/api/account/export?format=csv&type=sleep",
  "/api/account/metrics",
  ...["trend?metric=hrv", "compare?metric=hrv", "relate?outcome=hrv"].flatMap((question) => [
    `/api/account/${question}`,
    `/api/v1/${question}`,
  ]),
]
const METHODS = ["GET", "GET", "GET", "HEAD", "OPTIONS"] as const
/** More than one person may have at a time. */
const EXPENSIVE_AT_ONCE = 60

/** Sends a person's expensive reads at once, and gives up waiting for some of them. Returns every status that was answered. */
export async function attackExpensiveReads({ service }: Target, rounds: number, seed: number): Promise<Set<number>> {
  const { member, key } = await Member.connected(service, service.simulator.people.addOne())
  const reads = fc.sample(
    fc.record({
      path: fc.constantFrom(...EXPENSIVE),
      method: fc.constantFrom(...METHODS),
      days: fc.integer({ min: 7, max: 365 }),
      patienceMs: fc.constantFrom(0, 1, 5, 20, 20_000, 20_000, 20_000),
    }),
    { numRuns: rounds * EXPENSIVE_AT_ONCE, seed },
  )
  // Those of a session wait for each other, and those with the key are refused above a number at a time.
  const headersOf = (path: string) =>
    path.startsWith("/api/account/") ? { cookie: member.cookie } : { authorization: `Bearer ${key}` }
  const statuses = new Set<number>()
  while (reads.length > 0) {
    const sent = reads.splice(0, EXPENSIVE_AT_ONCE).map(async ({ path, method, days, patienceMs }) => {
      const signal = AbortSignal.timeout(patienceMs)
      // Many periods: an answer that is kept costs nothing.
      const period = path.includes("?metric") || path.includes("?outcome") ? `&days=${days}` : ""
      const answer = await fetch(`${service.url}${path}${period}`, { method, headers: headersOf(path), signal })
      statuses.add(answer.status)
      await answer.arrayBuffer()
    })
    for (const outcome of await Promise.allSettled(sent))
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ name: "TimeoutError" })
    await expectNothingStuck(service.url, key, member.cookie)
  }
  return statuses
}

/** Every read of a person who waits for nothing is answered, as often as the limit allows it at a time. */
async function expectNothingStuck(url: string, key: string, cookie?: string): Promise<void> {
  const send = (path: string) =>
    fetch(url + path, { headers: { authorization: `Bearer ${key}`, ...(cookie && { cookie }) } }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
    )
  const reads = ["/api/v1/relate?outcome=hrv", "/api/v1/trend?metric=hrv", ...(cookie ? EXPENSIVE.slice(0, 4) : [])]
  await expect.poll(() => Promise.all(reads.map(send)), { timeout: 30_000 }).toEqual(reads.map(() => 200))
}

/** The API's own path must answer as OpenAPI describes it, except where the request never reached the route. */
async function descriptionFault(url: string, { method, target }: RawRequest, answer: Answer) {
  const { status, body, headers } = answer
  if (method !== "GET" || !target.startsWith("/api/v1/health?") || status === 414 || status === 431) return undefined
  const type = headers["content-type"] ?? ""
  const response = new Response(body === "" ? null : body, { status, headers: { "content-type": type } })
  return expectDescribed(url, method, target, response).then(
    () => undefined,
    (error: unknown) => String(error),
  )
}

const describe = ({ route, credential }: HostileRequest, raw: RawRequest, fault: string): string =>
  `${route.method} ${route.path} (${credential}): ${fault}\n  ${JSON.stringify(raw).slice(0, 600)}`

interface Means {
  readonly victim: Victim
  readonly key: string
  /** The time on the vendor's clock. */
  readonly nowMs: number
}

function rawRequestOf(request: HostileRequest, { victim, key, nowMs }: Means): RawRequest {
  const { route, method, credential, contentType } = request
  const body = request.body === undefined ? undefined : victim.fill(request.body)
  const path = victim.fill(request.path)
  const query = victim.fill(request.query)
  const target = query === "" ? path : `${path}?${query}`
  return {
    // Node's parser refuses a longer line before it knows the method, so the refusal has a body.
    method: method === "HEAD" && target.length > HEADER_BYTES ? "GET" : method,
    target,
    headers: {
      "x-forwarded-for": anyAddress(),
      ...(body !== undefined && contentType !== undefined && { "content-type": contentType }),
      ...(route.path.startsWith("/api/webhooks/") && signatureOf(body ?? "", nowMs)),
      ...(credential === "key" ? { authorization: `Bearer ${key}` } : credentialOf(request, victim)),
      ...request.headers,
    },
    body,
  }
}

function credentialOf({ route, credential }: HostileRequest, { expendable, credentials }: Victim) {
  if (credential === "key") return {}
  const endsSession = credential === "session" && ENDS_SESSION.has(`${route.method} ${route.path}`)
  return endsSession ? expendable : credentials[credential]
}

const anyAddress = (): string => Array.from({ length: 4 }, () => Math.floor(Math.random() * 256)).join(".")

/** The vendor's signature, so that its body is read. */
function signatureOf(body: string, nowMs: number): Record<string, string> {
  const timestamp = String(nowMs)
  const signature = createHmac("sha256", VENDOR_APP.clientSecret).update(timestamp).update(body).digest("base64")
  return { "x-whoop-signature": signature, "x-whoop-signature-timestamp": timestamp }
}
