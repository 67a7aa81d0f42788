import { sportTypeOf } from "../normalize/vocabulary.ts"

/** Our names of intervals.icu's types of activities. The others are their own name in lower case, with hyphens. */
const SPORTS = {
  running: "Run TrailRun VirtualRun",
  cycling:
    "Ride VirtualRide GravelRide MountainBikeRide EBikeRide EMountainBikeRide TrackRide Cyclocross Velomobile Handcycle",
  swimming: "Swim OpenWaterSwim",
  strength: "WeightTraining Crossfit",
  yoga: "Yoga",
  hiit: "HighIntensityIntervalTraining HIIT",
  walking: "Walk Hike Snowshoe",
  other: "Workout Transition Other",
}

const SPORT_OF_TYPE: ReadonlyMap<string, string> = new Map(
  Object.entries(SPORTS).flatMap(([sport, types]) => types.split(" ").map((type) => [type.toLowerCase(), sport])),
)

export function sportOf(type: string | null | undefined): string {
  const name = type?.trim() || "other"
  return SPORT_OF_TYPE.get(name.toLowerCase()) ?? sportTypeOf(name)
}
