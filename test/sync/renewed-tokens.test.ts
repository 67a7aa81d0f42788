// A vendor rejects an access token that it has just renewed: what the account says depends on whether the token still reads the profile.
import { requestSync } from "@restwell/core"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openSubject, type Subject } from "./one-person.ts"

const MINUTE_MS = 60_000

let subject: Subject
beforeEach(async () => {
  subject = await openSubject()
  await subject.world.connect(subject.userId, subject.person)
})
afterEach(() => subject.world.close())

const reject = (path: RegExp) => subject.world.simulator.faults.add({ kind: "status", status: 401, match: { path } })

async function syncAfter(minutes: number): Promise<void> {
  const { world, userId } = subject
  world.simulator.clock.advance(minutes * MINUTE_MS)
  await requestSync(world.context, { userId, provider: "whoop" })
  await world.runDue()
}

async function connection() {
  const columns = "select status, status_reason, gaps from restwell.connection where user_id = $1"
  const { rows } = await subject.world.store.pool.query(columns, [subject.userId])
  return rows[0]
}

const retryMs = ({ gaps: [gap] }: Awaited<ReturnType<typeof connection>>) =>
  Date.parse(gap.retryAt) - subject.world.simulator.clock.nowMs()

test("a token that ended twice in a row is called ended, is renewed within a minute, and nothing is missing then", async () => {
  const repair = reject(/\/activity\/workout|\/user\/profile/)
  await syncAfter(20)
  const ended = await connection()
  expect(ended).toMatchObject({
    status: "ok",
    gaps: [
      {
        collection: "workout",
        reason: "WHOOP ended Restwell's access to workouts right after it was renewed",
        nextStep: "Restwell asks again by itself. If it stays, connect WHOOP again",
        helpsReconnect: true,
      },
    ],
  })
  expect(retryMs(ended)).toBeLessThanOrEqual(MINUTE_MS)
  repair()
  await syncAfter(2)
  expect(await connection()).toMatchObject({ status: "ok", gaps: [] })
})

test("a collection whose tokens are rejected while they read the profile is not allowed, and waits like any refusal", async () => {
  reject(/\/activity\/workout/)
  await syncAfter(20)
  const refused = await connection()
  expect(refused).toMatchObject({ gaps: [{ reason: "WHOOP does not allow workouts", helpsReconnect: true }] })
  expect(retryMs(refused)).toBeGreaterThan(20 * MINUTE_MS)
})

test("a vendor that rejects each renewed token is not said to be silent", async () => {
  const repair = reject(/\/developer\/v2/)
  await syncAfter(20)
  expect(await connection()).toMatchObject({
    status: "vendor_unavailable",
    status_reason:
      "WHOOP ended Restwell's access right after it was renewed. Restwell tries again by itself. If it stays, connect again",
  })
  repair()
  await syncAfter(5)
  expect(await connection()).toMatchObject({ status: "ok", gaps: [] })
})
