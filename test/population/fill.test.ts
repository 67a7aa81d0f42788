import { createHealthReader, parseApiKey } from "@restwell/core"
import { createWorld } from "@restwell/testing/world"
import { expect, test } from "vitest"
import { fillPopulation } from "../../bench/population/fill-population.ts"
import { apiKeyOfMember, userIdOfMember } from "../../bench/population/member.ts"

const PEOPLE = 7
const DAYS = 12

test("fills the database with people whose keys read the same records as after a sync", async () => {
  const world = await createWorld({ now: new Date() })
  try {
    await fillPopulation({
      connection: world.store.connection,
      cohorts: [{ first: 0, people: PEOPLE, days: DAYS }],
      freshDays: 3,
      templates: 2,
    })
    const reader = createHealthReader(world.context, { pool: world.store.pool, cacheBytes: 0 })
    for (let number = 0; number < PEOPLE; number += 1) {
      const keyHash = parseApiKey(apiKeyOfMember(number))?.keyHash
      if (!keyHash) throw new Error("not a key")
      const reading = await reader.read({
        credential: { keyHash },
        query: { type: "recovery", days: 30 },
        ifNoneMatch: [],
        isCounted: true,
      })
      expect(reading.outcome).toBe("answer")
    }
    const { rows } = await world.store.pool.query(
      `select count(distinct date)::int as days, count(*) filter (where raw ->> 'user_id' !~ '^1[0-9]{7}$')::int as unstamped,
         count(distinct (raw ->> 'user_id'))::int as vendor_users
       from restwell.record where user_id = $1`,
      [userIdOfMember(PEOPLE - 1)],
    )
    expect(rows).toEqual([{ days: DAYS, unstamped: 0, vendor_users: 1 }])
    const { rows: members } = await world.store.pool.query(
      `select count(distinct member_id)::int as n from restwell.connection`,
    )
    expect(members).toEqual([{ n: PEOPLE }])
    const { rows: repeated } = await world.store.pool.query(
      `select provider_id from restwell.record group by provider_id, kind having count(*) > 1`,
    )
    expect(repeated).toEqual([])
  } finally {
    await world.close()
  }
})
