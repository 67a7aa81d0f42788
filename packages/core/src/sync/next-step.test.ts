import fc from "fast-check"
import { expect, test } from "vitest"
import { nextRefresh, nextStep, nextWakeUp, type SyncStep } from "./next-step.ts"
import type { SyncState } from "./sync-state.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A time up to so many days ago, or ahead where a clock was wrong. */
const time = fc
  .integer({ min: -400 * DAY_MS, max: 400 * DAY_MS })
  .map((distance): Date => new Date(NOW.getTime() + distance))
const maybe = fc.option(time)

const anyState: fc.Arbitrary<SyncState> = fc.record({
  generation: fc.constant("1"),
  memberId: fc.option(fc.constant("10129")),
  listedAt: maybe,
  refreshAt: maybe,
  lastSyncedAt: maybe,
  requestedAt: maybe,
  reconciledAt: maybe,
  reconciliations: fc.nat(3),
  fetchedBackTo: maybe,
  historyComplete: fc.boolean(),
  profileFetchedAt: maybe,
  lastEventAt: maybe,
  lastEventOfVendorAt: maybe,
  pendingEvents: fc.nat(20),
  hasPendingSleep: fc.boolean(),
  awaitsScores: fc.boolean(),
})

/** What a step that went well leaves behind. */
function after(state: SyncState, step: SyncStep): SyncState {
  const inStep = (listedAt: Date | null) => ({
    lastSyncedAt: NOW,
    awaitsScores: false,
    refreshAt: nextRefresh(state, listedAt, NOW),
  })
  switch (step.type) {
    case "profile":
      return { ...state, memberId: "10129", profileFetchedAt: NOW }
    case "listing":
      return {
        ...state,
        ...inStep(NOW),
        listedAt: NOW,
        fetchedBackTo: state.fetchedBackTo ?? step.window.from,
        ...(step.isReconciliation && { reconciledAt: NOW, reconciliations: state.reconciliations + 1 }),
      }
    case "events":
      return { ...state, ...inStep(state.listedAt), pendingEvents: 0, hasPendingSleep: false }
    case "open_cycle":
      return { ...state, ...inStep(state.listedAt) }
    case "history":
      return { ...state, historyComplete: true, reconciledAt: NOW }
  }
}

function stepsFrom(state: SyncState): { readonly steps: SyncStep[]; readonly end: SyncState } {
  const steps: SyncStep[] = []
  let end = state
  for (let step = nextStep(end, NOW); step && steps.length < 20; step = nextStep(end, NOW)) {
    steps.push(step)
    end = after(end, step)
  }
  return { steps, end }
}

test("from any state a few steps lead to where nothing is left to do, and no step is done twice", () => {
  fc.assert(
    fc.property(anyState, (state) => {
      const { steps } = stepsFrom(state)
      const names = steps.map((step) => (step.type === "listing" ? `listing of ${step.isReconciliation}` : step.type))
      expect(new Set(names).size).toBe(names.length)
      expect(steps.length).toBeLessThanOrEqual(6)
    }),
    { numRuns: 2000 },
  )
})

test("what the vendor told of never waits behind what has a smaller share of its limits", () => {
  fc.assert(
    fc.property(anyState, (state) => {
      const { steps } = stepsFrom({ ...state, pendingEvents: state.pendingEvents + 1 })
      const told = steps.findIndex(({ type }) => type === "events")
      expect(steps.slice(0, told + 1).every(({ purpose }) => purpose === "event" || purpose === "person")).toBe(true)
      expect(told).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 2000 },
  )
})

test("once in step, there is something to do again after a day and a quarter at the latest, and never in the past", () => {
  fc.assert(
    fc.property(anyState, (state) => {
      const { end } = stepsFrom(state)
      const wakeUp = nextWakeUp(end, NOW).getTime() - NOW.getTime()
      expect(wakeUp).toBeGreaterThanOrEqual(0)
      expect(wakeUp).toBeLessThanOrEqual(30 * HOUR_MS)
    }),
    { numRuns: 2000 },
  )
})

const IN_STEP: SyncState = {
  generation: "1",
  memberId: "10129",
  listedAt: new Date(NOW.getTime() - HOUR_MS),
  refreshAt: new Date(NOW.getTime() + HOUR_MS),
  lastSyncedAt: new Date(NOW.getTime() - HOUR_MS),
  requestedAt: null,
  reconciledAt: new Date(NOW.getTime() - DAY_MS / 2),
  reconciliations: 1,
  fetchedBackTo: new Date(NOW.getTime() - 100 * DAY_MS),
  historyComplete: true,
  profileFetchedAt: new Date(NOW.getTime() - HOUR_MS),
  lastEventAt: new Date(NOW.getTime() - HOUR_MS),
  lastEventOfVendorAt: new Date(NOW.getTime() - HOUR_MS),
  pendingEvents: 0,
  hasPendingSleep: false,
  awaitsScores: false,
}

const ago = (durationMs: number) => new Date(NOW.getTime() - durationMs)

test.each<[string, Partial<SyncState>, Partial<SyncStep> | undefined]>([
  ["nothing, where all is in step", {}, undefined],
  ["the member first, whose events are lost without it", { memberId: null }, { type: "profile", purpose: "person" }],
  ["the newest days of a new connection", { listedAt: null }, { type: "listing", purpose: "person" }],
  ["an event by itself", { pendingEvents: 1 }, { type: "events", purpose: "event" }],
  [
    "the night's event with the night's reading",
    { pendingEvents: 1, hasPendingSleep: true, listedAt: ago(20 * HOUR_MS) },
    { type: "listing", purpose: "event" },
  ],
  ["many events as lists", { pendingEvents: 9 }, { type: "listing", purpose: "event" }],
  ["the night's reading where no event led to it", { listedAt: ago(31 * HOUR_MS) }, { purpose: "reconciliation" }],
  ["the open cycle in the evening", { refreshAt: ago(1) }, { type: "open_cycle", purpose: "refresh" }],
  [
    "the lists where the vendor tells of nothing",
    { lastEventAt: null, lastEventOfVendorAt: null },
    { type: "listing", purpose: "refresh" },
  ],
  [
    "the lists where a score is overdue",
    { awaitsScores: true, lastSyncedAt: ago(3 * HOUR_MS) },
    { type: "listing", purpose: "refresh" },
  ],
  ["late changes when the person asks", { reconciledAt: null }, { type: "listing", purpose: "person" }],
  ["the open cycle when a reader finds it old", { requestedAt: NOW }, { type: "open_cycle", purpose: "refresh" }],
  ["the history last of all", { historyComplete: false }, { type: "history", purpose: "history" }],
])("reads %s", (_what, state, step) => {
  const next = nextStep({ ...IN_STEP, ...state }, NOW)
  if (step === undefined) expect(next).toBeUndefined()
  else expect(next).toMatchObject(step)
})

test.each([
  ["an hour later without events", { lastEventAt: null, lastEventOfVendorAt: null }, NOW, 1],
  ["in the evening after the night's reading", {}, NOW, 14],
  ["in the evening, though a workout came at noon", {}, ago(5 * HOUR_MS), 9],
  ["not in the evening where a workout came just before", {}, ago(10 * HOUR_MS), 20],
])("asks for news %s", (_when, state, listedAt, hours) => {
  expect(nextRefresh({ ...IN_STEP, ...state }, listedAt, NOW)).toEqual(new Date(NOW.getTime() + hours * HOUR_MS))
})
