import { DAY_MS, HOUR_MS } from "@restwell/client/time-units"
import { type SyncPolicy, VENDORS } from "@restwell/providers"
import fc from "fast-check"
import { expect, test } from "vitest"
import { nextRefresh, nextStep, nextWakeUp, type SyncStep } from "./next-step.ts"
import { reconciledSamples, type SyncState, sampleProgress } from "./sync-state.ts"

const NOW = new Date("2026-11-20T12:00:00Z")

const WHOOP = VENDORS.whoop.syncPolicy
/** A vendor whose webhooks announce every change. */
const ALL_EVENTS: SyncPolicy = { ...WHOOP, openRecords: null }
const OURA = VENDORS.oura.syncPolicy
const anyPolicy = fc.constantFrom(WHOOP, ALL_EVENTS, OURA)

/** A time in the past, or in the future where a clock was wrong, or a little ahead of this process's. */
const time = fc
  .oneof(
    { weight: 4, arbitrary: fc.integer({ min: -400 * DAY_MS, max: 400 * DAY_MS }) },
    { weight: 1, arbitrary: fc.integer({ min: -5_000, max: 5_000 }) },
  )
  .map((distance): Date => new Date(NOW.getTime() + distance))
const maybe = fc.option(time)

const anyState: fc.Arbitrary<SyncState> = fc.record({
  generation: fc.constant("1"),
  memberId: fc.option(fc.constant("10129")),
  listedAt: maybe,
  refreshAt: maybe,
  lastSyncedAt: maybe,
  requestedAt: maybe,
  personRequestedAt: maybe,
  reconciledAt: maybe,
  reconciliations: fc.nat(3),
  gaps: fc.constant([]),
  connectedAt: time,
  fetchedBackTo: maybe,
  historyComplete: fc.boolean(),
  samples: fc.record({ readAt: maybe, until: maybe, backTo: maybe, goal: maybe, isRefused: fc.boolean() }),
  profileFetchedAt: maybe,
  lastEventAt: maybe,
  lastEventOfVendorAt: maybe,
  pendingEvents: fc.nat(20),
  hasPendingSleep: fc.boolean(),
  awaitsScores: fc.boolean(),
})

/** The state after a successful step. */
function after(policy: SyncPolicy, state: SyncState, step: SyncStep): SyncState {
  const synced = (listedAt: Date | null) => ({
    lastSyncedAt: NOW,
    awaitsScores: false,
    refreshAt: nextRefresh(policy, state, listedAt, NOW),
  })
  switch (step.type) {
    case "profile":
      return { ...state, memberId: "10129", profileFetchedAt: NOW }
    case "collections":
      return { ...state, gaps: state.gaps.filter(({ collection }) => !step.collections.includes(collection)) }
    case "listing":
      return {
        ...state,
        ...synced(NOW),
        listedAt: NOW,
        fetchedBackTo: state.fetchedBackTo ?? step.window.from,
        ...(step.isReconciliation && { reconciledAt: NOW, reconciliations: state.reconciliations + 1 }),
        samples: { ...state.samples, ...(step.isReconciliation && reconciledSamples(policy, state, NOW)) },
      }
    case "events":
      return { ...state, ...synced(state.listedAt), pendingEvents: 0, hasPendingSleep: false }
    case "open_records":
      return { ...state, ...synced(state.listedAt) }
    case "history":
      return { ...state, historyComplete: true, reconciledAt: NOW }
    case "samples":
      return { ...state, samples: { ...state.samples, ...sampleProgress(state, step, NOW) } }
  }
}

function stepsFrom(policy: SyncPolicy, state: SyncState): { readonly steps: SyncStep[]; readonly end: SyncState } {
  const steps: SyncStep[] = []
  let end = state
  for (let step = nextStep(policy, end, NOW); step && steps.length < 100; step = nextStep(policy, end, NOW)) {
    steps.push(step)
    end = after(policy, end, step)
  }
  return { steps, end }
}

test("reaches an up-to-date state from any state in at most 6 steps beside samples, and repeats none", () => {
  fc.assert(
    fc.property(anyPolicy, anyState, (policy, state) => {
      const all = stepsFrom(policy, state).steps
      const windows = all.flatMap((step) => (step.type === "samples" ? [JSON.stringify(step)] : []))
      expect(new Set(windows).size).toBe(windows.length)
      const steps = all.filter(({ type }) => type !== "samples")
      const names = steps.map((step) => (step.type === "listing" ? `listing of ${step.isReconciliation}` : step.type))
      expect(new Set(names).size).toBe(names.length)
      expect(steps.length).toBeLessThanOrEqual(6)
    }),
    { numRuns: 2000 },
  )
})

