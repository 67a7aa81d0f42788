import { expect, test } from "vitest"
import { isRecoveryActivity, sportNameOf } from "./sports.ts"

test.each([
  [{ sport_name: "rowing", sport_id: 34 }, "rowing"],
  [{ sport_name: "", sport_id: 34 }, "tennis"],
  [{ sport_name: null, sport_id: 0 }, "running"],
  [{ sport_id: -1 }, "activity"],
  [{ sport_id: 999_999 }, "other"],
  [{}, "activity"],
])("names the sport of %j", (workout, name) => expect(sportNameOf(workout)).toBe(name))

test.each(["sauna", "ice-bath", "massage-therapy", "meditation", "foam_rolling", "foam-rolling", "hot_tub"])(
  "counts %s among the recovery activities",
  (name) => expect(isRecoveryActivity(name)).toBe(true),
)

test.each(["running", "stretching", "yoga", "driving", "other", ""])("does not count %s among them", (name) =>
  expect(isRecoveryActivity(name)).toBe(false),
)
