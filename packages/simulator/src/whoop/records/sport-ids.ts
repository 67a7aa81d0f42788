import type { SportName } from "../../model/sports.ts"

/**
 * WHOOP's `sport_id` of each activity.
 * @see https://developer.whoop.com/docs/developing/user-data/workout
 */
export const SPORT_IDS: Readonly<Record<SportName, number>> = {
  running: 0,
  "track-field": 35,
  cycling: 1,
  "mountain-biking": 57,
  spin: 97,
  swimming: 33,
  weightlifting: 45,
  weightlifting_msk: 123,
  powerlifting: 59,
  "functional-fitness": 48,
  hiit: 96,
  yoga: 44,
  pilates: 43,
  stretching: 128,
  walking: 63,
  "dog-walking": 266,
  "hiking-rucking": 52,
  rowing: 18,
  tennis: 34,
  "table-tennis": 230,
  padel: 249,
  soccer: 30,
  basketball: 17,
  "rock-climbing": 60,
  skiing: 29,
  dance: 42,
  activity: -1,
  sauna: 233,
  "ice-bath": 88,
  "massage-therapy": 121,
  meditation: 70,
}