test("reads events before any step with a smaller share of the call budget", () => {
  fc.assert(
    fc.property(anyPolicy, anyState, (policy, state) => {
      const { steps } = stepsFrom(policy, { ...state, pendingEvents: state.pendingEvents + 1 })
      const first = steps.findIndex(({ type }) => type === "events")
      expect(steps.slice(0, first + 1).every(({ purpose }) => purpose === "event" || purpose === "person")).toBe(true)
      expect(first).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 2000 },
  )
})

test("wakes up at most 25 hours after it is up to date, and never in the past", () => {
  fc.assert(
    fc.property(anyPolicy, anyState, (policy, state) => {
      const { end } = stepsFrom(policy, state)
      const wakeUp = nextWakeUp(policy, end, NOW).getTime() - NOW.getTime()
      expect(wakeUp).toBeGreaterThanOrEqual(0)
      expect(wakeUp).toBeLessThanOrEqual(25 * HOUR_MS)
    }),
    { numRuns: 2000 },
  )
})

test("asks every collection once a day, whatever else happened meanwhile", () => {
  fc.assert(
    fc.property(anyPolicy, anyState, fc.integer({ min: 25, max: 400 }), (policy, state, hours) => {
      const { steps } = stepsFrom(policy, { ...state, listedAt: ago(hours * HOUR_MS) })
      expect(steps.map(({ type }) => type)).toContain("listing")
    }),
    { numRuns: 2000 },
  )
})

const UP_TO_DATE: SyncState = {
  generation: "1",
  memberId: "10129",
  listedAt: new Date(NOW.getTime() - HOUR_MS),
  refreshAt: new Date(NOW.getTime() + HOUR_MS),
  lastSyncedAt: new Date(NOW.getTime() - HOUR_MS),
  requestedAt: null,
  personRequestedAt: null,
  reconciledAt: new Date(NOW.getTime() - DAY_MS / 2),
  reconciliations: 1,
  gaps: [],
  connectedAt: new Date(NOW.getTime() - 100 * DAY_MS),
  fetchedBackTo: new Date(NOW.getTime() - 100 * DAY_MS),
  historyComplete: true,
  samples: { readAt: NOW, until: NOW, backTo: null, goal: null, isRefused: false },
  profileFetchedAt: new Date(NOW.getTime() - HOUR_MS),
  lastEventAt: new Date(NOW.getTime() - HOUR_MS),
  lastEventOfVendorAt: new Date(NOW.getTime() - HOUR_MS),
  pendingEvents: 0,
  hasPendingSleep: false,
  awaitsScores: false,
}

const samples = (more: Partial<SyncState["samples"]>): SyncState["samples"] => ({
  readAt: null,
  until: null,
  backTo: null,
  goal: null,
  isRefused: false,
  ...more,
})
const between = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) })

const ago = (durationMs: number) => new Date(NOW.getTime() - durationMs)

test.each<[string, Partial<SyncState>, Partial<SyncStep> | undefined]>([
  ["nothing when all is up to date", {}, undefined],
  ["the profile first, because events need it", { memberId: null }, { type: "profile", purpose: "person" }],
  ["the newest days of a new connection", { listedAt: null }, { type: "listing", purpose: "person" }],
  ["a single event by its id", { pendingEvents: 1 }, { type: "events", purpose: "event" }],
  [
    "a sleep event with a listing",
    { pendingEvents: 1, hasPendingSleep: true, listedAt: ago(20 * HOUR_MS) },
    { type: "listing", purpose: "event" },
  ],
  ["many events with a listing", { pendingEvents: 9 }, { type: "listing", purpose: "event" }],
  ["the trailing days when no event led to a listing", { listedAt: ago(25 * HOUR_MS) }, { purpose: "reconciliation" }],
  ["the open cycle in the evening", { refreshAt: ago(1) }, { type: "open_records", kind: "cycle", purpose: "refresh" }],
  [
    "the trailing days when no events arrive",
    { lastEventAt: null, lastEventOfVendorAt: null },
    { type: "listing", purpose: "refresh" },
  ],
  [
    "the trailing days when a score is overdue",
    { awaitsScores: true, lastSyncedAt: ago(3 * HOUR_MS) },
    { type: "listing", purpose: "refresh" },
  ],
  [
    "late changes when the person requests a sync",
    { personRequestedAt: NOW, reconciledAt: ago(1) },
    { type: "listing", purpose: "request", isReconciliation: true },
  ],
  [
    "the newest days when the person requests a sync while the history is read",
    { personRequestedAt: NOW, historyComplete: false },
    { type: "listing", purpose: "request", isReconciliation: false },
  ],
  [
    "nothing when the look for late changes came after the request",
    { personRequestedAt: ago(2 * HOUR_MS), reconciledAt: ago(1.5 * HOUR_MS) },
    undefined,
  ],
  [
    "the open cycle before what a person requests, so that it comes even if the request gets no calls",
    { personRequestedAt: NOW, refreshAt: ago(1) },
    { type: "open_records", purpose: "refresh" },
  ],
  ["late changes after a new connect", { reconciledAt: null }, { type: "listing", purpose: "person" }],
  [
    "the open cycle when a reader found the data old",
    { requestedAt: NOW },
    { type: "open_records", purpose: "refresh" },
  ],
  ["the history last of all", { historyComplete: false }, { type: "history", purpose: "history" }],
])("reads %s", (_what, state, step) => {
  const next = nextStep(WHOOP, { ...UP_TO_DATE, ...state }, NOW)
  if (step === undefined) expect(next).toBeUndefined()
  else expect(next).toMatchObject(step)
})

