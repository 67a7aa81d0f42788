import Fastify, { type FastifyInstance } from "fastify"
import { afterAll, beforeAll, expect, test } from "vitest"
import { addRoutes } from "../../src/http/plumbing/add-routes.ts"
import { routeOf } from "../../src/http/plumbing/endpoint.ts"
import { sendError } from "../../src/http/plumbing/errors.ts"
import { routesOf } from "../../src/http/routes.ts"
import { passwordEndpoints } from "../../src/http/sign-in/passwords.ts"
import { newEmail, openTestAccounts, PASSWORD, sessionOf, signIn, signUp, type TestAccounts } from "./test-accounts.ts"

const BASE_URL = "http://localhost:3000"

let world: TestAccounts
let app: FastifyInstance
beforeAll(async () => {
  world = await openTestAccounts({ baseUrl: BASE_URL })
  app = await appOf(
    passwordEndpoints.map((endpoint) =>
      routeOf(endpoint, () => ({ ...world, baseUrl: BASE_URL, identityProviders: [], context: Object.create(null) })),
    ),
  )
})
afterAll(async () => {
  await app.close()
  await world.close()
})

async function appOf(routes: Parameters<typeof addRoutes>[1]): Promise<FastifyInstance> {
  const made = Fastify()
  made.setErrorHandler((error, request, reply) =>
    sendError(error, request, reply, { now: new Date(), logFailure() {} }),
  )
  await addRoutes(made, routes, () => BASE_URL)
  return made
}

const foreign: Record<string, string>[] = [
  { origin: "https://evil.example" },
  { origin: "http://localhost:3001" },
  { origin: "https://localhost:3000" },
  { origin: "null" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { origin: "http://localhost:3000", "sec-fetch-site": "cross-site" },
]
const own: Record<string, string>[] = [
  { origin: "http://localhost:3000", "sec-fetch-site": "same-origin" },
  { "sec-fetch-site": "none" },
  {},
]

test.each(foreign)("another site changes nothing about an account, sent with %j", async (headers) => {
  const { email, cookie } = await signUp(world.accounts)
  const post = (path: string, payload: object, more = {}) =>
    app.inject({ method: "POST", url: `/api/auth/${path}`, headers: { ...headers, ...more }, payload })
  const answers = [
    await post("sign-up/email", { name: "Eve", email: newEmail(), password: PASSWORD }),
    await post("sign-in/email", { email, password: PASSWORD }),
    await post("sign-out", {}, { cookie }),
    await post("change-password", { currentPassword: PASSWORD, newPassword: "a new and longer password" }, { cookie }),
  ]
  for (const answer of answers) {
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toEqual({ error: "forbidden", message: expect.stringMatching(/^another site sent this/) })
  }
  expect(await sessionOf(world.accounts, cookie)).toBeDefined()
  await signIn(world.accounts, email)
})

test.each(own)("our own pages and programs that are no browsers sign in, with %j", async (headers) => {
  const { email } = await signUp(world.accounts)
  const payload = { email, password: PASSWORD }
  const answer = await app.inject({ method: "POST", url: "/api/auth/sign-in/email", headers, payload })
  expect(answer.statusCode).toBe(200)
})

/** Every route of the service. A refused request reaches no handler, so the handlers need no services. */
const routes = routesOf(() => ({ ...Object.create(null), config: {}, context: { clock: { now: () => new Date() } } }))
const changes = routes.filter(({ method }) => method !== "GET")

test.each(foreign)("every route that changes something refuses other sites, sent with %j", async (headers) => {
  const all = await appOf(routes)
  const checked = changes.filter(({ fromAnySite }) => !fromAnySite)
  expect(checked.length).toBeGreaterThan(15)
  for (const { method, path } of checked) {
    const answer = await all.inject({ method, url: path.replaceAll(/:\w+/g, "x"), headers })
    expect([method, path, answer.statusCode]).toEqual([method, path, 403])
  }
  await all.close()
})

test("only routes that read no session cookie take changes from other sites", () => {
  const exempt = changes.filter(({ fromAnySite }) => fromAnySite).map(({ method, path }) => `${method} ${path}`)
  expect(exempt.toSorted()).toEqual([
    "POST /api/auth/callback/:provider",
    "POST /api/ingest/health-auto-export",
    "POST /api/ingest/records",
    "POST /api/mcp/oauth",
    "POST /api/mcp/oauth/",
    // Checks the origin itself, and takes no session: test/first-start.
    "POST /api/setup/owner",
    "POST /api/webhooks/:provider",
    "POST /oauth/register",
    "POST /oauth/revoke",
    "POST /oauth/token",
  ])
})
