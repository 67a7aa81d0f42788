import { createTestDatabase, type TestDatabase } from "@restwell/testing/database"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type DatabaseProxy, startDatabaseProxy } from "./database-proxy.ts"

let store: TestDatabase
let proxy: DatabaseProxy
let service: TestService
let member: Member
let key: string
beforeAll(async () => {
  store = await createTestDatabase()
  proxy = await startDatabaseProxy(store.connection)
  service = await startTestService({ days: 5, role: "all", environment: { DATABASE_URL: proxy.url } })
  ;({ member, key } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" })))
})
afterAll(async () => {
  await service.close()
  await proxy.close()
  await store.drop()
})

test("answers 503 with Retry-After on every route while the database is down, and recovers by itself", async () => {
  await proxy.cut()
  const answers: [string, Response][] = [
    ["health", await readHealth(service.url, key)],
    ["a bad query", await readHealth(service.url, key, "?days=0")],
    ["the account", await member.send("GET", "/api/account")],
    ["a new key", await member.send("POST", "/api/account/api-key")],
    ["a sync", await member.send("POST", "/api/connections/whoop/sync")],
    ["the vendor's page", await member.send("GET", "/api/connections/whoop/authorize")],
    [
      "signing in",
      await member.send("POST", "/api/auth/sign-in/email", { email: member.email, password: "a password" }),
    ],
    [
      "signing up",
      await member.send("POST", "/api/auth/sign-up/email", {
        name: "Eve",
        email: "eve@example.com",
        password: "a long password",
      }),
    ],
  ]
  for (const [what, answer] of answers) {
    expect([what, answer.status], await answer.clone().text()).toEqual([what, 503])
    expect(Number(answer.headers.get("retry-after")), what).toBeGreaterThan(0)
    expect(answer.headers.get("cache-control"), what).toBe("no-store")
    expect(await answer.json()).toEqual({
      error: "unavailable",
      message: expect.stringMatching(/try again in a moment/),
    })
  }
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${service.url}/docs`)).status).toBe(200)
  await proxy.mend()
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  expect((await readHealth(service.url, key)).status).toBe(200)
  expect((await member.send("GET", "/api/account")).status).toBe(200)
})
