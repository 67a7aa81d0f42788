/* WHOOP's names of sports. @see reference: https://developer.whoop.com/docs/developing/user-data/workout */
import type { WireWorkout } from "@restwell/simulator"

/** The specification's words (2.2) for WHOOP's, which are compared without case and punctuation. */
const KINDS: Record<string, string> = {
  running: "running trackfield strollerjogging",
  cycling: "cycling mountainbiking spin assaultbike",
  swimming: "swimming",
  strength: "weightlifting powerlifting strengthtrainer weightliftingmsk",
  yoga: "yoga hotyoga stretching",
  hiit: "hiit functionalfitness jumpingrope f45training barrys obstaclecourseracing",
  walking: "walking hikingrucking dogwalking strollerwalking caddying toddlerwearing babywearing",
  other: "activity other",
}

/** Recovery activities that WHOOP lists as workouts. */
const RECOVERY_ACTIVITIES = "sauna icebath massagetherapy meditation aircompression percussivemassage"

function plain({ sport_name }: WireWorkout): string {
  return sport_name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")
}

/** The specification's word, or WHOOP's own where the specification has none. */
export function sportTypeOf(workout: WireWorkout): string {
  for (const [kind, names] of Object.entries(KINDS)) if (names.split(" ").includes(plain(workout))) return kind
  return workout.sport_name
}

export function isRecoveryActivity(workout: WireWorkout): boolean {
  return RECOVERY_ACTIVITIES.split(" ").includes(plain(workout))
}

/** Names for edits: everything above as WHOOP spells it, and sports that the specification has no word for. */
export const SPORT_NAMES = [
  "running track-field stroller-jogging cycling mountain-biking spin assault-bike swimming weightlifting powerlifting",
  "strength-trainer weightlifting_msk yoga hot-yoga stretching hiit functional-fitness jumping-rope f45-training barrys",
  "obstacle-course-racing walking hiking-rucking dog-walking stroller-walking caddying toddlerwearing babywearing activity",
  "sauna ice-bath massage-therapy meditation air-compression percussive-massage tennis table-tennis muay-thai rowing kite-boarding",
]
  .join(" ")
  .split(" ")
