import { recoverUnreadableGrants } from "@restwell/core"
import { afterEach, beforeEach, expect, test } from "vitest"
import { connectionRow, openSubject, read, type Subject } from "./one-person.ts"

const REASON = "the stored tokens cannot be decrypted with this server's secret. Connect again"

let subject: Subject
beforeEach(async () => {
  subject = await openSubject()
  await subject.world.connect(subject.userId, subject.person)
})
afterEach(() => subject.world.close())

/** Names another key in the stored grant, as if the operator had lost the secret. */
const loseSecret = () =>
  subject.world.store.pool.query(
    "update restwell.vendor_grant set key_id = 'x' || key_id, refresh_key_id = 'x' || refresh_key_id",
  )
const restoreSecret = () =>
  subject.world.store.pool.query(
    "update restwell.vendor_grant set key_id = substr(key_id, 2), refresh_key_id = substr(refresh_key_id, 2)",
  )

test.each([
  ["a valid access token", 0],
  ["an expired one", 2 * 3_600_000],
])("tokens that no secret decrypts, %s, require the person to connect again, which works", async (_which, laterMs) => {
  const { world, person, userId } = subject
  await loseSecret()
  world.simulator.clock.advance(laterMs)
  world.simulator.requestLog.clear()
  await world.sync(userId)
  expect(await connectionRow(subject)).toMatchObject({ status: "reauthorization_required", status_reason: REASON })
  expect(JSON.parse(await read(subject, "sleep")).source.status).toBe("reauthorization_required")
  expect(world.simulator.requestLog.count({ path: /./ })).toBe(0)
  await world.connect(userId, person)
  expect(await connectionRow(subject)).toMatchObject({ status: "ok", status_reason: null })
})

test("once the operator has restored the secret, the connection resumes", async () => {
  const { world, userId } = subject
  await loseSecret()
  await world.sync(userId)
  await recoverUnreadableGrants(world.context)
  expect(await connectionRow(subject)).toMatchObject({ status: "reauthorization_required" })
  await restoreSecret()
  await recoverUnreadableGrants(world.context)
  expect(await connectionRow(subject)).toMatchObject({ status: "ok", status_reason: null })
  world.simulator.clock.advance(2 * 3_600_000)
  await world.runDue()
  expect(JSON.parse(await read(subject, "sleep")).source.last_synced_at).toBe(world.context.clock.now().toISOString())
})

test("a restored secret does not resume a connection whose vendor account another account has connected", async () => {
  const { world, person, userId } = subject
  await loseSecret()
  await world.sync(userId)
  const other = await world.addUser()
  await world.connect(other, person)
  await world.store.pool.query(
    "update restwell.vendor_grant set key_id = substr(key_id, 2), refresh_key_id = substr(refresh_key_id, 2) where user_id = $1",
    [userId],
  )
  await recoverUnreadableGrants(world.context)
  expect(await connectionRow(subject)).toMatchObject({ status: "reauthorization_required" })
  expect(await connectionRow({ ...subject, userId: other })).toMatchObject({ status: "ok" })
})

test("a grant that the vendor has ended is not resumed", async () => {
  const { world, person, userId } = subject
  world.simulator.tokens.revokeAll(person)
  await world.sync(userId)
  await recoverUnreadableGrants(world.context)
  expect(await connectionRow(subject)).toMatchObject({ status: "reauthorization_required" })
})
