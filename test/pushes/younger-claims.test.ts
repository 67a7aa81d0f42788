// On a busy machine a statement begins before a push is claimed, and sees the claim. The push must not count as left.
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { Client } from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { newToken, pushed } from "./pusher.ts"

let service: TestService
let member: Member
beforeAll(async () => {
  service = await startTestService()
  member = new Member(service)
  await member.signUp()
  // Each claim is younger than every statement that sees it.
  await service.store.pool.query(`
    create function restwell.claim_later() returns trigger language plpgsql as $$
    begin
      new.claimed_at := clock_timestamp() + interval '1 second';
      return new;
    end $$;
    create trigger claim_later before insert or update of claimed_at on restwell.push
      for each row execute function restwell.claim_later()`)
}, 120_000)
afterAll(() => service.close())

test("a push that its own process stores is never taken over, and is answered", async () => {
  const { token } = await newToken(member)
  const blocker = new Client(service.store.connection)
  await blocker.connect()
  await blocker.query("begin; lock table restwell.import in access exclusive mode")
  const at = new Date(Date.now() - 3_600_000).toISOString()
  const report = pushed(service, { records: [{ type: "heart_rate", start: at, value: 60 }] }, { token })
  const claims = async () => {
    const { rows } = await service.store.pool.query<{ at: Date; deaths: number }>(
      "select claimed_at as at, deaths from restwell.push where status = 'queued'",
    )
    return rows
  }
  // The service looks for left pushes after each time that it shows its life.
  const seen = new Set<number>()
  await expect
    .poll(async () => (await claims()).map(({ at: claimedAt }) => seen.add(claimedAt.getTime()).size), {
      timeout: 120_000,
    })
    .toEqual([4])
  expect((await claims()).map(({ deaths }) => deaths)).toEqual([0])
  await blocker.query("rollback")
  await blocker.end()
  expect(await report).toMatchObject({ stored: 1 })
}, 240_000)
