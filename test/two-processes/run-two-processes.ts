import type { Person } from "@restwell/simulator"
import { type Job, startServiceProcesses } from "./service-processes.ts"
import { SharedDay } from "./shared-day.ts"
import { createWorld, type World } from "./world.ts"

/** Connections are made so many at a time. */
const CONNECT_AT_A_TIME = 8
/** The vendor's own machines are not without number either. */
const POSTS_AT_A_TIME = 16
const HISTORY_DAYS = 20

export interface RunSize {
  readonly connections: number
  /** Deliveries, at least; every event makes copies of both addresses. */
  readonly webhooks: number
  readonly copies: number
  /** People with years behind them, whose histories are fetched while everything else happens. */
  readonly backfills: { readonly people: number; readonly days: number }
  /** Of the vendor, and of the service. */
  readonly limits: { readonly perMinute: number; readonly perDay: number }
  /** Whose events all come at one moment, at the beginning. */
  readonly burstMs: number
  /** Between the moments at which events come from then on. */
  readonly stepMs: number
}

/** A record the vendor told of, from the telling to the commit that answered it, simulated epoch milliseconds. */
export interface Handled {
  readonly userId: string
  readonly receivedMs: number
  readonly handledMs: number
}

export interface Run {
  readonly size: RunSize
  readonly world: World
  readonly members: ReadonlyMap<string, Person>
  /** The vendor's numbers of those with years behind them. */
  readonly backfilled: ReadonlySet<number>
  /** What differs between store and vendor, by person, at a moment when the vendor had told them everything. */
  readonly differences: ReadonlyMap<string, readonly string[]>
  readonly handled: readonly Handled[]
  readonly jobs: readonly Job[]
  readonly warnings: readonly string[]
  /** Exit codes of the processes that were stopped. */
  readonly exits: readonly (number | null)[]
  readonly burstAtMs: number
  /** Simulated; the histories began with the burst. */
  readonly historiesDoneMs: number
  /** Records still waiting at the end. */
  readonly waiting: number
  /** Real milliseconds of the moments with many deliveries, and how many came. */
  readonly floods: readonly { readonly deliveries: number; readonly tookMs: number }[]
  readonly simulatedMs: number
  readonly realMs: number
}

/** What two processes do with everything that happens to many people; their words are judged by who asked for the run. */
export async function runTwoProcesses(size: RunSize): Promise<Run> {
  const world = await createWorld({ seed: "two processes", days: HISTORY_DAYS, now: new Date("2026-11-20T04:00:00Z") })
  const members = await connectPeople(world, size)
  const backfilled = new Set([...members.values()].slice(-size.backfills.people).map(({ userId }) => userId))
  await beginJudging(world, size)
  const startMs = world.simulator.clock.nowMs()
  const realStartMs = performance.now()
  const processes = await startServiceProcesses(world, 2, {
    WHOOP_CALLS_PER_MINUTE: String(size.limits.perMinute),
    WHOOP_CALLS_PER_DAY: String(size.limits.perDay),
  })
  const { webhooks } = world.simulator
  webhooks.urls = processes.all.map(({ webhookUrl }) => webhookUrl)
  Object.assign(webhooks.manners, { copies: size.copies, shuffled: true, atATime: POSTS_AT_A_TIME })
  const day = new SharedDay(world, processes)
  await day.pass(size.burstMs)
  const burstAtMs = startMs + size.burstMs
  const historiesDoneMs = await day.untilHistoriesAreDone()
  const exits = [await day.passWithRestart(size.stepMs)]
  while (webhooks.deliveries.length < size.webhooks) {
    await day.pass(size.stepMs)
    await day.untilNothingWaits()
  }
  const differences = await day.compareAll(members)
  const waiting = await day.countWaiting()
  const realMs = performance.now() - realStartMs
  exits.push(...(await Promise.all(processes.all.map((each) => each.stop()))))
  return {
    size,
    world,
    members,
    backfilled,
    differences,
    handled: await readHandled(world),
    jobs: processes.all.flatMap(({ jobs }) => jobs),
    warnings: processes.all.flatMap(({ warnings }) => warnings),
    exits,
    burstAtMs,
    historiesDoneMs,
    waiting,
    floods: day.floods,
    simulatedMs: world.simulator.clock.nowMs() - startMs,
    realMs,
  }
}

/** Everybody is there and in step before the run, but for those with years behind them. */
async function connectPeople(world: World, { connections, backfills }: RunSize): Promise<Map<string, Person>> {
  const members = new Map<string, Person>()
  const people = world.simulator.people.addMany(connections - backfills.people)
  const queue = people.values()
  const connectNext = async () => {
    for (const person of queue) {
      const userId = await world.addUser()
      await world.connect(userId, person)
      members.set(userId, person)
    }
  }
  await Promise.all(Array.from({ length: CONNECT_AT_A_TIME }, connectNext))
  for (let count = 0; count < backfills.people; count += 1) {
    const person = world.simulator.people.add({ email: `years-${count}@example.com`, days: backfills.days })
    const userId = await world.addUser()
    await world.authorize(userId, person)
    members.set(userId, person)
  }
  return members
}

/** From here on the vendor's limits hold, and the database notes when events are answered. */
async function beginJudging({ simulator, store }: World, { limits }: RunSize): Promise<void> {
  await store.pool.query(`
    delete from restwell.vendor_call;
    delete from restwell.vendor_call_count;
    delete from restwell.vendor_pause;
    create schema test_log;
    create table test_log.clock (now timestamptz not null);
    create table test_log.handled (user_id text, received_at timestamptz, handled_at timestamptz);
    create function test_log.note() returns trigger language plpgsql as $$ begin
      insert into test_log.handled select old.user_id, old.received_at, now from test_log.clock;
      return null;
    end $$;
    create trigger note after delete on restwell.vendor_event for each row execute function test_log.note()`)
  await store.pool.query("insert into test_log.clock values ($1)", [simulator.clock.now()])
  simulator.requestLog.clear()
  simulator.limitRates(limits)
}

async function readHandled({ store }: World): Promise<Handled[]> {
  const { rows } = await store.pool.query<{ user_id: string; received_at: Date; handled_at: Date }>(
    "select user_id, received_at, handled_at from test_log.handled",
  )
  return rows.map(({ user_id, received_at, handled_at }) => ({
    userId: user_id,
    receivedMs: received_at.getTime(),
    handledMs: handled_at.getTime(),
  }))
}
