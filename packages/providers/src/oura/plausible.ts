import { type Bound, boundsOf } from "../normalize/plausible.ts"

/** Bounds of what only Oura gives. */
export const OURA_PLAUSIBLE: readonly Bound[] = boundsOf({
  recovery: [
    ["skinTempDeviationCelsius", -10, 10, "degrees Celsius", "body temperature of the living is within 13.7 and 46.5"],
  ],
  cycle: [
    ["steps", 0, 500_000, "steps", "most in 24 hours: an ultramarathon of 320 km"],
    ["activeCalories", 0, 20_000, "kcal", "a 24-hour ultramarathon takes about 15,000"],
    ["distanceMeters", 0, 1_000_000, "m", "most in 24 hours on a bicycle: 1,026 km"],
  ],
})
