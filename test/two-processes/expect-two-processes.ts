import { storedRows, truthOf, withoutOpenCycle } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Run, type RunSize, runTwoProcesses } from "./run-two-processes.ts"
import type { Job } from "./service-process.ts"
import { isCounted } from "./service-processes.ts"

const SECOND_MS = 1000
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** People whose records are compared in every column with those of a new connection. */
const SAMPLE = 5

/** Tests two processes, with routes and workers, on one database. */
export function expectTwoProcesses(size: RunSize, timeoutMs: number): void {
  let run: Run
  beforeAll(async () => {
    run = await runTwoProcesses(size)
    print(run)
  }, timeoutMs)
  afterAll(() => run?.world.close())

  test("the stored records are the vendor's, in the same versions", () => {
    expect(run.world.simulator.webhooks.deliveries.length).toBeGreaterThanOrEqual(size.webhooks)
    expect(run.waiting).toBe(0)
    expect(run.differences.size).toBe(size.connections)
    expect([...run.differences].filter(([, differences]) => differences.length > 0)).toEqual([])
  })

  test("a connection has at most one running job over both processes", () => {
    expect(run.jobs.length).toBeGreaterThan(size.connections)
    expect(new Set(run.jobs.map((job) => job.process)).size).toBe(2)
    expect(overlaps(run.jobs)).toEqual([])
  })

  test("the vendor's limits are never exceeded, and it never answers 429", () => {
    const { requestLog } = run.world.simulator
    const calls = callTimes(run)
    expect(requestLog.count({ status: 429 })).toBe(0)
    expect(mostWithin(calls, MINUTE_MS)).toBeLessThanOrEqual(size.limits.perMinute)
    expect(mostWithin(calls, DAY_MS)).toBeLessThanOrEqual(size.limits.perDay)
  })

  test("events are processed before histories", () => {
    const { histories, others } = callsOfBurst(run)
    expect(others).toBeGreaterThan(size.limits.perMinute)
    // Histories may use a fifth of each minute: a quarter of what the others use.
    expect(histories).toBeLessThan(others * 0.4)
    const meanwhile = run.handled.filter(({ receivedMs }) => receivedMs < run.historiesDoneMs).map(waitOf)
    expect(median(meanwhile)).toBeLessThan((run.historiesDoneMs - run.burstAtMs) / 2)
  })

  test("when events for all people come at once, no person waits much longer than the others", () => {
    const waits = burstWaits(run)
    expect(Math.max(...waits)).toBeLessThanOrEqual(4 * median(waits) + 2 * MINUTE_MS)
  })

  test("a stopped process exits with 0, and events sent to it meanwhile are delivered later", () => {
    expect(run.exits).toEqual([0, 0, 0])
    const { deliveries } = run.world.simulator.webhooks
    expect(deliveries.filter(({ attempts }) => attempts > 1).length).toBeGreaterThan(0)
    expect(deliveries.filter(({ state }) => state !== "delivered")).toEqual([])
  })

  test("webhooks are answered well within the second that the vendor waits", () => {
    expect(percentile(answerTimes(run), 0.5)).toBeLessThan(SECOND_MS / 4)
  })

  test("a sample equals the records of a new connection in every column", async () => {
    const { world, members } = run
    world.simulator.limitRates("off")
    await world.store.pool.query("delete from restwell.vendor_pause")
    for (const [userId, person] of [...members].slice(0, SAMPLE))
      expect(withoutOpenCycle(await storedRows(world, userId))).toEqual(withoutOpenCycle(await truthOf(world, person)))
  })
}

/** Jobs that began before the previous job of the same connection had ended. */
function overlaps(jobs: readonly Job[]): Job[] {
  const former = new Map<string, Job>()
  return jobs
    .toSorted((one, other) => one.beganMs - other.beganMs)
    .filter((job) => {
      const before = former.get(job.userId)
      former.set(job.userId, job)
      return before !== undefined && before.endedMs > job.beganMs
    })
}

const callTimes = ({ world }: Run): number[] =>
  world.simulator.requestLog.entries
    .filter(isCounted)
    .map(({ at }) => Date.parse(at))
    .toSorted((one, other) => one - other)

