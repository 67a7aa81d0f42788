import { MEMBER_PAGES, PUBLIC_PAGES } from "@restwell/server/built-pages"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"

let service: TestService
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 3 })
  member = new Member(service)
  await member.signUp()
})
afterAll(() => service.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { redirect: "manual", headers: { cookie: member.cookie, ...headers } })

describe.each([...PUBLIC_PAGES, ...MEMBER_PAGES])("%s", (path) => {
  test("is an HTML document that loads only our own files and cannot be framed", async () => {
    const answer = await get(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8")
    const policy = Object.fromEntries(
      (answer.headers.get("content-security-policy") ?? "").split(";").map((rule) => {
        const [name = "", ...values] = rule.trim().split(" ")
        return [name, values.join(" ")]
      }),
    )
    expect(policy).toEqual({
      "default-src": "'none'",
      "script-src": "'self'",
      "connect-src": "'self'",
      "style-src": "'self'",
      "img-src": "'self'",
      "manifest-src": "'self'",
      "worker-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'self'",
      "frame-ancestors": "'none'",
      "require-trusted-types-for": "'script'",
      "trusted-types": "restwell-worker",
    })
    expect(answer.headers.get("x-frame-options")).toBe("DENY")
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer")
    const html = await answer.text()
    expect([...html.matchAll(/<script\b([^>]*)>([^<]*)<\/script>/g)].map(([, , inline]) => inline)).toEqual(["", ""])
    expect(html).not.toMatch(/<style|\son\w+=|style="/)
  })

  test("is revalidated at each visit, and gets 304 if unchanged", async () => {
    const answer = await get(path)
    // Nothing of a share is kept.
    expect(answer.headers.get("cache-control")).toBe(path === "/shared" ? "no-store" : "no-cache")
    const etag = answer.headers.get("etag") ?? ""
    expect((await get(path, { "if-none-match": etag })).status).toBe(304)
  })
})

test.each(MEMBER_PAGES)("%s redirects to the sign-in page without a session", async (path) => {
  const answer = await fetch(service.url + path, { redirect: "manual" })
  expect(answer.status).toBe(302)
  const next = path === "/" ? "" : `?next=${encodeURIComponent(path)}`
  expect(answer.headers.get("location")).toBe(`/sign-in${next}`)
})

test("phones get an icon for their home screen, as PNG in the size that they ask for", async () => {
  const [, touchIcon = ""] = /rel="apple-touch-icon" href="([^"]+)"/.exec(await (await get("/")).text()) ?? []
  const { icons } = ManifestSchema.parse(await (await get("/assets/manifest.webmanifest")).json())
  const named = icons.filter(({ type }) => type === "image/png").map(({ src, sizes }) => [src, sizes] as const)
  const purposes = icons.map(({ sizes, purpose }) => `${purpose} ${sizes}`)
  for (const wanted of ["any 192x192", "any 512x512", "maskable 192x192", "maskable 512x512"])
    expect(purposes).toContain(wanted)
  for (const [path, size] of [[touchIcon, "180x180"] as const, ...named]) {
    const answer = await get(path)
    expect([answer.status, answer.headers.get("content-type")], path).toEqual([200, "image/png"])
    const image = new DataView(await answer.arrayBuffer())
    // The header of a PNG has width and height at bytes 16 and 20. https://www.w3.org/TR/png-3/#11IHDR
    expect(`${image.getUint32(16)}x${image.getUint32(20)}`, path).toBe(size)
  }
})

const ManifestSchema = z.object({
  icons: z.array(z.object({ src: z.string(), sizes: z.string(), type: z.string(), purpose: z.string() })),
})

test("the service worker may answer for every page, and is revalidated at each visit", async () => {
  const answer = await get("/assets/worker.js")
  expect(answer.headers.get("service-worker-allowed")).toBe("/")
  expect(answer.headers.get("cache-control")).toBe("no-cache")
  expect(answer.headers.get("content-type")).toMatch(/^(?:text|application)\/javascript/)
  const html = await (await get("/sign-in")).text()
  const [, entry = ""] = /<script type="module"[^>]* src="([^"]+)"/.exec(html) ?? []
  expect(await answer.text()).toContain(entry)
})

describe("the assets", () => {
  const assets = async (): Promise<string[]> =>
    [...(await (await get("/")).text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = ""]) => path)

  test("are compressed as the browser accepts, and immutable if their name has a hash", async () => {
    const paths = await assets()
    expect(paths.length).toBeGreaterThan(4)
    for (const path of paths) {
      const isHashed = /-[\w-]{8}\.(?:js|css)$/.test(path)
      for (const encoding of ["br", "gzip"]) {
        const answer = await get(path, { "accept-encoding": encoding })
        expect(answer.status, path).toBe(200)
        // A PNG is compressed already.
        expect(answer.headers.get("content-encoding"), path).toBe(path.endsWith(".png") ? null : encoding)
        expect(answer.headers.get("cache-control")).toBe(
          isHashed ? "public, max-age=31536000, immutable" : "public, max-age=300",
        )
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff")
      }
    }
  })

  test("have at most 190 kB of scripts for the first view", async () => {
    const { page, sizes } = { page: await (await get("/")).text(), sizes: [] as number[] }
    for (const [, path = ""] of page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)) {
      const answer = await get(path, { "accept-encoding": "gzip" })
      sizes.push(Number(answer.headers.get("content-length")))
    }
    expect(sizes.length).toBeGreaterThan(1)
    expect(sizes.every((size) => size > 0)).toBe(true)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(190_000)
  })

  test.each([
    "/assets/none.js",
    "/assets/",
    "/assets/../package.json",
    "/assets/%2e%2e/index.html",
    "/assets/..%2findex.html",
  ])("the unknown path %s gets 4xx in JSON", async (path) => {
    const answer = await get(path)
    expect([400, 403, 404]).toContain(answer.status)
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/)
  })
})

describe("a browser that opens an unknown address", () => {
  const visit = (path: string, accept = "text/html,application/xhtml+xml,*/*;q=0.8") =>
    fetch(`${service.url}${path}`, { headers: { accept } })

  test.each(["/nowhere", "/trend/", "/assets/nothing"])("%s gets the page with the status 404", async (path) => {
    const page = await visit(path)
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
    expect(page.headers.get("cache-control")).toBe("no-store")
    expect(await page.text()).toBe(await (await visit("/sign-in")).text())
  })

  test("gets JSON below /api, and a program gets JSON everywhere", async () => {
    for (const answer of [await visit("/api/nowhere"), await visit("/api/v1/heath"), await visit("/nowhere", "*/*")]) {
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ error: "route_not_found" })
    }
  })
})

describe("another site", () => {
  const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
  test.each([
    ["POST", "/api/account/api-key"],
    ["POST", "/api/auth/sign-out"],
    ["POST", "/api/auth/passkeys/options"],
    ["POST", "/api/auth/set-password"],
    ["DELETE", "/api/auth/passkeys/x"],
    ["DELETE", "/api/account"],
    ["DELETE", "/api/connections/whoop"],
  ])("cannot %s %s with a person's session", async (method, path) => {
    expect((await member.send(method, path, undefined, foreign)).status).toBe(403)
  })

  test("cannot send the session cookie, and no script can read it", async () => {
    const answer = await fetch(`${service.url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: member.email, password: member.password }),
    })
    const [cookie = ""] = answer.headers.getSetCookie().filter((line) => line.startsWith("restwell.session_token"))
    expect(cookie).toMatch(/; HttpOnly/i)
    expect(cookie).toMatch(/; SameSite=Lax/i)
  })
})
