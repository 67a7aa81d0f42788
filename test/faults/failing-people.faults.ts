// Fifty people whose vendors refuse in different ways, beside people whose vendors answer: what each is told, and that nobody waits for another.
import { sourceName } from "@restwell/client/figures"
import { readAccount } from "@restwell/core"
import { VENDORS, type VendorName } from "@restwell/providers"
import type { Fault, Person } from "@restwell/simulator"
import {
  type SimulatorsBeside,
  startVendor,
  startVendorBeside,
  type VendorUnderTest,
  whoopUnderTest,
} from "@restwell/testing/vendor"
import { createWorld, type World } from "@restwell/testing/world"
import { expect, test } from "vitest"
import { openQueue, workers } from "../sync/queue-of-world.ts"

const HOUR_MS = 3_600_000
const NAMES = Object.keys(VENDORS).filter((name): name is VendorName => name in VENDORS)
/** How long an answer of a vendor is waited for here. It is short for vendors that hang, and long enough for a busy machine. */
const TIMEOUT_MS = 3_000
const PATIENCE = { timeout: 180_000 }

interface Refusal {
  /** Of all data. Absent where the person's grant ends. */
  readonly fault?: Omit<Fault, "match">
  /** @default "vendor_unavailable" */
  readonly status?: string
  readonly reason: RegExp
}

const SILENT = /^\S.* does not answer\. Restwell tries again by itself$/
const REFUSALS: Readonly<Record<string, Refusal>> = {
  "403": { fault: { kind: "status", status: 403 }, reason: /^\S.* does not allow the data\. Connect again / },
  "426": {
    fault: { kind: "status", status: 426 },
    reason: /^\S.* withholds the data until its app is updated\. Update /,
  },
  "429": {
    fault: { kind: "rate_limit" },
    status: "syncing",
    reason: /^\S.*'s limit of calls is reached\. .* at about /,
  },
  "500": { fault: { kind: "status", status: 500 }, reason: SILENT },
  "no answer in time": { fault: { kind: "hang" }, reason: SILENT },
  "a cut connection": { fault: { kind: "reset_connection" }, reason: SILENT },
  "broken JSON": { fault: { kind: "malformed_json" }, reason: SILENT },
  "a page of a proxy": { fault: { kind: "html" }, reason: SILENT },
  "another shape": {
    fault: { kind: "transform", transform: () => ({ items: 7 }) },
    reason: /^\S.* sent .+ in a form that is not known/,
  },
  "an ended grant": { status: "reauthorization_required", reason: /^\S.* (?:has ended|no longer accepts) .+\. \S+/ },
}

/** The limit of an app is everybody's, and a vendor of keys does not tell a refusal from a key that ended. */
function isOfOnePerson(provider: VendorName, refusal: string): boolean {
  if (refusal === "429") return VENDORS[provider].syncPolicy.calls.of === "key"
  return refusal !== "403" || VENDORS[provider].access === "oauth"
}

interface Subject {
  readonly provider: VendorName
  readonly userId: string
  readonly person: Person
}

interface Vendors {
  readonly world: World
  readonly all: readonly VendorUnderTest[]
  readonly beside: Partial<SimulatorsBeside>
}

async function openVendors(opened: AsyncDisposableStack): Promise<Vendors> {
  const now = new Date("2026-11-20T12:00:00Z")
  const whoop = await startVendor({ seed: "failing people", now, days: 6, wearsAlways: true })
  let beside: Partial<SimulatorsBeside> = {}
  let all: readonly VendorUnderTest[] = []
  for (const provider of NAMES) {
    const { simulators, vendors, close } = await startVendorBeside(whoop, provider, beside)
    beside = simulators
    all = [whoopUnderTest(whoop), ...vendors]
    opened.defer(close)
  }
  const world = await createWorld({ simulator: whoop, beside, timeoutMs: TIMEOUT_MS })
  for (const each of [whoop, world]) opened.defer(() => each.close())
  return { world, all, beside }
}