/** The highest number of times within any window of this length. */
function mostWithin(times: readonly number[], lengthMs: number): number {
  let first = 0
  return times.reduce((most, time, index) => {
    while ((times[first] ?? time) <= time - lengthMs) first += 1
    return Math.max(most, index - first + 1)
  }, 0)
}

const waitOf = ({ receivedMs, handledMs }: Run["handled"][number]): number => handledMs - receivedMs

/** How long each connection with events in the burst waited until all of them were processed. */
function burstWaits({ handled, burstAtMs }: Run): number[] {
  const longest = new Map<string, number>()
  for (const each of handled)
    if (each.receivedMs === burstAtMs) longest.set(each.userId, Math.max(longest.get(each.userId) ?? 0, waitOf(each)))
  return [...longest.values()]
}

/** The vendor calls made while events of the burst were not processed. */
function callsOfBurst({ world, handled, burstAtMs, backfilled }: Run): { histories: number; others: number } {
  const untilMs = Math.max(...handled.flatMap((each) => (each.receivedMs === burstAtMs ? [each.handledMs] : [])))
  const people = world.simulator.requestLog.entries
    .filter((entry) => isCounted(entry) && Date.parse(entry.at) >= burstAtMs && Date.parse(entry.at) < untilMs)
    .map(({ personId }) => personId)
  const histories = people.filter((personId) => personId !== undefined && backfilled.has(personId)).length
  return { histories, others: people.length - histories }
}

const answerTimes = ({ world }: Run): number[] =>
  world.simulator.webhooks.deliveries.flatMap(({ attempts, tookMs }) =>
    attempts === 1 && tookMs !== undefined ? [tookMs] : [],
  )

function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0
}

const median = (values: readonly number[]): number => percentile(values, 0.5)

function print(run: Run): void {
  const { deliveries } = run.world.simulator.webhooks
  const calls = callTimes(run)
  const waits = run.handled.map(waitOf)
  const meanwhile = run.handled.filter(({ receivedMs }) => receivedMs < run.historiesDoneMs).map(waitOf)
  const burst = burstWaits(run)
  const answers = answerTimes(run)
  const { histories, others } = callsOfBurst(run)
  const minutes = (milliseconds: number) => `${(milliseconds / MINUTE_MS).toFixed(1)} min`
  const flood = run.floods.reduce((most, each) => (each.deliveries > most.deliveries ? each : most))
  const figures = {
    connections: run.members.size,
    "deliveries / retried": `${deliveries.length} / ${deliveries.filter(({ attempts }) => attempts > 1).length}`,
    events: run.handled.length,
    "simulated / real": `${minutes(run.simulatedMs)} / ${minutes(run.realMs)}`,
    "vendor calls": calls.length,
    "most calls in 60 s / 24 h": `${mostWithin(calls, MINUTE_MS)} / ${mostWithin(calls, DAY_MS)}`,
    "jobs of each process": [0, 1].map((number) => run.jobs.filter((job) => job.process === number).length).join(" / "),
    "histories took": minutes(run.historiesDoneMs - run.burstAtMs),
    "calls while the burst waited": `${others} for news, ${histories} for histories`,
    "wait of events, median / longest": `${minutes(median(waits))} / ${minutes(percentile(waits, 1))}`,
    "the same while histories were fetched": `${minutes(median(meanwhile))} / ${minutes(percentile(meanwhile, 1))}`,
    "wait of connections in the burst": `${burst.length}: ${minutes(median(burst))} / ${minutes(percentile(burst, 1))}`,
    "webhook answer, p50 / p99 / longest": [0.5, 0.99, 1]
      .map((fraction) => `${percentile(answers, fraction).toFixed(0)} ms`)
      .join(" / "),
    "largest flood": `${flood.deliveries} in ${flood.tookMs.toFixed(0)} ms, ${Math.round((flood.deliveries / flood.tookMs) * SECOND_MS)} a second`,
    "warnings but for the budget": run.warnings.filter((line) => !line.includes("RateLimited")).join(""),
  }
  process.stdout.write(
    Object.entries(figures)
      .map(([name, figure]) => `${name}: ${figure}\n`)
      .join(""),
  )
}
