import { MEMBER_PAGES, PUBLIC_PAGES } from "@restwell/server/built-pages"
import { Member } from "@restwell/testing/member"
import { METRICS_HEADERS, startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type AttackedRoute, serviceRoutes } from "../attacks/service-routes.ts"
import { sampleOf } from "../attacks/valid-requests.ts"

let service: TestService
let member: Member
let key: string
beforeAll(async () => {
  service = await startTestService({ days: 30, environment: { FREE_MONTHLY_REQUESTS: "100" } })
  ;({ member, key } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" })))
})
afterAll(() => service.close())

const addressOf = (route: AttackedRoute): string => {
  const { query = {}, segment = "whoop" } = sampleOf(route)
  const search = new URLSearchParams(query).toString()
  return `${service.url}${route.path.replaceAll(/:\w+/g, segment)}${search === "" ? "" : `?${search}`}`
}
const allHeaders = (): Record<string, string> => ({ cookie: member.cookie, authorization: `Bearer ${key}` })
const send = (method: string, address: string, headers: Record<string, string>) =>
  fetch(address, { method, headers, redirect: "manual" })
const getRoutes = () => serviceRoutes().filter(({ method }) => method === "GET")

test("HEAD of every route has the status of GET and no body, with and without a credential", async () => {
  const routes = getRoutes().filter(({ isVisit }) => !isVisit)
  expect(routes.length).toBeGreaterThan(40)
  for (const route of routes)
    for (const headers of [{}, allHeaders()]) {
      const address = addressOf(route)
      const head = await send("HEAD", address, headers)
      const get = await send("GET", address, headers)
      expect([route.path, head.status, await head.text()]).toEqual([route.path, get.status, ""])
      await get.body?.cancel()
      // A length would be that of another body.
      const length = head.headers.get("content-length")
      if (length !== null) expect([route.path, length]).toEqual([route.path, get.headers.get("content-length")])
    }
})

const PUBLIC = /^\/api\/v1\/|\.well-known\/|^\/(?:oauth\/jwks|oauth\/style\.css|openapi\.json|llms\.txt|setup)$/
const PAGES: ReadonlySet<string> = new Set([...PUBLIC_PAGES, ...MEMBER_PAGES])

test("only pages, public documents and reads with a key may be stored", async () => {
  const stored: string[] = []
  for (const route of getRoutes().filter(({ isVisit }) => !isVisit)) {
    const answer = await send("GET", addressOf(route), allHeaders())
    await answer.body?.cancel()
    if (answer.headers.get("cache-control") !== "no-store") stored.push(route.path)
  }
  expect(stored.length).toBeGreaterThan(30)
  expect(stored.filter((path) => !PAGES.has(path) && !PUBLIC.test(path))).toEqual([])
})

test("HEAD of a step that works once is refused, and the step still works", async () => {
  const visits = getRoutes().filter(({ isVisit, isProbed }) => isVisit && !isProbed)
  expect(visits.map(({ path }) => path)).toContain("/api/connections/:provider/authorize")
  for (const route of visits) {
    const head = await send("HEAD", addressOf(route), allHeaders())
    expect([route.path, head.status]).toEqual([route.path, 405])
    expect(head.headers.get("allow")?.split(", ")).not.toContain("HEAD")
    expect((await send("GET", addressOf(route), allHeaders())).status).not.toBe(405)
  }
})

test("a vendor that looks for its redirect URL with HEAD finds it without signing in, and nothing happens", async () => {
  const probed = getRoutes().filter(({ isProbed }) => isProbed)
  expect(probed.map(({ path }) => path)).toEqual(["/api/connections/:provider/callback"])
  for (const route of probed)
    for (const headers of [{}, allHeaders()]) {
      const address = `${addressOf(route)}?state=x&code=y`
      const head = await send("HEAD", address, headers)
      expect([head.status, await head.text(), head.headers.get("location")]).toEqual([200, "", null])
      expect(head.headers.get("cache-control")).toBe("no-store")
      const other = await send("PATCH", address, headers)
      expect([other.status, other.headers.get("allow")]).toEqual([405, expect.stringContaining("HEAD")])
    }
})

describe("HEAD computes no body", () => {
  test.each([
    "/api/v1/health?type=sleep&days=90",
    "/api/v1/relate?outcome=hrv",
    "/api/account/relate?outcome=hrv",
    "/api/account/trends?days=all",
    "/api/account/journal?days=all",
    "/api/account/sources",
    "/api/account/access-log",
    "/api/account/export",
    "/metrics",
  ])("%s", async (path) => {
    const headers = path === "/metrics" ? METRICS_HEADERS : allHeaders()
    const head = await send("HEAD", service.url + path, headers)
    expect([head.status, head.headers.get("content-length")]).toEqual([200, null])
  })

  test("so HEAD of the export is none in the security log", async () => {
    const logged = async (): Promise<string> => (await member.send("GET", "/api/account/security-log")).text()
    const before = await logged()
    await send("HEAD", `${service.url}/api/account/export`, allHeaders())
    expect(await logged()).toBe(before)
  })
})

test.each([
  ["/api/v1/trend?metric=nonsense", 400],
  ["/api/v1/relate?outcome=hrv&factor=nonsense", 400],
  ["/api/v1/health?days=91", 400],
  ["/api/account/trends?days=0", 400],
  ["/api/account/export?format=xml", 400],
])("HEAD %s gets %i, as GET does", async (path, status) => {
  for (const method of ["HEAD", "GET"])
    expect((await send(method, service.url + path, allHeaders())).status).toBe(status)
})

test("HEAD gets 429 when the month is used up, as GET does, and 304 still costs nothing", async () => {
  const path = `${service.url}/api/v1/relate?outcome=hrv&days=29`
  const etag = (await send("GET", path, allHeaders())).headers.get("etag") ?? ""
  await service.store.pool.query("update restwell.usage set used = 100")
  for (const method of ["HEAD", "GET"]) {
    const refused = await send(method, path, allHeaders())
    expect([refused.status, refused.headers.get("x-ratelimit-remaining")]).toEqual([429, "0"])
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect((await send(method, path, { ...allHeaders(), "if-none-match": etag })).status).toBe(304)
  }
})

test("GET of a redirect URL without a session and without a response finds it too, and a response needs the session", async () => {
  for (const route of getRoutes().filter(({ isProbed }) => isProbed)) {
    const bare = `${service.url}${route.path.replaceAll(/:\w+/g, "withings")}`
    for (const accept of ["*/*", "text/html"]) {
      const look = await send("GET", bare, { accept })
      expect([look.status, look.headers.get("location")]).toEqual([200, null])
      expect(look.headers.get("cache-control")).toBe("no-store")
    }
    for (const search of ["?state=x&code=y", "?error=access_denied"])
      expect((await send("GET", `${bare}${search}`, {})).status).toBe(401)
    expect((await send("GET", bare, allHeaders())).status).toBe(400)
  }
})
