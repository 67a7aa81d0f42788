import { expect, test } from "vitest"
import { WhoopCycleSchema } from "./wire.ts"

const cycle = (change: object) =>
  WhoopCycleSchema.safeParse({
    id: 1001,
    updated_at: "2026-11-19T06:49:03.001Z",
    start: "2026-11-18T22:31:05.120Z",
    timezone_offset: "+01:00",
    score_state: "UNSCORABLE",
    ...change,
  })

test.each([
  ["Z", 0],
  ["z", 0],
  ["+00:00", 0],
  ["-00:00", 0],
  ["+01:00", 60],
  ["+0100", 60],
  ["-03:30", -210],
  ["+14:00", 840],
  ["-12:00", -720],
])("reads the offset %s as %i minutes", (timezone_offset, minutes) =>
  expect(cycle({ timezone_offset }).data?.timezone_offset).toBe(minutes),
)

test.each(["", "+14:01", "-12:01", "+99:00", "-99:00", "+01:60", "01:00", "UTC", "Europe/Zurich", 60, null])(
  "refuses the offset %j",
  (timezone_offset) => expect(cycle({ timezone_offset }).error?.issues[0]?.path).toEqual(["timezone_offset"]),
)

test.each([
  ["2026-11-18T22:31:05.120Z", "2026-11-18T22:31:05.120Z"],
  ["2026-11-18T22:31:05Z", "2026-11-18T22:31:05.000Z"],
  ["2026-11-18T23:31:05.120456+01:00", "2026-11-18T22:31:05.120Z"],
  ["2026-11-18T19:01:05-0330", "2026-11-18T22:31:05.000Z"],
])("reads the instant %s", (start, instant) => expect(cycle({ start }).data?.start.toISOString()).toBe(instant))

test.each([
  "",
  "2026-11-18",
  "2026-11-18T22:31:05",
  "2026-02-30T22:31:05Z",
  "1970-01-01T00:00:00Z",
  "2100-01-01T00:00:00Z",
  "+010000-01-01T00:00:00Z",
  1_795_041_065_120,
  null,
])("refuses the instant %j", (start) => expect(cycle({ start }).error?.issues[0]?.path).toEqual(["start"]))

test.each([
  [1001, "1001"],
  ["9223372036854775807", "9223372036854775807"],
])("reads the id %j as text", (id, text) => expect(cycle({ id }).data?.id).toBe(text))

test.each([-1, 1.5, 2 ** 60, "abc", "", null])("refuses the id %j", (id) =>
  expect(cycle({ id }).error?.issues[0]?.path).toEqual(["id"]),
)
