import { Member, readHealth } from "@restwell/testing/member"
import { readMetrics, startTestService } from "@restwell/testing/service"
import { expect, test } from "vitest"
import { startMailServer } from "../people/mail-server.ts"

test("api and worker processes form one service, and each can be stopped and started", async () => {
  const service = await startTestService({ role: "api", days: 30 })
  const person = service.simulator.people.add({ email: "ada@vendor.example" })
  const member = new Member(service)
  await member.signUp()
  await member.connect(person)
  const key = await member.newKey()
  const waiting = await (await readHealth(service.url, key, "?type=sleep")).json()
  expect(waiting).toMatchObject({
    count: 0,
    empty_reason: "history_syncing",
    source: { status: "syncing", last_synced_at: null },
  })
  const worker = await service.startReplica("worker")
  await member.untilHistoryIsComplete()
  const figures = await readMetrics(worker)
  expect(figures).toMatch(/^restwell_sync_duration_seconds_count\{outcome="done"\} [1-9]/m)
  expect(figures).not.toContain(person.email)
  await worker.close()
  const answer = await (await readHealth(service.url, key, "?type=sleep")).json()
  expect(answer.count).toBeGreaterThan(0)
  expect(answer.source.status).toBe("ok")
  await service.close()
})

test("a worker answers its probes and nothing else", async () => {
  const service = await startTestService({ role: "worker" })
  const statusOf = async (path: string) => (await fetch(service.url + path)).status
  expect(await statusOf("/healthz")).toBe(200)
  expect(await statusOf("/readyz")).toBe(200)
  const figures = await readMetrics(service)
  for (const name of ["process_cpu_seconds_total", "restwell_connections"]) expect(figures).toContain(name)
  for (const path of ["/", "/api/v1/health", "/docs", "/api/account"]) expect(await statusOf(path)).toBe(404)
  await service.close()
  await expect(fetch(`${service.url}/healthz`)).rejects.toThrow("fetch failed")
})

test("a worker hears of a mail server that the owner enters, and of emails, before it would look by itself", {
  timeout: 20_000,
}, async () => {
  const mail = await startMailServer()
  const service = await startTestService({ role: "api" })
  const owner = new Member(service)
  await owner.setUp()
  const worker = await service.startReplica("worker")
  const { hostname: host, port } = new URL(mail.url)
  const settings = { host, port: Number(port), from: "home@restwell.example" }
  expect((await owner.send("PUT", "/api/service/mail", settings)).status).toBe(200)
  for (const email of ["first@example.com", "second@example.com"]) {
    await owner.send("POST", "/api/service/invitations", { email, send: true })
    await mail.mailTo(email)
  }
  await worker.close()
  await service.close()
  await mail.close()
})
