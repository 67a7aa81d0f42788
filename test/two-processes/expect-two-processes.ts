import { afterAll, beforeAll, expect, test } from "vitest"
import { isCounted, type Job } from "./service-processes.ts"
import { storedRows, truthOf, withoutOpenCycle } from "./truth.ts"
import { type Run, type RunSize, runTwoProcesses } from "./two-processes-run.ts"

const SECOND_MS = 1000
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Compared in every column, with what a service would hold that connected now. */
const SAMPLE = 5

/** Two processes with doors and workers on one database, and what must be so whatever happens. */
export function twoProcesses(size: RunSize, timeoutMs: number): void {
  let run: Run
  beforeAll(async () => {
    run = await runTwoProcesses(size)
    print(run)
  }, timeoutMs)
  afterAll(() => run?.world.close())

  test("the store equals the vendor's truth, record by record and version by version", () => {
    expect(run.world.simulator.webhooks.deliveries.length).toBeGreaterThanOrEqual(size.webhooks)
    expect(run.waiting).toBe(0)
    expect(run.differences.size).toBe(size.connections)
    expect([...run.differences].filter(([, differences]) => differences.length > 0)).toEqual([])
  })

  test("connections have at most one job at a time, whichever process runs it", () => {
    expect(run.jobs.length).toBeGreaterThan(size.connections)
    expect(new Set(run.jobs.map((job) => job.process)).size).toBe(2)
    expect(overlaps(run.jobs)).toEqual([])
  })

  test("the vendor's limits are never exceeded, and it never has to say so", () => {
    const { requestLog } = run.world.simulator
    const calls = callTimes(run)
    expect(requestLog.count({ status: 429 })).toBe(0)
    expect(mostWithin(calls, MINUTE_MS)).toBeLessThanOrEqual(size.limits.perMinute)
    expect(mostWithin(calls, DAY_MS)).toBeLessThanOrEqual(size.limits.perDay)
  })

  test("events go before the histories that are fetched meanwhile", () => {
    const { histories, others } = callsOfBurst(run)
    expect(others).toBeGreaterThan(size.limits.perMinute)
    // A fifth of each minute is theirs meanwhile: a quarter of what the others have.
    expect(histories).toBeLessThan(others * 0.4)
    const meanwhile = run.handled.filter(({ receivedMs }) => receivedMs < run.historiesDoneMs).map(waitOf)
    expect(median(meanwhile)).toBeLessThan((run.historiesDoneMs - run.burstAtMs) / 2)
  })

  test("when all are told of something at once, nobody waits much longer than the others", () => {
    const waits = burstWaits(run)
    expect(Math.max(...waits)).toBeLessThanOrEqual(4 * median(waits) + 2 * MINUTE_MS)
  })

  test("a process that is stopped ends in order, and what was sent to it meanwhile comes to nothing less", () => {
    expect(run.exits).toEqual([0, 0, 0])
    const { deliveries } = run.world.simulator.webhooks
    expect(deliveries.filter(({ attempts }) => attempts > 1).length).toBeGreaterThan(0)
    expect(deliveries.filter(({ state }) => state !== "delivered")).toEqual([])
  })

  test("the door answers far within the vendor's second", () => {
    expect(percentile(answerTimes(run), 0.5)).toBeLessThan(SECOND_MS / 4)
  })

  test("a sample is equal in every column to what a service would hold that connected now", async () => {
    const { world, members } = run
    world.simulator.limitRates("off")
    await world.store.pool.query("delete from restwell.vendor_pause")
    for (const [userId, person] of [...members].slice(0, SAMPLE))
      expect(withoutOpenCycle(await storedRows(world, userId))).toEqual(withoutOpenCycle(await truthOf(world, person)))
  })
}

/** Jobs of a connection that began before the one before had ended. */
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

/** The most that fell into any stretch of this length. */
function mostWithin(times: readonly number[], lengthMs: number): number {
  let first = 0
  return times.reduce((most, time, index) => {
    while ((times[first] ?? time) <= time - lengthMs) first += 1
    return Math.max(most, index - first + 1)
  }, 0)
}

const waitOf = ({ receivedMs, handledMs }: Run["handled"][number]): number => handledMs - receivedMs

/** How long each connection waited that was told of something at the burst, until it had all of it. */
function burstWaits({ handled, burstAtMs }: Run): number[] {
  const longest = new Map<string, number>()
  for (const each of handled)
    if (each.receivedMs === burstAtMs) longest.set(each.userId, Math.max(longest.get(each.userId) ?? 0, waitOf(each)))
  return [...longest.values()]
}

/** Calls of the minutes in which something that was told at the burst still waited. */
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

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
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
    "records told of": run.handled.length,
    "simulated / real": `${minutes(run.simulatedMs)} / ${minutes(run.realMs)}`,
    "vendor calls": calls.length,
    "most calls in 60 s / 24 h": `${mostWithin(calls, MINUTE_MS)} / ${mostWithin(calls, DAY_MS)}`,
    "jobs of each process": [0, 1].map((number) => run.jobs.filter((job) => job.process === number).length).join(" / "),
    "histories took": minutes(run.historiesDoneMs - run.burstAtMs),
    "calls while the burst waited": `${others} for news, ${histories} for histories`,
    "wait of events, median / longest": `${minutes(median(waits))} / ${minutes(percentile(waits, 1))}`,
    "the same while histories were fetched": `${minutes(median(meanwhile))} / ${minutes(percentile(meanwhile, 1))}`,
    "wait of connections in the burst": `${burst.length}: ${minutes(median(burst))} / ${minutes(percentile(burst, 1))}`,
    "door, p50 / p99 / longest": [0.5, 0.99, 1]
      .map((share) => `${percentile(answers, share).toFixed(0)} ms`)
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
