import { foldAccessLog, sweepAudit } from "@restwell/core"
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

/** Reads of two days, by two readers, of two requests, all about noon UTC. */
const POLLED = `insert into restwell.access_log
    (user_id, at, reader, key_name, client_id, assistant, operation, types, start_date, end_date, record_count, outcome, reads)
  select $1, date_trunc('day', now()) - make_interval(days => age) + interval '12 hours' + make_interval(mins => n),
    case when n % 4 = 0 then 'assistant' else 'api_key' end, case when n % 4 = 1 then 'cron' end,
    case when n % 4 = 0 then 'client' end, case when n % 4 = 0 then 'Claude' end,
    '/api/v1/health', '{sleep}', date '2026-01-01', date '2026-01-01' + n % 2, n % 3, 'answered', 1 + n % 2
  from generate_series(1, 240) n, (values (3), (9), (10)) ages (age)`

test("a day without equal reads stops no older day from being folded, and the next runs go on", async () => {
  const member = new Member(service)
  await member.signUp()
  const userId = await readUserId(member)
  const { database, pool } = service.store
  const add = (ages: string) => pool.query(POLLED.replace("(3), (9), (10)", ages), [userId])
  const ages = Array.from({ length: 35 }, (_, index) => index + 20)
  await add(ages.map((age) => `(${age})`).join(", "))
  await fillLogs(service, userId, 1, 9)
  await fillLogs(service, userId, 1, 12)
  const folded = async () => {
    await foldAccessLog({ database })
    const byAge = await countByAge(service, userId, "access_log")
    return ages.filter((age) => byAge[age] === 12)
  }
  const first = await folded()
  expect(first.length).toBeGreaterThan(20)
  expect(first).toEqual(ages.slice(ages.length - first.length))
  expect(first.length).toBeLessThanOrEqual(30)
  expect(await folded()).toEqual(ages)
  await add("(11)")
  await folded()
  expect(await countByAge(service, userId, "access_log")).toMatchObject({ "9": 1, "11": 12, "12": 1 })
})

test("after a week, equal reads of a day are one entry with their number, and no read is lost", async () => {
  const member = new Member(service)
  await member.signUp()
  const userId = await readUserId(member)
  const { database, pool } = service.store
  await pool.query(POLLED, [userId])
  const read = async (columns: string) =>
    (
      await pool.query(
        `select at::date as day, reader, key_name, end_date, record_count, ${columns} from restwell.access_log
         where user_id = $1 group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
        [userId],
      )
    ).rows
  const [reads, newest] = [await read("sum(reads)::int as reads"), await read("max(id) as id, max(at) as at")]
  const fold = () => foldAccessLog({ database })
  await Promise.all([fold(), fold()])
  await fold()
  expect(await read("sum(reads)::int as reads")).toEqual(reads)
  expect(await read("max(id) as id, max(at) as at")).toEqual(newest)
  expect(await countByAge(service, userId, "access_log")).toEqual({ "3": 240, "9": 12, "10": 12 })
  const log = await readAccessLog(member)
  expect(log.entries.map(({ id }) => Number(id))).toEqual(
    log.entries.map(({ id }) => Number(id)).toSorted((a, b) => b - a),
  )
})

test("an old entry keeps everything but its number of reads, and a younger one its number too", async () => {
  const member = new Member(service)
  await member.signUp()
  const userId = await readUserId(member)
  const { pool } = service.store
  await fillLogs(service, userId, 3, 8)
  await fillLogs(service, userId, 3, 6)
  const run = (statement: string) => pool.query(statement.replace("ACCESS", "restwell.access_log"), [userId])
  for (const statement of [
    "delete from ACCESS where user_id = $1 and at < now() - interval '7 days'",
    "delete from ACCESS where user_id = $1 and id = (select min(id) from restwell.access_log where user_id = $1 and at > now() - interval '7 days')",
    "update ACCESS set reads = 0 where user_id = $1 and at < now() - interval '7 days'",
    "update ACCESS set reads = 9, outcome = 'refused' where user_id = $1 and at < now() - interval '7 days'",
    "update ACCESS set reads = 9 where user_id = $1 and at > now() - interval '7 days'",
  ])
    await expect(run(statement)).rejects.toThrow(/append-only|check constraint/)
  expect(await countByAge(service, userId, "access_log")).toEqual({ "6": 3, "8": 3 })
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
