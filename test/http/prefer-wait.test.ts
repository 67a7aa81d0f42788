// `Prefer: wait=N` on reads of today, before the night is scored. RFC 7240
import { AccountResponseSchema, KeyResponseSchema } from "@restwell/client"
import { expectDescribed, Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const HOUR_MS = 3_600_000
/** Reads of one person that wait at a time. */
const MOST_WAITING = 4
const RECOVERY = "/api/v1/health?type=recovery&days=1"

let service: TestService
let member: Member
let key: string
/** Answers requests and does no work: what changes, another process writes. */
let replica: string
beforeAll(async () => {
  // At night, before anybody has woken.
  service = await startTestService({ days: 30, now: new Date("2026-11-20T02:00:00Z"), isStill: true })
  const person = service.simulator.people.add({ email: "ada@vendor.example" })
  ;({ member, key } = await Member.connected(service, person))
  replica = (await service.startReplica("api")).url
})
afterAll(() => service.close())

interface Asked {
  readonly at?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

async function read(path: string, prefer: string, { at = replica, headers, signal }: Asked = {}): Promise<Response> {
  const answer = await fetch(at + path, {
    headers: { authorization: `Bearer ${key}`, prefer, ...headers },
    ...(signal && { signal }),
  })
  await expectDescribed(service.url, "GET", path, answer)
  return answer
}

const usedOf = async (): Promise<number> =>
  AccountResponseSchema.parse(await (await member.send("GET", "/api/account")).json()).usage.used

const appliedTo = ({ headers }: Response): string | null => headers.get("preference-applied")

/** Resolves once reads that were sent before wait: this one was sent later, and has waited a second. */
async function untilOthersWait(): Promise<void> {
  expect(appliedTo(await read(RECOVERY, "wait=1"))).toBe("wait=1")
}

test("a read without a score waits as long as it prefers, says so, and is counted once", async () => {
  const before = await usedOf()
  const began = performance.now()
  const answer = await read(RECOVERY, "wait=1")
  expect(performance.now() - began).toBeGreaterThan(990)
  expect([answer.status, appliedTo(answer)]).toEqual([200, "wait=1"])
  expect(await answer.json()).toMatchObject({ records: [] })
  expect(await usedOf()).toBe(before + 1)
  const etag = answer.headers.get("etag") ?? ""
  const unchanged = await read(RECOVERY, "wait=1", { headers: { "if-none-match": etag } })
  expect([unchanged.status, appliedTo(unchanged), unchanged.headers.get("etag")]).toEqual([304, "wait=1", etag])
  expect(await usedOf()).toBe(before + 1)
})

test.each([
  ["respond-async, wait=1", "wait=1"],
  ['WAIT = "1"; strict', "wait=1"],
  ["wait=1, wait=60", "wait=1"],
  ["wait", null],
  ["wait=soon", null],
  ["wait=-1", null],
  ["wait=0", null],
  ["wait=soon, wait=60", null],
  ['other="a, wait=60"', null],
  ["return=minimal", null],
])("Prefer: %s is applied as %s", async (prefer, applied) => {
  expect(appliedTo(await read(RECOVERY, prefer))).toBe(applied)
})

test("nothing waits that is refused, that has no night of today, or that has no body", async () => {
  const yesterday = "2026-11-19"
  for (const path of [
    `/api/v1/health?type=sleep&end_date=${yesterday}`,
    `/api/v1/day?date=${yesterday}`,
    "/api/v1/health?type=profile",
    "/api/v1/health?type=cycle",
    "/api/v1/series?type=heart_rate",
    "/api/v1/trend?metric=strain",
  ])
    expect(appliedTo(await read(path, "wait=60")), path).toBeNull()
  const stranger = { authorization: `Bearer rw_${"a".repeat(43)}` }
  expect((await read(RECOVERY, "wait=60", { headers: stranger })).status).toBe(401)
  const made = await member.send("POST", "/api/account/keys", { name: "Sleep", types: ["sleep"] })
  const { api_key: part } = KeyResponseSchema.parse(await made.json())
  const refused = await read(RECOVERY, "wait=60", { headers: { authorization: `Bearer ${part}` } })
  expect([refused.status, appliedTo(refused)]).toEqual([403, null])
  const head = await fetch(replica + RECOVERY, {
    method: "HEAD",
    headers: { authorization: `Bearer ${key}`, prefer: "wait=60" },
  })
  expect([head.status, appliedTo(head)]).toEqual([200, null])
})

test("a few reads of a person wait, more are answered at once, and who leaves makes room and is not counted", async () => {
  const before = await usedOf()
  const leaving = new AbortController()
  // Statistics wait without a place among the expensive reads of the person.
  const paths = ["/api/v1/day", "/api/v1/trend?metric=hrv", "/api/v1/health", RECOVERY]
  const sent: Promise<unknown>[] = []
  let [short, answered] = [0, 0]
  const waitShortly = async () => {
    short += 1
    return appliedTo(await read(RECOVERY, "wait=1"))
  }
  await expect
    .poll(() => {
      const path = paths[sent.length % paths.length] ?? RECOVERY
      sent.push(read(path, "wait=60", { signal: leaving.signal }).then(() => (answered += 1)))
      return waitShortly()
    })
    .toBeNull()
  await expect.poll(() => answered).toBe(sent.length - MOST_WAITING)
  leaving.abort()
  const ended = await Promise.allSettled(sent)
  expect(ended.filter(({ status }) => status === "rejected")).toHaveLength(MOST_WAITING)
  await expect.poll(waitShortly).toBe("wait=1")
  expect(await usedOf()).toBe(before + answered + short)
})

test("a process that stops answers the reads that wait", async () => {
  const stopping = await service.startReplica("api")
  const waiting = read(RECOVERY, "wait=60", { at: stopping.url })
  expect(appliedTo(await read(RECOVERY, "wait=1", { at: stopping.url }))).toBe("wait=1")
  const began = performance.now()
  await stopping.close()
  const answer = await waiting
  expect([answer.status, appliedTo(answer)]).toEqual([200, "wait=60"])
  expect(performance.now() - began).toBeLessThan(30_000)
})

test("the score ends the wait, whichever process stores it, and later reads do not wait", async () => {
  const earlier = await read(RECOVERY, "")
  const etag = earlier.headers.get("etag") ?? ""
  const waiting = [
    read(RECOVERY, "wait=60", { headers: { "if-none-match": etag } }),
    read("/api/v1/health?days=1", "wait=100"),
    read("/api/v1/day", "wait=60"),
  ]
  await untilOthersWait()
  const before = await usedOf()
  service.simulator.clock.advance(12 * HOUR_MS)
  await service.simulator.webhooks.flush()
  const [recovery, summary, day] = await Promise.all(waiting)
  expect([recovery, summary, day].map((answer) => answer && appliedTo(answer))).toEqual(Array(3).fill("wait=60"))
  expect(await recovery?.json()).toMatchObject({ records: [{ date: "2026-11-20", score_state: "scored" }] })
  expect(recovery?.headers.get("etag")).not.toBe(etag)
  expect(recovery?.headers.get("vary")).toContain("Prefer")
  expect(await summary?.json()).toMatchObject({
    sleep: { night_count: 1 },
    recovery: { average_score: expect.any(Number) },
  })
  expect(await day?.json()).toMatchObject({ date: "2026-11-20", recovery: { count: 1 } })
  expect(await usedOf()).toBe(before + 3)
  expect(appliedTo(await read(RECOVERY, "wait=60"))).toBeNull()
})

test("nothing waits for what the person's devices never give", async () => {
  const person = service.simulator.people.add({ email: "mat@vendor.example" })
  const { member: owner, key: own } = await Member.connected(service, person)
  const of = `user_id = (select id from restwell."user" where email = $1)`
  await service.store.pool.query(`delete from restwell.record where kind = 'recovery' and ${of}`, [owner.email])
  const { rowCount } = await service.store.pool.query(`select 1 from restwell.record where kind = 'sleep' and ${of}`, [
    owner.email,
  ])
  expect(rowCount).toBeGreaterThan(0)
  const authorization = { authorization: `Bearer ${own}` }
  expect(appliedTo(await read(RECOVERY, "wait=60", { headers: authorization }))).toBeNull()
})
