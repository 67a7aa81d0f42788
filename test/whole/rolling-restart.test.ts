import type { Simulator } from "@restwell/simulator"
import { callConnector, connectAssistant } from "@restwell/testing/assistant"
import { createTestDatabase, type TestDatabase } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { type ReservedPort, reservePort } from "@restwell/testing/port"
import {
  linesBesideRequests,
  type ServiceProcess,
  serviceEnvironment,
  startServiceProcess,
  UNLIMITED_QUOTA,
} from "@restwell/testing/service"
import { startVendor } from "@restwell/testing/vendor"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Balancer, startBalancer } from "./balancer.ts"
import { type Kind, slowestMs, startLoad } from "./load.ts"
import { type ReadinessWatch, watchReadiness } from "./watch-readiness.ts"

const PEOPLE = 3
/** Readiness is checked often, so no drain reaches its time limit of six seconds. */
const LONGEST_DRAIN_MS = 4_000

let simulator: Simulator
let store: TestDatabase
let balancer: Balancer
let readiness: ReadinessWatch
let ports: ReservedPort[]
const running = new Map<number, ServiceProcess>()
const logs: string[][] = []

beforeAll(async () => {
  simulator = await startVendor({ days: 30, wearsAlways: true })
  store = await createTestDatabase()
  ports = [reservePort(), reservePort()]
  balancer = await startBalancer()
  readiness = watchReadiness(
    balancer,
    ports.map(({ port }) => `http://localhost:${port}`),
  )
  await Promise.all(ports.map(startReplica))
  await readiness.untilReady(2)
})
afterAll(async () => {
  await Promise.all([...running.values()].map((replica) => replica.stop()))
  for (const port of ports) port[Symbol.dispose]()
  await readiness.stop()
  await balancer.close()
  await simulator.close()
  await store.drop()
})

async function startReplica({ port }: ReservedPort): Promise<void> {
  const environment = { ...serviceEnvironment(store, simulator), ...UNLIMITED_QUOTA, BASE_URL: balancer.url }
  const replica = await startServiceProcess({ port, environment })
  running.set(port, replica)
  logs.push(replica.log)
}

interface Reader {
  readonly member: Member
  readonly counted: readonly Kind[]
  readonly uncounted: readonly Kind[]
}

async function addReader(number: number): Promise<Reader> {
  const { url } = balancer
  const { member, key } = await Member.connected({ url }, simulator.people.add({ email: `p${number}@vendor.example` }))
  const { access_token } = await connectAssistant({ url }, member)
  const authorization = `Bearer ${key}`
  const cookie = member.cookie
  const tool = { name: "get_sleep", arguments: { days: 7 } }
  return {
    member,
    counted: [
      { name: "sleep", send: () => fetch(`${url}/api/v1/health?type=sleep&days=30`, { headers: { authorization } }) },
      { name: "summary", send: () => fetch(`${url}/api/v1/health`, { headers: { authorization } }) },
      { name: "connector", send: () => callConnector({ url }, access_token, "tools/call", tool) },
    ],
    uncounted: [
      { name: "account", send: () => fetch(`${url}/api/account`, { headers: { cookie } }) },
      { name: "page", send: () => fetch(`${url}/docs`) },
    ],
  }
}

const usedOf = async (member: Member): Promise<number> =>
  (await (await member.send("GET", "/api/account")).json()).usage.used

test("no request fails and each is counted once while two replicas restart in turn under load", async () => {
  const readers = await Promise.all(Array.from({ length: PEOPLE }, (_, number) => addReader(number)))
  const loads = readers.map(({ counted, uncounted }) => ({
    counted: startLoad(counted, 5),
    uncounted: startLoad(uncounted, 20),
  }))
  const drains: number[] = []
  for (const reserved of [...ports, ...ports]) {
    await readiness.untilReady(2)
    const startedAt = performance.now()
    expect(await running.get(reserved.port)?.stop()).toBe(0)
    drains.push(Math.round(performance.now() - startedAt))
    await startReplica(reserved)
  }
  await readiness.untilReady(2)
  const outcomes = (
    await Promise.all(loads.flatMap(({ counted, uncounted }) => [counted.stop(), uncounted.stop()]))
  ).flat()
  process.stdout.write(
    `rolling restart: ${outcomes.length} requests, slowest ${slowestMs(outcomes)} ms, drains ${drains.join(", ")} ms\n`,
  )
  expect(outcomes.filter(({ status }) => status !== 200)).toEqual([])
  expect(outcomes.length).toBeGreaterThan(1_000)
  for (const [index, { member }] of readers.entries())
    expect(await usedOf(member)).toBe(loads[index]?.counted.outcomes.length)
  expect(Math.max(...drains)).toBeLessThan(LONGEST_DRAIN_MS)
  const problems = logs.flat().filter((line) => /"level":(?:40|50|60)/.test(line))
  expect(problems).toEqual([])
  expect(linesBesideRequests(logs.flat()).length).toBeLessThan(100)
}, 120_000)
