/**
 * People whose nights arrive late, who travel and have quiet hours: the table of what was sent is that of a computation from the nights
 * alone, also where jobs run twice at once, and again after they are done.
 */
import { randomUUID } from "node:crypto"
import type { Rule } from "@restwell/client"
import { changeNotifications, claimJob, computeInThread, holdJob, previewRule, runNotifyJob } from "@restwell/core"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { byText, expectedOf, LIMIT, type Sent } from "./expected.ts"
import { DAYS, EARLIEST_IN_QUIET, type MadePerson, MINUTE_MS, makePerson } from "./people.ts"
import { nextRandom } from "./random.ts"
import { connect, storeNight } from "./store-night.ts"

const PEOPLE = Number(process.env["NOTIFIED_PEOPLE"] ?? 8)
/** Jobs that run at a time, as in several processes. */
const WORKERS = Number(process.env["NOTIFIED_WORKERS"] ?? 1)
const SEED = process.env["NOTIFIED_SEED"] ?? "mornings"
const FIRST = Date.parse("2026-10-20T00:00:00Z")

let world: World
beforeAll(async () => {
  world = await createWorld({ now: new Date(FIRST + 720 * MINUTE_MS), days: 3 })
})
afterAll(() => world.close())

interface Someone {
  readonly userId: string
  readonly made: MadePerson
}

const context = () => ({ ...world.context, statistics: computeInThread(world.store.pool) })
/** People whose previews are compared with what is sent. */
const PREVIEWED = 3
let previews = 0

const random = nextRandom(`${SEED} runs`)

test("everybody is told of each night once, at the earliest time they allow", {
  timeout: Math.max(900_000, PEOPLE * 10_000),
}, async () => {
  const people: Someone[] = []
  for (let index = 0; index < PEOPLE; index += 1)
    people.push(await addPerson(`${SEED} ${index}`, index === 0 ? EARLIEST_IN_QUIET : {}))
  const began = world.context.clock.now().getTime()
  const end = began + DAYS * 1_440 * MINUTE_MS
  const arrivals = people
    .flatMap(({ userId, made }) =>
      made.nights.flatMap((night) => [
        { userId, night, atMs: night.arrivesMs, isScored: night.scoredMs === night.arrivesMs },
        ...(night.scoredMs > night.arrivesMs ? [{ userId, night, atMs: night.scoredMs, isScored: true }] : []),
      ]),
    )
    .toSorted((one, other) => one.atMs - other.atMs)
  await runDue()
  for (;;) {
    const next = Math.min(arrivals[0]?.atMs ?? Number.POSITIVE_INFINITY, (await nextDue()) ?? Number.POSITIVE_INFINITY)
    if (next > end) break
    world.simulator.clock.advance(Math.max(0, next - world.context.clock.now().getTime()))
    for (; arrivals[0] && arrivals[0].atMs <= next; arrivals.shift())
      await storeNight(world, arrivals[0].userId, arrivals[0].night, arrivals[0])
    await runDue()
    for (const someone of people.slice(0, PREVIEWED)) await expectPreviewed(someone)
  }
  expect(previews).toBeGreaterThan(Math.min(PEOPLE, PREVIEWED) * DAYS)
  for (const { userId, made } of people) expect(await sentTo(userId), userId).toEqual(expectedOf(made, began))
})

async function addPerson(seed: string, hours: Partial<MadePerson>): Promise<Someone> {
  const made = { ...makePerson(seed, FIRST), ...hours }
  const userId = await world.addUser()
  await connect(world, userId)
  for (const night of made.history) await storeNight(world, userId, night, { isScored: true })
  await changeNotifications(context(), userId, {
    briefing: { enabled: true, earliest: made.earliest, channels },
    quiet: made.quiet,
    rules: rulesOf(made),
  })
  return { userId, made }
}

const channels: [] = []

const rulesOf = (made: MadePerson): Rule[] => [
  { id: "low", kind: "limit", metric: "hrv", direction: "below", limit: LIMIT, channels, enabled: true },
  {
    id: "pulse",
    kind: "unusual",
    metric: "resting_heart_rate",
    direction: "above",
    mornings: 1,
    channels,
    enabled: true,
  },
  { id: "none", kind: "missing", at: made.missingAt, channels, enabled: true },
]

/** The preview of a rule says of a morning what is sent of it live, when it is judged. */
async function expectPreviewed({ userId, made }: Someone): Promise<void> {
  const now = world.context.clock.now()
  const { rows: judged } = await world.store.pool.query<{ date: string }>(
    "select date::text from restwell.morning where user_id = $1 and rules_judged_at = $2",
    [userId, now],
  )
  const sent = (await sentTo(userId)).filter(([, , at]) => at === now.toISOString())
  for (const rule of rulesOf(made)) {
    const ofRule = sent.flatMap(([subject, date]) => (subject === rule.id ? [date] : []))
    const dates = rule.kind === "missing" ? ofRule : judged.map(({ date }) => date)
    if (dates.length === 0) continue
    const preview = await previewRule(context(), userId, rule)
    expect(dates.filter((date) => preview.dates.includes(date))).toEqual(ofRule)
    previews += 1
  }
}

/** When the next job is due by the clock of the service. */
async function nextDue(): Promise<number | undefined> {
  const { rows } = await world.store.pool.query<{ at: Date | null }>(
    "select min(due_at) as at from restwell.job where kind = 'notify' and due_at > '-infinity' and due_at < 'infinity'",
  )
  return rows[0]?.at?.getTime()
}

/** Runs what is due. */
const runDue = (): Promise<unknown> => Promise.all(Array.from({ length: WORKERS }, work))

/** Some jobs run twice at once, as after a process seemed dead, and some once more. */
async function work(): Promise<void> {
  for (;;) {
    const job = await claimJob(world.context, [{ kind: "notify", minPriority: 0 }], world.context.clock.now())
    if (!job) return
    await holdJob(world.context, job, {
      stopping: new AbortController().signal,
      run: async () => {
        const rivals = Array.from({ length: random() < 0.2 ? 2 : 0 }, () =>
          runNotifyJob(context(), { ...job, claim: randomUUID() }),
        )
        const [again] = await Promise.all([runNotifyJob(context(), job), ...rivals])
        return random() < 0.1 ? "at_once" : again
      },
    })
  }
}

async function sentTo(userId: string): Promise<Sent[]> {
  const { rows } = await world.store.pool.query<{ subject: string; date: string; at: Date }>(
    "select subject, date::text, sent_at as at from restwell.notice where user_id = $1",
    [userId],
  )
  return rows.map(({ subject, date, at }): Sent => [subject, date, at.toISOString()]).toSorted(byText)
}