test.each([
  ["an hour later without events", { lastEventAt: null, lastEventOfVendorAt: null }, NOW, 1],
  ["in the evening after the daily listing", {}, NOW, 14],
  ["in the evening when a workout was read at noon", {}, ago(5 * HOUR_MS), 9],
  ["not in the evening when a workout was read just before", {}, ago(10 * HOUR_MS), 15],
])("polls %s", (_when, state, listedAt, hours) => {
  expect(nextRefresh(WHOOP, { ...UP_TO_DATE, ...state }, listedAt, NOW)).toEqual(
    new Date(NOW.getTime() + hours * HOUR_MS),
  )
})

test.each<[string, Partial<SyncState>, Partial<SyncStep> | undefined]>([
  ["the newest days of a new connection", {}, { purpose: "refresh", window: between("2026-11-10", "2026-11-22") }],
  [
    "from half a day before the newest one, to a day ahead",
    {
      samples: samples({ until: new Date("2026-11-20T07:00:00Z"), readAt: new Date("2026-11-20T08:00:00Z") }),
    },
    { purpose: "refresh", window: between("2026-11-19", "2026-11-22") },
  ],
  [
    "ten days at the first read of a day",
    { samples: samples({ until: new Date("2026-11-20T07:00:00Z"), readAt: new Date("2026-11-19T22:00:00Z") }) },
    { purpose: "refresh", window: between("2026-11-10", "2026-11-22") },
  ],
  [
    "thirty days at a time after a pause",
    { samples: samples({ until: new Date("2026-06-10T15:00:00Z") }) },
    { purpose: "refresh", window: between("2026-06-10", "2026-07-10") },
  ],
  [
    "their past when the history of records is stored",
    { samples: samples({ readAt: NOW, backTo: new Date("2026-11-10T00:00:00Z") }) },
    { purpose: "history", window: between("2026-10-11", "2026-11-10") },
  ],
  [
    "their past to the day on which the history begins",
    { samples: samples({ readAt: NOW, backTo: new Date("2026-08-20T00:00:00Z") }) },
    { purpose: "history", window: between("2026-08-12", "2026-08-20") },
  ],
  [
    "no past before the history of records is stored",
    { samples: samples({ readAt: NOW, backTo: new Date("2026-11-10T00:00:00Z") }), historyComplete: false },
    { type: "history" },
  ],
  [
    "their past, and not the newest again, after a sync by a process whose clock is a second ahead",
    { samples: samples({ readAt: NOW, backTo: new Date("2026-11-10T00:00:00Z") }), lastSyncedAt: ago(-1000) },
    { purpose: "history" },
  ],
  [
    "no past while the vendor refuses them",
    { samples: samples({ readAt: NOW, backTo: new Date("2026-11-10T00:00:00Z"), isRefused: true }) },
    undefined,
  ],
])("reads samples: %s", (_what, state, step) => {
  const next = nextStep(OURA, { ...UP_TO_DATE, samples: samples({}), ...state }, NOW)
  if (step === undefined) expect(next).toBeUndefined()
  else expect(next).toMatchObject({ type: "samples", ...step })
})

test("the past of weights goes on behind the first record, and a second look at their newest past waits until it is read", () => {
  const policy = VENDORS.withings.syncPolicy
  const stateAt = (backTo: string): SyncState => ({
    ...UP_TO_DATE,
    reconciliations: 0,
    samples: samples({ readAt: NOW, until: NOW, backTo: new Date(backTo) }),
  })
  const reading = stateAt("2001-06-01T00:00:00Z")
  expect(nextStep(policy, reading, NOW)).toMatchObject({ window: between("2000-01-01", "2001-06-01") })
  expect(reconciledSamples(policy, reading, NOW)).toBeUndefined()
  const read = stateAt("2000-01-01T00:00:00Z")
  expect(nextStep(policy, read, NOW)).toBeUndefined()
  expect(reconciledSamples(policy, read, NOW)).toEqual({
    backTo: new Date("2026-11-20T00:00:00Z"),
    goal: new Date("2026-08-22T00:00:00Z"),
  })
})

test("polls with a listing when webhooks announce every change", () => {
  const state = { ...UP_TO_DATE, refreshAt: ago(1) }
  expect(nextStep(ALL_EVENTS, state, NOW)).toMatchObject({ type: "listing", purpose: "refresh" })
  expect(nextRefresh(ALL_EVENTS, state, NOW, NOW)).toEqual(new Date(NOW.getTime() + 25 * HOUR_MS))
})
