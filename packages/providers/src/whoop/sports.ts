import { sportKey } from "../normalize/vocabulary.ts"

/**
 * WHOOP's legacy sport ids and their names, for records that have only the id.
 * @see https://developer.whoop.com/docs/developing/user-data/workout
 */
const SPORT_IDS = `
  -1 activity, 0 running, 1 cycling, 16 baseball, 17 basketball, 18 rowing, 19 fencing, 20 field-hockey,
  21 football, 22 golf, 24 ice-hockey, 25 lacrosse, 27 rugby, 28 sailing, 29 skiing, 30 soccer, 31 softball,
  32 squash, 33 swimming, 34 tennis, 35 track-field, 36 volleyball, 37 water-polo, 38 wrestling, 39 boxing,
  42 dance, 43 pilates, 44 yoga, 45 weightlifting, 47 cross-country-skiing, 48 functional-fitness, 49 duathlon,
  51 gymnastics, 52 hiking-rucking, 53 horseback-riding, 55 kayaking, 56 martial-arts, 57 mountain-biking,
  59 powerlifting, 60 rock-climbing, 61 paddleboarding, 62 triathlon, 63 walking, 64 surfing, 65 elliptical,
  66 stairmaster, 70 meditation, 71 other, 73 diving, 82 ultimate, 83 climber, 84 jumping-rope,
  85 australian-football, 86 skateboarding, 87 coaching, 88 ice-bath, 89 commuting, 90 gaming, 91 snowboarding,
  92 motocross, 93 caddying, 94 obstacle-course-racing, 95 motor-racing, 96 hiit, 97 spin, 98 jiu-jitsu,
  99 manual-labor, 100 cricket, 101 pickleball, 102 inline-skating, 103 box-fitness, 104 spikeball,
  105 wheelchair-pushing, 106 paddle-tennis, 107 barre, 108 stage-performance, 109 high-stress-work, 110 parkour,
  111 gaelic-football, 112 hurling-camogie, 113 circus-arts, 121 massage-therapy, 123 strength-trainer,
  125 watching-sports, 126 assault-bike, 127 kickboxing, 128 stretching, 230 table-tennis, 231 badminton,
  232 netball, 233 sauna, 234 disc-golf, 235 yard-work, 236 air-compression, 237 percussive-massage,
  238 paintball, 239 ice-skating, 240 handball, 248 f45-training, 249 padel, 250 barrys, 251 dedicated-parenting,
  252 stroller-walking, 253 stroller-jogging, 254 toddlerwearing, 255 babywearing, 258 barre3, 259 hot-yoga,
  261 stadium-steps, 262 polo, 263 musical-performance, 264 kite-boarding, 266 dog-walking, 267 water-skiing,
  268 wakeboarding, 269 cooking, 270 cleaning, 272 public-speaking, 275 driving, 282 foam_rolling`

const NAME_OF_SPORT_ID: ReadonlyMap<number, string> = new Map(
  [...SPORT_IDS.matchAll(/(-?\d+) ([\w-]+)/g)].map(([, id, name = "other"]) => [Number(id), name]),
)

/**
 * Recovery activities: rest that v2 lists among the workouts. Stretching and yoga count as workouts.
 * @see https://developer.whoop.com/docs/developing/v1-v2-migration "Recovery activities are included in the Workouts endpoint"
 */
const RECOVERY_ACTIVITIES: ReadonlySet<string> = new Set(
  "air-compression foam_rolling hot-shower hot_tub ice-bath massage-therapy meditation percussive-massage sauna"
    .split(" ")
    .map(sportKey),
)

/** Returns WHOOP's name of the sport, from the name or else the legacy id. `activity` without both, `other` for an unknown id. */
export function sportNameOf(workout: { sport_name?: string | null | undefined; sport_id?: number | null | undefined }) {
  return workout.sport_name || (NAME_OF_SPORT_ID.get(workout.sport_id ?? -1) ?? "other")
}

/** Returns whether a sport is one of WHOOP's recovery activities. */
export function isRecoveryActivity(sportName: string): boolean {
  return RECOVERY_ACTIVITIES.has(sportKey(sportName))
}
