import type { Person } from "@restwell/simulator"
import { createWorld, type World } from "@restwell/testing/world"
import type { Job } from "./service-process.ts"
import { startServiceProcesses } from "./service-processes.ts"
import { SharedDay } from "./shared-day.ts"

/** How many people connect at the same time. */
const CONNECT_AT_A_TIME = 8
/** How many webhooks the vendor sends at the same time. */
const POSTS_AT_A_TIME = 16
const HISTORY_DAYS = 20

export interface RunSize {
  readonly connections: number
  /** The least number of deliveries. Each event is sent `copies` times to both processes. */
  readonly webhooks: number
  readonly copies: number
  /** People with years of history, which is fetched during the run. */
  readonly backfills: { readonly people: number; readonly days: number }
  /** The limits of the vendor, and the budget of the service. */
  readonly limits: { readonly perMinute: number; readonly perDay: number }
  /** The time before the first events, which then all come at once. */
  readonly burstMs: number
  /** The time between later events. */
  readonly stepMs: number
}

/** An event, with the simulated times of its arrival and of the commit that processed it, in epoch milliseconds. */
export interface Handled {
  readonly userId: string
  readonly receivedMs: number
  readonly handledMs: number
}

export interface Run {
  readonly size: RunSize
  readonly world: World
  readonly members: ReadonlyMap<string, Person>
  /** The vendor's numbers of the people with years of history. */
  readonly backfilled: ReadonlySet<number>
  /** The differences between stored and vendor's records, by person, at a time when the vendor had announced all changes. */
  readonly differences: ReadonlyMap<string, readonly string[]>
  readonly handled: readonly Handled[]
  readonly jobs: readonly Job[]
  readonly warnings: readonly string[]
  /** Exit codes of the processes that were stopped. */
  readonly exits: readonly (number | null)[]
  readonly burstAtMs: number
  /** When all histories were complete, in simulated time. They began with the burst. */
  readonly historiesDoneMs: number
  /** Events that were not processed at the end. */
  readonly waiting: number
  /** How many webhooks came at each step, and how long they took in real time. */
  readonly floods: readonly { readonly deliveries: number; readonly tookMs: number }[]
  readonly simulatedMs: number
  readonly realMs: number
}

/** Runs two processes through everything that happens to many people. The caller judges the outcome. */
export async function runTwoProcesses(size: RunSize): Promise<Run> {
  const world = await createWorld({ seed: "two processes", days: HISTORY_DAYS, now: new Date("2026-11-20T04:00:00Z") })
  const members = await connectPeople(world, size)
  const backfilled = new Set([...members.values()].slice(-size.backfills.people).map(({ userId }) => userId))
  await startRecording(world, size)
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
  await processes.close()
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

/** Connects and syncs all people, except those with years of history, who are only connected. */
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

/** From here on the vendor enforces its limits, and a trigger records when each event is processed. */
async function startRecording({ simulator, store }: World, { limits }: RunSize): Promise<void> {
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
