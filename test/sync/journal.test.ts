import {
  beginConnection,
  bodyOf,
  type Context,
  completeConnection,
  createHealthReader,
  disconnect,
  exportAccount,
  type HealthReader,
  syncConnection,
} from "@restwell/core"
import { createOuraAdapter } from "@restwell/providers"
import { type OuraSimulator, type OuraSimulatorOptions, startOuraSimulator } from "@restwell/simulator"
import { whoopArchive } from "@restwell/testing/archive"
import { approveAtVendor } from "@restwell/testing/vendor"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { importArchive } from "../imports/import-archive.ts"

const NOW = new Date("2026-11-20T18:00:00Z")
const OURA = "oura"
const ADA = "ada@example.com"
const OPEN_GATE = { acquire: async () => {}, report: async () => {} }
const JournalSchema = z.object({
  records: z.array(
    z.object({
      date: z.string(),
      factor: z.string(),
      question: z.string(),
      answer: z.boolean().nullable(),
      value: z.null(),
      source: z.string(),
    }),
  ),
})

let world: World
beforeAll(async () => {
  world = await createWorld({ days: 90, now: NOW })
})
afterAll(() => world.close())

/** A person with a ring, connected and synced. */
interface Wearer {
  readonly simulator: OuraSimulator
  readonly context: Context
  readonly userId: string
  readonly reader: HealthReader
}

async function withWearer(options: OuraSimulatorOptions, run: (wearer: Wearer) => Promise<void>): Promise<void> {
  const simulator = await startOuraSimulator({
    seed: 3,
    now: NOW,
    days: 200,
    autoApprove: true,
    rateLimits: "off",
    heartRateShare: 0,
    ...options,
  })
  simulator.people.add({ email: ADA })
  const clock = { now: () => simulator.clock.now() }
  const adapters = new Map([
    [
      OURA,
      createOuraAdapter({
        clientId: "simulator-client",
        clientSecret: "simulator-secret",
        baseUrl: simulator.url,
        gate: OPEN_GATE,
        now: clock.now,
      }),
    ],
  ])
  const context = {
    ...world.context,
    clock,
    adapters,
    adaptersFor: () => adapters,
    sharedVendorAccounts: "allow" as const,
  }
  const wearer = {
    simulator,
    context,
    userId: await world.addUser(),
    reader: createHealthReader(context, { pool: world.store.pool, cacheBytes: 0 }),
  }
  try {
    await connect(wearer)
    await run(wearer)
  } finally {
    await simulator.close()
  }
}

async function connect({ context, userId }: Wearer): Promise<void> {
  const attempt = { userId, provider: OURA, sessionId: "session", redirectUri: "http://localhost:3000/callback" }
  const { searchParams } = await approveAtVendor(await beginConnection(context, attempt), { email: ADA })
  await completeConnection(context, {
    ...attempt,
    state: searchParams.get("state") ?? "",
    code: searchParams.get("code") ?? "",
  })
  await sync({ context, userId })
}

async function sync({ context, userId }: Pick<Wearer, "context" | "userId">): Promise<void> {
  await world.store.pool.query("update restwell.connection set refresh_at = null where user_id = $1", [userId])
  expect(
    await syncConnection(context, { userId, provider: OURA }, { signal: new AbortController().signal }),
  ).toBeUndefined()
}

async function readJournal({ reader, userId }: Wearer, range: object = { days: 90 }) {
  const query = { type: "journal" as const, ...range }
  const reading = await reader.read({ credential: { userId }, query, ifNoneMatch: [], isCounted: false })
  if (reading.outcome !== "answer") throw new Error(reading.outcome)
  return JournalSchema.parse(bodyOf(reading.response.bytes)).records
}

async function stored({ userId }: Wearer): Promise<string> {
  const { rows } = await world.store.pool.query(
    "select to_jsonb(e) as entry from restwell.journal_entry e where user_id = $1 order by provider_id",
    [userId],
  )
  return JSON.stringify(rows)
}

const dayAfter = (day: string) => Temporal.PlainDate.from(day).add({ days: 1 }).toString()

test("the tags of the whole history are answers of the waking after their day", async () => {
  await withWearer({}, async (wearer) => {
    const answers = await readJournal(wearer)
    expect(answers.length).toBeGreaterThan(20)
    const drinks = wearer.simulator
      .records(ADA)
      .enhanced_tag.filter(
        ({ tag_type_code: code, custom_name: name }) => /alcohol/.test(code ?? "") || name === "Wine",
      )
      .map(({ start_day }) => dayAfter(start_day))
      .filter((date) => date <= "2026-11-20" && date > "2026-08-22")
    expect(drinks.length).toBeGreaterThan(2)
    expect(
      answers
        .filter(({ factor }) => factor === "alcohol")
        .map(({ date }) => date)
        .toReversed(),
    ).toEqual(drinks)
    for (const { answer, source } of answers) expect([answer, source]).toEqual([true, OURA])
    expect((await readJournal(wearer, { start_date: "2026-05-15", end_date: "2026-06-30" })).length).toBeGreaterThan(5)
  })
})

