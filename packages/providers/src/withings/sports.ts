import { sportTypeOf } from "../normalize/vocabulary.ts"

/** Names of Withings' categories of workouts. @see https://developer.withings.com/api-reference/#operation/measurev2-getworkouts */
const CATEGORIES = `
  1 walking, 2 running, 3 hiking, 4 skating, 5 bmx, 6 cycling, 7 swimming, 8 surfing, 9 kitesurfing, 10 windsurfing, 11 bodyboarding,
  12 tennis, 13 table-tennis, 14 squash, 15 badminton, 16 weightlifting, 17 fitness, 18 elliptical, 19 pilates, 20 basketball, 21 soccer,
  22 american-football, 23 rugby, 24 volleyball, 25 water-polo, 26 horseback-riding, 27 golf, 28 yoga, 29 dance, 30 boxing, 31 fencing,
  32 wrestling, 33 martial-arts, 34 skiing, 35 snowboarding, 36 other, 128 other, 187 rowing, 188 zumba, 191 baseball, 192 handball,
  193 hockey, 194 ice-hockey, 195 climbing, 196 ice-skating, 272 multi-sport, 306 indoor-walking, 307 indoor-running, 308 indoor-cycling,
  455 paddleboarding, 456 padel, 491 stairs, 498 trail-running, 518 track-cycling, 521 triathlon, 523 mountain-biking, 524 gravel-cycling,
  525 e-biking, 526 e-mountain-biking, 530 cross-country-skiing, 546 crossfit, 547 spin, 550 hiit, 551 meditation, 552 stretching,
  559 dog-walking, 562 stroller-walking, 566 nordic-walking`

/** Of the categories whose type their name does not tell. */
const TYPES: Readonly<Record<string, readonly number[]>> = {
  walking: [1, 3, 306, 559, 562, 566],
  running: [2, 307, 498],
  cycling: [5, 6, 308, 518, 523, 524, 525, 526, 547],
  swimming: [7],
  strength: [16, 17, 546],
  yoga: [28, 552],
  hiit: [550],
}

const TYPE_OF: ReadonlyMap<number, string> = new Map([
  ...[...CATEGORIES.matchAll(/(\d+) ([\w-]+)/g)].map(([, category, name = "other"]): [number, string] => [
    Number(category),
    sportTypeOf(name),
  ]),
  ...Object.entries(TYPES).flatMap(([type, categories]) =>
    categories.map((category): [number, string] => [category, type]),
  ),
])

/** Returns our name of a category, `other` for one that is not known. */
export const sportOf = (category: number | null | undefined): string => TYPE_OF.get(category ?? -1) ?? "other"

/** Rest that is listed as a workout. */
const MEDITATION = 551

export const isRest = (category: number | null | undefined): boolean => category === MEDITATION
