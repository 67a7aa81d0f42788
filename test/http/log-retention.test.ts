import { sweepAudit } from "@restwell/core"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import {
  connectNewMember,
  countByAge,
  fillLogs,
  LOGS,
  readAccessLog,
  readSecurityLog,
  readUserId,
} from "./read-logs.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 40 })
})
afterAll(() => service.close())

test("both logs are read in pages, only by their owner", async () => {
  const member = new Member(service)
  await member.signUp()
  const stranger = new Member(service)
  await stranger.signUp()
  await fillLogs(service, await readUserId(member), 230, 1)
  const pages = [await readSecurityLog(member)]
  for (let { next } = pages[0] ?? { next: null }; next; next = pages.at(-1)?.next ?? null)
    pages.push(await readSecurityLog(member, `?before=${next}`))
  expect(pages.map(({ entries }) => entries.length)).toEqual([100, 100, 32])
  expect(new Set(pages.flatMap(({ entries }) => entries.map(({ id }) => id))).size).toBe(232)
  expect((await readAccessLog(stranger, `?before=${"9".repeat(18)}`)).entries).toEqual([])
  expect((await readSecurityLog(stranger, `?before=${"9".repeat(18)}`)).entries.map(({ type }) => type)).toEqual([
    "signed_in",
    "account_created",
  ])
  for (const log of ["access-log", "security-log"])
    expect((await fetch(`${service.url}/api/account/${log}`)).status).toBe(401)
})

test.each(LOGS)("%s is append-only, and only entries older than 90 days can be deleted", async (log) => {
  const member = new Member(service)
  await member.signUp()
  const userId = await readUserId(member)
  await fillLogs(service, userId, 1, 89)
  await fillLogs(service, userId, 1, 91)
  const { pool } = service.store
  const run = (statement: string) => pool.query(statement, [userId])
  const refused = "is append-only"
  await expect(run(`update restwell.${log} set at = now() where user_id = $1`)).rejects.toThrow(refused)
  await expect(run(`delete from restwell.${log} where user_id = $1`)).rejects.toThrow(refused)
  await expect(
    run(
      `delete from restwell.${log} where user_id = $1 and at between now() - interval '90 days' and now() - interval '85 days'`,
    ),
  ).rejects.toThrow(refused)
  await expect(pool.query(`truncate restwell.${log}`)).rejects.toThrow(refused)
  const before = await countByAge(service, userId, log)
  await run(`delete from restwell.${log} where user_id = $1 and at < now() - interval '90 days'`)
  expect(await countByAge(service, userId, log)).toEqual({ ...before, "91": undefined })
})

test("the sweep deletes exactly the entries older than 90 days, whatever the service's clock says", async () => {
  const member = new Member(service)
  await member.signUp()
  const userId = await readUserId(member)
  const { database } = service.store
  const sweepAt = (days: number) =>
    sweepAudit({ database, clock: { now: () => new Date(Date.now() + days * 86_400_000) } })
  await fillLogs(service, userId, 5, 89)
  await fillLogs(service, userId, 12_000, 91)
  await fillLogs(service, userId, 7, 200)
  for (const [days, left] of [
    [-60, { "89": 5, "91": 12_000 }],
    [0, { "89": 5 }],
    [3650, { "89": 5 }],
  ] as const) {
    await sweepAt(days)
    for (const log of LOGS)
      expect(await countByAge(service, userId, log)).toEqual({ ...left, ...(log === LOGS[1] && { "0": 2 }) })
  }
})

test("both logs are exported, and are deleted with their account and no other", async () => {
  const { member, key } = await connectNewMember(service)
  const other = await connectNewMember(service)
  await readHealth(service.url, key, "?type=sleep")
  await readHealth(service.url, other.key)
  const document = await (await member.send("GET", "/api/account/export")).json()
  expect(document.access_log).toMatchObject([{ reader: "api_key", types: ["sleep"], outcome: "answered" }])
  expect(document.security_log.map(({ type }: { type: string }) => type)).toContain("api_key_created")
  expect(document.security_log.at(-1)).toMatchObject({ type: "data_exported", detail: "json" })
  const [userId, otherId] = [await readUserId(member), await readUserId(other.member)]
  expect((await member.send("DELETE", "/api/account", {})).status).toBe(204)
  for (const log of LOGS) {
    expect(await countByAge(service, userId, log)).toEqual({})
    expect(Object.keys(await countByAge(service, otherId, log))).toEqual(["0"])
  }
})
