import { DAY_MS } from "@restwell/client/time-units"
import { AccessTokenRejected, ContractViolation, RequestRefused, VendorUnavailable } from "@restwell/providers"
import fc from "fast-check"
import { expect, test } from "vitest"
import { type CollectionsRead, type Failure, type Gap, gapsAfter, leftOutOf } from "./gaps.ts"
import { historyWindow, listingWindow, type SyncWindow } from "./sync-window.ts"

const FIRST_DAY = 20_000
const dayOf = (day: number): Date => new Date(day * DAY_MS)
const dayIn = (at: Date): number => at.getTime() / DAY_MS

const failure = (error: Failure["error"]): Failure => ({
  collection: "workout",
  title: "workouts",
  holds: ["workout"],
  reason: "Vendor does not deliver workouts for now",
  nextStep: "Restwell asks again by itself",
  helpsReconnect: false,
  error,
})
const DOWN = failure(new VendorUnavailable("down"))

const step = fc.record({
  type: fc.constantFrom("listing", "listing", "history", "collection"),
  days: fc.integer({ min: 0, max: 15 }),
  answers: fc.boolean(),
  isPauseOver: fc.boolean(),
})

interface World {
  /** The newest day that was read, and the oldest. */
  readonly newest: number
  readonly oldest: number
  readonly gaps: readonly Gap[]
  /** Days of which the collection is unknown. */
  readonly unknown: ReadonlySet<number>
}

/** The days of a window, as far as time has come. */
const daysOf = ({ from, to }: SyncWindow, newest: number): number[] =>
  Array.from({ length: (to ? dayIn(to) : newest + 1) - dayIn(from) }, (_, index) => dayIn(from) + index)

function windowOf({ type, days }: { type: string; days: number }, { newest, oldest, gaps }: World, isFirst: boolean) {
  if (type === "listing" || isFirst) return listingWindow(dayOf(newest + days), dayOf(newest), 10)
  if (type === "history") return historyWindow(dayOf(oldest), 30)
  const [gap] = gaps
  if (!gap) return undefined
  if (gap.lacksTo === null) return listingWindow(dayOf(newest), dayOf(newest), 10)
  return { from: new Date(Math.max(gap.lacksFrom.getTime(), gap.lacksTo.getTime() - 30 * DAY_MS)), to: gap.lacksTo }
}

test("every time of which a collection is unknown is in its gap, whatever fails, is left out, and answers", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
      let world: World = { newest: FIRST_DAY, oldest: FIRST_DAY, gaps: [], unknown: new Set() }
      for (const [index, one] of steps.entries()) {
        const window = windowOf(one, world, index === 0)
        if (!window) continue
        const newest = window.to === null && one.type === "listing" ? world.newest + one.days : world.newest
        const at = one.isPauseOver ? dayOf(FIRST_DAY * 2) : dayOf(newest)
        const isPaused = world.gaps.some((gap) => gap.failures > 0 && !one.isPauseOver && gap.retryAt > at)
        const gaps = world.gaps.map((gap) => ({ ...gap, retryAt: isPaused ? dayOf(FIRST_DAY * 3) : at }))
        const leftOut = one.type === "collection" ? [] : leftOutOf({ gaps, personRequestedAt: null }, window, at)
        const isAsked = leftOut.length === 0
        const read: CollectionsRead = {
          failures: isAsked && !one.answers ? [DOWN] : [],
          answered: isAsked && one.answers ? ["workout"] : [],
          leftOut,
          window,
          asOf: dayOf(newest),
          storedUntil: index === 0 ? null : dayOf(world.newest),
        }
        const before = new Set([...world.unknown, ...daysOf(window, newest).filter((day) => day < world.oldest)])
        for (let day = world.newest + 1; day <= newest; day += 1) before.add(day)
        const known = new Set(read.answered.length > 0 ? daysOf(window, newest) : [])
        world = {
          newest,
          oldest: Math.min(world.oldest, dayIn(window.from)),
          gaps: gapsAfter(gaps, read),
          unknown: before.difference(known),
        }
        const isInGap = (day: number) =>
          world.gaps.some(
            ({ lacksFrom, lacksTo }) => dayIn(lacksFrom) <= day && (lacksTo === null || day < dayIn(lacksTo)),
          )
        expect([...world.unknown].filter((day) => !isInGap(day))).toEqual([])
      }
    }),
    { numRuns: 500 },
  )
})

test.each([
  ["an error of the vendor", new VendorUnavailable("500"), [10, 20, 40, 80, 160, 320, 640, 1280, 1800, 1800]],
  ["no answer in time", new VendorUnavailable("hang", { isTooSlow: true }), [60, 120, 240, 480, 960, 1800, 1800]],
  ["another shape", new ContractViolation("shape", "data"), [60, 120, 240, 480, 960, 1800, 1800]],
  ["the vendor's own wait", new VendorUnavailable("503", { retryAfterSeconds: 30 }), [30, 30, 40, 80]],
  ["a refusal", new RequestRefused("403", { isForbidden: true }), [1800, 3600, 7200, 7200]],
  ["a rejected token", new AccessTokenRejected("401"), [60, 120, 240, 480]],
])("after %s a collection is asked again after growing pauses", (_what, error, seconds) => {
  let gaps: readonly Gap[] = []
  const asOf = dayOf(FIRST_DAY)
  const window = listingWindow(asOf, asOf, 10)
  const pauses = seconds.map(() => {
    gaps = gapsAfter(gaps, { failures: [failure(error)], answered: [], leftOut: [], window, asOf, storedUntil: asOf })
    return ((gaps[0]?.retryAt.getTime() ?? 0) - asOf.getTime()) / 1000
  })
  expect(pauses).toEqual(seconds)
})

test("a gap that reached far back is read from its newest end to its oldest, and then ends", () => {
  const asOf = dayOf(FIRST_DAY)
  const listing = listingWindow(asOf, asOf, 10)
  const answer = { failures: [], answered: ["workout"], leftOut: [], asOf, storedUntil: asOf }
  const failed = gapsAfter([], { ...answer, answered: [], failures: [DOWN], window: listing, storedUntil: null })
  const skipped = gapsAfter(failed, {
    ...answer,
    answered: [],
    leftOut: ["workout"],
    window: historyWindow(listing.from, 90),
  })
  expect(skipped).toMatchObject([{ lacksFrom: dayOf(FIRST_DAY - 100), lacksTo: null }])
  const [filling] = gapsAfter(skipped, { ...answer, window: listing })
  expect(filling).toMatchObject({ failures: 0, lacksFrom: dayOf(FIRST_DAY - 100), lacksTo: dayOf(FIRST_DAY - 10) })
  expect(gapsAfter(filling ? [filling] : [], { ...answer, window: historyWindow(listing.from, 90) })).toEqual([])
})
