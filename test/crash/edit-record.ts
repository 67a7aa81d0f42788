import { VENDORS } from "@restwell/providers"
import type { Person, Random } from "@restwell/simulator"
import type { VendorUnderTest } from "@restwell/testing/vendor"

const SPORTS = ["fencing", "tennis"] as const
const NEWEST = 30
const SCORED_AFTER_MS = 50
const DAY_MS = 86_400_000
/** A window of the service begins at an instant, and time zones move the dates of records. */
const MARGIN_DAYS = 3

/**
 * Changes one record of a person at the vendor. With webhooks, half of the changes are to the newest records. Without, all are to those that
 * a requested sync reads.
 */
export function editRecord(vendor: VendorUnderTest, person: Person, random: Random): void {
  const newest = random.chance(0.5) ? NEWEST : undefined
  const since = recentSince(vendor)
  const one = (kind: "sleep" | "recovery" | "workout"): string | undefined => {
    // A vendor without webhooks that scores recoveries names them by their nights.
    const recent = vendor.recentIds?.(person, kind === "recovery" ? "sleep" : kind, since)
    const among = recent ?? vendor.idsOf(person, kind).slice(0, newest)
    return among[random.integer(0, among.length - 1)]
  }
  const [workout, sleep, recovery] = [one("workout"), one("sleep"), one("recovery")]
  const score = random.integer(0, 100)
  const edits: readonly [() => void, ...(() => void)[]] = [
    () => workout !== undefined && vendor.renameWorkout(person, workout, random.pick(SPORTS)),
    () => workout !== undefined && vendor.delete(person, "workout", workout),
    () => workout !== undefined && addScored(vendor, person, workout, random),
    () => sleep !== undefined && vendor.rescoreSleep(person, sleep, score),
    () => sleep !== undefined && hasOwnZones(vendor) && random.chance(0.5) && vendor.delete(person, "sleep", sleep),
    () => recovery !== undefined && vendor.rescoreRecovery(person, recovery, score),
  ]
  random.pick(edits)()
}

/** Days of Polar keep the time zone of a night that is gone. A connection that never saw it, with which they are compared, takes the next one. */
const hasOwnZones = ({ provider }: VendorUnderTest): boolean => provider !== "polar"

function recentSince({ provider, simulator }: VendorUnderTest): string {
  const days = VENDORS[provider].syncPolicy.reconciliation.days - MARGIN_DAYS
  return new Date(simulator.clock.nowMs() - days * DAY_MS).toISOString().slice(0, 10)
}

/** Adds a workout. With webhooks, its score follows soon with another one, so that the service does not wait long for it. */
function addScored(vendor: VendorUnderTest, person: Person, beside: string, random: Random): void {
  const id = random.uuid()
  vendor.addWorkout(person, beside, { id, earlierByMs: random.integer(1_000, 3_600_000) })
  if (!vendor.recentIds) setTimeout(() => vendor.renameWorkout(person, id, "tennis"), SCORED_AFTER_MS)
}
