import type { Person } from "@restwell/simulator"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"

const HOUR_MS = 3_600_000

let world: World
let person: Person
let userId: string

beforeEach(async () => {
  world = await createWorld({ days: 12 })
  person = world.simulator.people.add({ email: "ada@example.com" })
  userId = await world.addUser()
  await world.connect(userId, person)
})
afterEach(() => world.close())

/** Lets the storing of new tokens fail this often, with a lost database connection. */
async function loseDatabase(times: number): Promise<void> {
  await world.store.pool.query(`
    create sequence restwell.losses;
    create function restwell.lose() returns trigger language plpgsql as $$
    begin
      if nextval('restwell.losses') <= ${times} then
        raise exception 'terminating connection due to administrator command' using errcode = '57P01';
      end if;
      return new;
    end $$;
    create trigger lose before update on restwell.vendor_grant for each row
    when (old.access_token is distinct from new.access_token) execute function restwell.lose()`)
}

const status = async (): Promise<string> =>
  (await world.store.pool.query("select status from restwell.connection where user_id = $1", [userId])).rows[0].status

test("tokens that were issued while the database was unreachable are stored once it is back", async () => {
  await loseDatabase(2)
  world.simulator.clock.advance(2 * HOUR_MS)
  await expect(world.sync(userId)).rejects.toThrow("terminating connection")
  expect(world.simulator.requestLog.counters().refreshes).toBe(1)
  await world.sync(userId)
  expect(await status()).toBe("ok")
  expect(world.simulator.requestLog.counters().refreshes).toBe(1)
  world.simulator.clock.advance(2 * HOUR_MS)
  await world.sync(userId)
  expect(await status()).toBe("ok")
})

test("a connection that was marked as revoked meanwhile is active again", async () => {
  await loseDatabase(2)
  world.simulator.clock.advance(2 * HOUR_MS)
  const syncing = world.sync(userId).catch(() => {})
  await expect
    .poll(async () =>
      Number((await world.store.pool.query("select last_value from restwell.losses")).rows[0].last_value),
    )
    .toBe(2)
  await world.store.pool.query(
    "update restwell.connection set status = 'reauthorization_required' where user_id = $1",
    [userId],
  )
  await syncing
  expect(await status()).toBe("ok")
})

test("does not overwrite the tokens of a new connection", async () => {
  await loseDatabase(1)
  world.simulator.clock.advance(2 * HOUR_MS)
  const syncing = world.sync(userId).catch(() => {})
  await expect.poll(() => world.simulator.requestLog.counters().refreshes).toBe(1)
  await world.authorize(userId, person)
  await syncing
  await world.sync(userId)
  expect(await status()).toBe("ok")
})
