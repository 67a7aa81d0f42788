import { sportTypeOf } from "../normalize/vocabulary.ts"

/**
 * Our names of Google's types of exercise, by the whole name or by what it ends or begins with. The first row that fits counts. The others are
 * their own name in lower case, with hyphens.
 * @see https://developers.google.com/health/data-types
 */
const SPORTS: readonly (readonly [sport: string, types: RegExp])[] = [
  ["running", /^(?:RUNNING|TRAIL_RUN|INCLINE_RUN|TREADMILL|.*_RUN)$/],
  ["walking", /^(?:WALKING|.*_WALK|NORDIC_WALKING|POWER_WALKING|RUCKING|HIKING|BACKPACKING)$/],
  ["cycling", /^(?:.*BIKE|BIKING|SPINNING|HAND_CYCLING)$/],
  ["swimming", /^SWIMMING/],
  [
    "strength",
    /^(?:.*STRENGTH_TRAINING|CORE_TRAINING|BODY_WEIGHT|CALISTHENICS|POWERLIFTING|WEIGHTLIFTING|.*WEIGHTS|WEIGHT_MACHINES|RESISTANCE_BANDS|TRX|CROSSFIT)$/,
  ],
  ["yoga", /^(?:YOGA.*|STRETCHING)$/],
  ["hiit", /^(?:HIIT|TABATA_WORKOUT|INTERVAL_WORKOUT|CIRCUIT_TRAINING|CROSS_TRAINING|BOOTCAMP)$/],
  ["other", /^(?:WORKOUT|OTHER|EXERCISE_TYPE_UNSPECIFIED)$/],
]

export function sportOf(type: string | null | undefined): string {
  const name = type?.trim() || "OTHER"
  return SPORTS.find(([, types]) => types.test(name))?.[0] ?? sportTypeOf(name)
}