test("tags that failed at first are answers once they are delivered", async () => {
  await withWearer({}, async (wearer) => {
    const before = await readJournal(wearer)
    expect(before.length).toBeGreaterThan(20)
    await disconnect(wearer.context, { userId: wearer.userId, provider: OURA, wipeData: true })
    const repair = wearer.simulator.faults.add({ match: { path: /enhanced_tag/ }, kind: "status", status: 500 })
    await connect(wearer)
    expect(await stored(wearer)).toBe("[]")
    repair()
    for (let minutes = 0; minutes < 120; minutes += 40) {
      wearer.simulator.clock.advance(40 * 60_000)
      await sync(wearer)
    }
    expect(await readJournal(wearer)).toEqual(before)
  })
})

test("comments and private topics are nowhere in the store", async () => {
  await withWearer({}, async (wearer) => {
    const { enhanced_tag: tags } = wearer.simulator.records(ADA)
    const tag = tags.at(-1)
    if (!tag) throw new Error("no tags")
    wearer.simulator.edit.enhanced_tag.put(ADA, { ...tag, id: "p1", tag_type_code: "custom", custom_name: "Sex" })
    wearer.simulator.edit.enhanced_tag.put(ADA, { ...tag, id: "p2", tag_type_code: "custom", custom_name: "Chess" })
    await sync(wearer)
    expect(await stored(wearer)).toContain("Chess")
    expect(tags.some(({ comment }) => comment !== null)).toBe(true)
    expect(await stored(wearer)).not.toMatch(/harbour|Sex|ibuprofen|period|menstruation|medication/i)
  })
})

test("changed, deleted and new tags are so after the next sync, and a repeat changes nothing", async () => {
  await withWearer({}, async (wearer) => {
    const { edit, records } = wearer.simulator
    const recent = records(ADA).enhanced_tag.filter(({ start_day }) => start_day > "2026-11-11")
    const [changed, deleted] = recent
    if (!changed || !deleted) throw new Error("too few tags")
    edit.enhanced_tag.patch(ADA, changed.id, { tag_type_code: "tag_generic_massage", custom_name: null })
    edit.enhanced_tag.delete(ADA, deleted.id)
    edit.enhanced_tag.put(ADA, { ...changed, id: "new", tag_type_code: "tag_generic_sauna", custom_name: null })
    await sync(wearer)
    const factors = (await readJournal(wearer, { days: 14 })).map(({ factor }) => factor)
    expect(factors).toEqual(expect.arrayContaining(["massage", "sauna"]))
    const before = await stored(wearer)
    expect(before).not.toContain(deleted.id)
    await sync(wearer)
    expect(await stored(wearer)).toBe(before)
  })
})

test.each([401, 403] as const)("a person who does not share tags is synced without them (%i)", async (missingScope) => {
  await withWearer({ uncheckedScopes: ["tag"], missingScope }, async (wearer) => {
    expect(await readJournal(wearer)).toEqual([])
    const { rows } = await world.store.pool.query(
      "select status, (select count(*)::int from restwell.record r where r.user_id = c.user_id) as records from restwell.connection c where user_id = $1",
      [wearer.userId],
    )
    expect(rows).toEqual([{ status: "ok", records: expect.any(Number) }])
    expect(rows[0].records).toBeGreaterThan(200)
  })
})

test("the answers of two sources all stand, each with its source", async () => {
  await withWearer({}, async (wearer) => {
    const tags = await readJournal(wearer)
    const bytes = whoopArchive(world.simulator.records(world.simulator.people.add({ email: ADA })))
    await importArchive(wearer, wearer.userId, { bytes })
    const both = await readJournal(wearer)
    expect(both.filter(({ source }) => source === OURA)).toEqual(tags)
    const factorsOf = (source: string) =>
      new Set(both.filter((answer) => answer.source === source).map(({ date, factor }) => `${date} ${factor}`))
    const [ring, band] = [factorsOf(OURA), factorsOf("whoop")]
    expect(band.size).toBeGreaterThan(50)
    expect(ring.intersection(band).size).toBeGreaterThan(0)
    expect(await readJournal(wearer, { days: 90, source: OURA })).toEqual(tags)
    expect(await readJournal(wearer, { days: 90, source: "all" })).toEqual(both)
  })
})

test("an export restores the tags with their dates, and importing it where they are adds nothing", async () => {
  await withWearer({}, async (wearer) => {
    const before = await readJournal(wearer)
    const pieces = await Array.fromAsync(exportAccount(wearer.context, wearer.userId))
    const upload = { bytes: Buffer.from(pieces.join("")), fileName: "restwell.json" }
    const other = { ...wearer, userId: await world.addUser() }
    for (const { userId } of [other, wearer])
      expect(await importArchive(wearer, userId, upload)).toMatchObject({ status: "done", error: null })
    expect(await readJournal(other)).toEqual(before)
    expect(await readJournal(wearer)).toEqual(before)
  })
})

test("tags that are refused later stay, and a wipe deletes them", async () => {
  await withWearer({}, async (wearer) => {
    const before = await stored(wearer)
    wearer.simulator.faults.add({ kind: "status", status: 403, match: { path: "/v2/usercollection/enhanced_tag" } })
    await sync(wearer)
    expect(await stored(wearer)).toBe(before)
    await disconnect(wearer.context, { userId: wearer.userId, provider: OURA, wipeData: true })
    expect(await stored(wearer)).toBe("[]")
  })
})
