import type { NormalizedSportType } from "@restwell/client"

/** All vendors' spellings of each type, as keys of {@link sportKey}. */
const SPELLINGS: Readonly<Record<NormalizedSportType, string>> = {
  running: `running run trailrun trailrunning treadmill treadmillrunning virtualrun indoorrunning jogging
    trackfield strollerjogging inclinerun`,
  cycling: `cycling ride virtualride biking bike outdoorbike stationarybike mountainbiking mountainbike
    mountainbikeride gravelride indoorcycling spin spinning assaultbike ebikeride electricbike
    roadcycling`,
  swimming: "swimming swim swimmingpool swimmingopenwater openwaterswimming poolswimming",
  strength: `strength strengthtraining weightlifting weightliftingmsk powerlifting weights weighttraining
    liftweights strengthtrainer traditionalstrengthtraining functionalstrengthtraining freeweights
    weightmachines calisthenics`,
  yoga: "yoga hotyoga yogahatha yogavinyasa yogapower yogabikram stretching flexibility",
  hiit: `hiit highintensityintervaltraining functionalfitness tabataworkout intervalworkout circuittraining
    crossfit bootcamp f45training barrys obstaclecourseracing jumpingrope jumprope`,
  walking: `walking walk hiking hike hikingrucking rucking nordicwalking powerwalking dogwalking strollerwalking
    indoorwalk treadmillwalk caddying toddlerwearing babywearing`,
  other: "other activity workout generic unknown",
}

const TYPE_OF_KEY: ReadonlyMap<string, string> = new Map(
  Object.entries(SPELLINGS).flatMap(([type, keys]) => keys.split(/\s+/).map((key) => [key, type] as const)),
)

/** Returns a sport's name as lower-case letters and digits, so that spellings are equal. */
export function sportKey(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")
}

/** Returns the normalised sport type (spec 2.2), the vendor's name in lower case if none fits, or `other` for an empty name. */
export function sportTypeOf(name: string): string {
  const key = sportKey(name)
  if (key === "") return "other"
  return TYPE_OF_KEY.get(key) ?? name.trim().toLowerCase()
}
