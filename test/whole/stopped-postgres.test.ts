import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { NOT_DURABLE, postmasterPid, startPostgres } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { serviceEnvironment, startServiceProcess, UNLIMITED_QUOTA } from "@restwell/testing/service"
import { expect, test } from "vitest"
import { startVendorBehind } from "./coming-nights.ts"
import { countOf, outcomeOf, slowestMs, startLoad } from "./load.ts"

const run = promisify(execFile)

/** Every response comes within this time, even a 503. */
const LONGEST_ANSWER_MS = 9_000
const READERS = 8

async function signalAll(postmaster: number, signal: NodeJS.Signals): Promise<void> {
  const { stdout } = await run("ps", ["-ax", "-o", "pid=,ppid="])
  const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number))
  const children = rows.flatMap(([pid, parent]) => (pid !== undefined && parent === postmaster ? [pid] : []))
  for (const pid of [postmaster, ...children]) process.kill(pid, signal)
}

test("while PostgreSQL stands still every answer is a 503, and reads are answered when it goes on", async () => {
  const vendor = await startVendorBehind()
  // Few connections make its queue of new ones short, so that it is soon full.
  const postgres = await startPostgres({ settings: { ...NOT_DURABLE, max_connections: "32" } })
  const service = await startServiceProcess({
    environment: { ...serviceEnvironment(postgres, vendor), ...UNLIMITED_QUOTA },
  })
  const { url } = service
  try {
    const { member, key } = await Member.connected({ url }, vendor.people.add({ email: "ada@vendor.example" }))
    const headers = { authorization: `Bearer ${key}` }
    const read = { name: "read", send: () => fetch(`${url}/api/v1/health?type=sleep&days=7`, { headers }) }
    const readiness = { name: "readyz", send: () => fetch(`${url}/readyz`) }
    const account = { name: "account", send: () => fetch(`${url}/api/account`, { headers: { cookie: member.cookie } }) }
    for (let count = 0; count < READERS; count += 1) expect((await read.send()).status).toBe(200)
    const pid = await postmasterPid(postgres.cluster.home.cluster)
    await signalAll(pid, "SIGSTOP")
    const load = startLoad([...Array(READERS).fill(read), account, readiness], 5)
    // Until connections are refused because the queue is full.
    await expect
      .poll(() => countOf(load.outcomes, 503, "read"), { timeout: 60_000, interval: 100 })
      .toBeGreaterThan(READERS * 5)
    const outcomes = await load.stop()
    await signalAll(pid, "SIGCONT")
    expect(outcomes.filter(({ status }) => status !== 503)).toEqual([])
    expect(slowestMs(outcomes)).toBeLessThan(LONGEST_ANSWER_MS)
    await expect.poll(async () => (await readiness.send()).status, { timeout: 30_000 }).toBe(200)
    process.stdout.write(`PostgreSQL stood still: ${outcomes.length} requests, slowest ${slowestMs(outcomes)} ms\n`)
    expect((await outcomeOf(read)).status).toBe(200)
    expect(service.isRunning()).toBe(true)
  } finally {
    await service.stop("SIGKILL")
    await postgres.remove()
    await vendor.close()
  }
}, 180_000)
