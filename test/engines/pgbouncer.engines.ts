import { setTimeout as wait } from "node:timers/promises"
import { findEngines } from "@restwell/testing/engines"
import { Member } from "@restwell/testing/member"
import { Client } from "pg"
import { expect, test } from "vitest"
import { POOL_SIZE, startPooledServices } from "./pooled-services.ts"
import { Prober } from "./prober.ts"

const ABSENCES_MS = [0, 1_000, 3_000]
/** Every response comes within this time, even a 503. */
const LONGEST_ANSWER_MS = 6_500
const LONGEST_BACK_MS = 5_000

test("reads come back when PgBouncer restarts, and when others leave its pool", async () => {
  const engines = await findEngines()
  if ("missing" in engines) throw new Error(engines.missing)
  await using services = await startPooledServices(engines, 1_000_000)
  const { urls, whoop, pgbouncer } = services
  const { member, key } = await Member.connected({ url: urls[0] }, whoop.people.add({ email: "reader@vendor.example" }))
  const prober = new Prober(urls, key)
  const backMs: number[] = []
  for (const absenceMs of ABSENCES_MS) {
    await wait(1_000)
    await pgbouncer.restart(absenceMs)
    const restartedMs = performance.now()
    await wait(LONGEST_BACK_MS)
    backMs.push(prober.since(restartedMs).backMs)
  }
  await exhaustPool(pgbouncer.url)
  const releasedMs = performance.now()
  await wait(LONGEST_BACK_MS)
  backMs.push(prober.since(releasedMs).backMs)
  await prober.end()
  const { usage } = await (await member.send("GET", "/api/account")).json()
  process.stdout.write(
    `PgBouncer: reads back after restarts and an exhausted pool in ${backMs.join(", ")} ms; ${prober.answered} reads answered, ` +
      `${prober.uncertain} not, ${usage.used} counted; slowest ${prober.slowestMs} ms\n`,
  )
  expect(prober.wrong).toEqual([])
  expect(prober.slowestMs).toBeLessThan(LONGEST_ANSWER_MS)
  expect(Math.max(...backMs)).toBeLessThan(LONGEST_BACK_MS)
  expect(usage.used).toBeGreaterThanOrEqual(prober.answered)
  expect(usage.used).toBeLessThanOrEqual(prober.answered + prober.uncertain)
}, 120_000)

/** Takes every session of the pool, for longer than a read waits. */
async function exhaustPool(connectionString: string): Promise<void> {
  const clients = Array.from({ length: POOL_SIZE }, () => new Client({ connectionString }))
  const take = async (client: Client): Promise<void> => {
    await client.connect()
    await client.query("begin")
  }
  await Promise.all(clients.map(take))
  await wait(LONGEST_ANSWER_MS + 1_000)
  await Promise.all(clients.map((client) => client.end()))
}
