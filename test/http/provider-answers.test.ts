// Answers of an OpenID provider that must not sign anybody in, and what they may cost.
import { AccountResponseSchema } from "@restwell/client"
import { type OpenIdFaults, type OpenIdProvider, startOpenIdProvider } from "@restwell/testing/openid-provider"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { takeErrors } from "./passkey-device.ts"
import { ProviderVisitor } from "./provider-visitor.ts"

const MB = 1_048_576

let google: OpenIdProvider
let service: TestService
const startService = () =>
  startTestService({
    days: 3,
    environment: { GOOGLE_CLIENT_ID: "client", GOOGLE_CLIENT_SECRET: "secret", GOOGLE_ISSUER: google.issuer },
  })
beforeAll(async () => {
  google = await startOpenIdProvider()
  service = await startService()
})
afterAll(async () => {
  await service.close()
  await google.close()
})
beforeEach(() => {
  google.faults = {}
  google.person = { sub: crypto.randomUUID(), email: `${crypto.randomUUID()}@example.com`, name: "Ada Berg" }
})
afterEach(() => expect(takeErrors(service)).toEqual([]))

const FAILED = "/sign-in?problem=failed"

async function expectRefused(): Promise<void> {
  const visitor = new ProviderVisitor(service.url)
  expect(await visitor.signIn()).toBe(service.url + FAILED)
  expect((await visitor.account()).status).toBe(401)
  const { rows } = await service.store.pool.query(`select from restwell."user" where lower(email) = lower($1)`, [
    google.person.email,
  ])
  expect(rows).toEqual([])
}

test.each<[keyof OpenIdFaults]>([
  ["noIdToken"],
  ["wrongAuthorizedParty"],
  ["numericSubject"],
  ["wrongNonce"],
  ["foreignKey"],
  ["tokenFails"],
])("the fault %s signs nobody in, and is a warning that names it", async (fault) => {
  google.faults = { [fault]: true }
  await expectRefused()
  const warnings = service.log.map((line) => JSON.parse(line)).filter(({ level }) => level === 40)
  expect(warnings).toMatchObject([{ provider: "google", reason: expect.stringMatching(/\w/) }])
})

test.each(["not an address", "ada@example.com\nbcc: eve@example.com", `${"a".repeat(300)}@example.com`, "", "a@b"])(
  "the email address %j creates no account",
  async (email) => {
    google.person = { ...google.person, email }
    await expectRefused()
  },
)

test("an email address is stored in lower case, so that it is the same as the typed one", async () => {
  const { email } = google.person
  google.person = { ...google.person, email: ` ${email.toUpperCase()} ` }
  const visitor = new ProviderVisitor(service.url)
  expect(await visitor.signIn()).toBe(`${service.url}/`)
  const { user } = AccountResponseSchema.parse(await (await visitor.account()).json())
  expect(user.email).toBe(email)
})

test.each(["/token", "/jwks", "/.well-known/openid-configuration"] as const)(
  "an answer of %s that never ends is cut off, and costs little memory",
  async (endless) => {
    const fresh = await startService()
    try {
      const visitor = new ProviderVisitor(fresh.url)
      const callback = endless.startsWith("/.well") ? undefined : await visitor.visit()
      google.faults = { endless }
      const before = process.memoryUsage().rss
      const began = performance.now()
      const path = callback ?? `${fresh.url}/api/auth/sign-in/google`
      expect(await visitor.get(path)).toBe(fresh.url + FAILED)
      expect(performance.now() - began).toBeLessThan(10_000)
      expect(process.memoryUsage().rss - before).toBeLessThan(100 * MB)
    } finally {
      await fresh.close()
    }
  },
)

test.each(["/token", "/jwks", "/.well-known/openid-configuration"] as const)(
  "%s that never answers delays a sign-in by no more than the limit",
  async (silent) => {
    const fresh = await startService()
    try {
      const visitor = new ProviderVisitor(fresh.url)
      const callback = silent.startsWith("/.well") ? undefined : await visitor.visit()
      google.faults = { silent }
      const began = performance.now()
      expect(await visitor.get(callback ?? `${fresh.url}/api/auth/sign-in/google`)).toBe(fresh.url + FAILED)
      expect(performance.now() - began).toBeLessThan(10_000)
    } finally {
      await fresh.close()
    }
  },
)