async function connect(world: World, provider: VendorName, name: string): Promise<Subject> {
  const person = world.simulator.people.add({
    email: `${provider}.${name}@example.com`.replaceAll(/[^a-z0-9@.]/gi, "-"),
  })
  const userId = await world.addUser()
  await world.authorize(userId, person, undefined, provider)
  return { provider, userId, person }
}

function refuse({ all, beside }: Vendors, { provider, person }: Subject, { fault }: Refusal): void {
  const { simulator, paths } = all.find((vendor) => vendor.provider === provider) ?? {}
  if (fault) simulator?.faults.add({ ...fault, match: { ...(paths && { path: paths.data }), personId: person.userId } })
  else if (provider === "intervals" || provider === "ultrahuman") beside[provider]?.renewKey(person)
  else simulator?.tokens.revokeAll(person)
}

async function expectTold({ context }: World, { provider, userId }: Subject, name: string): Promise<void> {
  const what = `${provider} x ${name}`
  const { status = "vendor_unavailable", reason } = REFUSALS[name] ?? { reason: /$^/ }
  const [connection] = (await readAccount(context, userId)).connections
  expect.soft(connection?.status, what).toBe(status)
  expect.soft(connection?.statusReason, what).toMatch(reason)
  expect.soft(connection?.statusReason, what).toContain(sourceName(provider))
  // A sentence for people has no status of HTTP, path or error in it.
  expect.soft(connection?.statusReason, what).not.toMatch(/\b[45]\d\d\b|https?:|\/v\d|Error/)
}

const expectNoneDue = ({ store, context }: World) =>
  expect
    .poll(async () => {
      const { rows } = await store.pool.query(
        `select c.provider, u.email from restwell.connection c join restwell."user" u on u.id = c.user_id
         where c.status <> 'reauthorization_required' and c.next_sync_at <= $1`,
        [context.clock.now()],
      )
      return rows
    }, PATIENCE)
    .toEqual([])

const expectSynced = ({ store, context }: World, subjects: readonly Subject[]) =>
  expect
    .poll(async () => {
      const { rows } = await store.pool.query(
        "select provider, status, failures, gaps, last_synced_at from restwell.connection where user_id = any($1)",
        [subjects.map(({ userId }) => userId)],
      )
      return rows.toSorted((one, other) => (one.provider < other.provider ? -1 : 1))
    }, PATIENCE)
    .toEqual(
      subjects
        .map(({ provider }) => provider)
        .toSorted()
        .map((provider) => ({
          ...{ provider, status: expect.stringMatching(/^(?:ok|syncing)$/), failures: 0, gaps: [] },
          last_synced_at: context.clock.now(),
        })),
    )

test("fifty people whose vendors refuse in ten ways are each told why, and the people beside them are synced as ever", async () => {
  await using opened = new AsyncDisposableStack()
  const vendors = await openVendors(opened)
  const { world } = vendors
  const failing: [name: string, Subject][] = []
  const healthy: Subject[] = []
  for (const { provider } of vendors.all) {
    for (const [name, refusal] of Object.entries(REFUSALS)) {
      if (!isOfOnePerson(provider, name)) continue
      const subject = await connect(world, provider, name)
      failing.push([name, subject])
      refuse(vendors, subject, refusal)
    }
    // They are the last of their vendor.
    healthy.push(await connect(world, provider, "healthy"))
  }
  expect(failing.length).toBeGreaterThanOrEqual(50)
  const queue = openQueue(world, world.store.connection, opened)
  await queue.work({ ...world.context, jobs: queue }, workers(2, 4))
  for (const hours of [0, 2]) {
    world.simulator.clock.advance(hours * HOUR_MS)
    await expectSynced(world, healthy)
    await expectNoneDue(world)
    for (const [name, subject] of failing) await expectTold(world, subject, name)
  }
})
