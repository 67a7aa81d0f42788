import type { Person, Random } from "@restwell/simulator"
import type { VendorUnderTest } from "@restwell/testing/vendor"

const SPORTS = ["fencing", "tennis"] as const
const NEWEST = 30
const SCORED_AFTER_MS = 50

/** Changes one record of a person at the vendor, which sends a webhook. Half of the changes are to the newest records. */
export function editRecord(vendor: VendorUnderTest, person: Person, random: Random): void {
  const newest = random.chance(0.5) ? NEWEST : undefined
  const one = (kind: "sleep" | "recovery" | "workout"): string | undefined => {
    const among = vendor.idsOf(person, kind).slice(0, newest)
    return among[random.integer(0, among.length - 1)]
  }
  const [workout, sleep, recovery] = [one("workout"), one("sleep"), one("recovery")]
  const score = random.integer(0, 100)
  const edits: readonly [() => void, ...(() => void)[]] = [
    () => workout !== undefined && vendor.renameWorkout(person, workout, random.pick(SPORTS)),
    () => workout !== undefined && vendor.delete(person, "workout", workout),
    () => workout !== undefined && addScored(vendor, person, workout, random),
    () => sleep !== undefined && vendor.rescoreSleep(person, sleep, score),
    () => sleep !== undefined && random.chance(0.5) && vendor.delete(person, "sleep", sleep),
    () => recovery !== undefined && vendor.rescoreRecovery(person, recovery, score),
  ]
  random.pick(edits)()
}

/** Adds a workout, and soon after its score with another webhook, so that the service does not wait long for the score. */
function addScored(vendor: VendorUnderTest, person: Person, beside: string, random: Random): void {
  const id = random.uuid()
  vendor.addWorkout(person, beside, { id, earlierByMs: random.integer(1_000, 3_600_000) })
  setTimeout(() => vendor.renameWorkout(person, id, "tennis"), SCORED_AFTER_MS)
}
