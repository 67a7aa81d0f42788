// A faulty field in every kind of row of Garmin's archive: everything beside it is stored, and no other row is lost.
import type { GarminRows } from "@restwell/simulator"
import { expect, test } from "vitest"
import type { ArchiveItem } from "../src/index.ts"
import { expectFieldsAlone, outcomeOfItems, plainOf } from "./faulty-fields.ts"
import { DAY, NIGHT, RUN, read as readGarmin } from "./garmin-rows.ts"

type Row = GarminRows["nights"][number]

test.each<[string, Row, (row: Row) => Partial<GarminRows>]>([
  ["night", NIGHT, (row) => ({ nights: [row] })],
  ["day", DAY, (row) => ({ days: [row] })],
  ["activity", RUN, (row) => ({ activities: [row] })],
])("a wrong number in a %s of Garmin costs this number alone", async (_what, row, rowsOf) => {
  const figures = await expectFieldsAlone<Row>({
    source: row,
    read: async (each) => outcomeOfItems(await readGarmin(rowsOf(each))),
    essential: ["activityId", "startTimeGmt", "startTimeLocal"],
  })
  expect(figures).toBeGreaterThan(3)
})

const HEALTH = {
  calendarDate: "2026-11-18",
  updateTimestampUTC: "2026-11-18T06:10:00.0",
  metrics: [
    { type: "HRV", value: 52, status: "IN_RANGE" },
    { type: "SPO2", value: 95, status: "IN_RANGE" },
    { type: "SKIN_TEMP_C", value: 0.3, status: "IN_RANGE" },
  ],
}
const READINESS = {
  calendarDate: "2026-11-18",
  timestamp: "2026-11-18T06:15:00.0",
  inputContext: "AFTER_WAKEUP_RESET",
  score: 71,
}

test.each<[string, Row, (row: Row) => Partial<GarminRows>]>([
  ["night's health", HEALTH, (row) => ({ nights: [NIGHT], days: [DAY], health: [row] })],
  ["morning's readiness", READINESS, (row) => ({ nights: [NIGHT], days: [DAY], readiness: [row] })],
])("a wrong number in a %s of Garmin costs this number alone", async (_what, row, rowsOf) => {
  const figures = await expectFieldsAlone<Row>({
    source: row,
    read: async (each) => outcomeOfItems(await readGarmin(rowsOf(each))),
    essential: [],
  })
  expect(figures).toBeGreaterThan(0)
})

/** What rows gave, with weights, which are checked once more when they are stored. */
const contentOf = (items: readonly ArchiveItem[]): object[] =>
  items.flatMap((item): readonly object[] => {
    if (item.type === "profile") return [item.profile.data]
    if (item.type === "series") return item.set.samples
    return item.type === "record" ? [plainOf(item.archived.record)] : []
  })

const BODY = {
  version: 3,
  metaData: { calendarDate: "2026-11-18" },
  weight: { weight: 71_250, timestampGMT: "2026-11-18T06:30:00.0", sourceType: "INDEX_SCALE" },
  height: 172.5,
}

test.each<[string, Partial<GarminRows>, Partial<GarminRows>]>([
  ["weight", { body: [{ ...BODY, version: 1 }] }, { body: [{ ...BODY, weight: { ...BODY.weight, weight: 9e9 } }] }],
  ["height", { body: [{ ...BODY, version: 1 }] }, { body: [{ ...BODY, weight: null, height: 9e9 }] }],
  ["day", { days: [DAY] }, { days: [{ ...DAY, totalSteps: 1e300 }] }],
  [
    "readiness",
    { readiness: [{ calendarDate: "2026-11-18", timestamp: "2026-11-18T06:15:00.0", score: 71 }] },
    {
      readiness: [
        {
          calendarDate: "2026-11-18",
          timestamp: "2026-11-18T07:15:00.0",
          inputContext: "AFTER_WAKEUP_RESET",
          score: 4e6,
        },
      ],
    },
  ],
])("a %s of Garmin that cannot be true never replaces one that can", async (_what, right, wrong) => {
  const kinds = new Set([...Object.keys(right), ...Object.keys(wrong)])
  const both = Object.fromEntries(
    [...kinds].map((kind): [string, unknown[]] => [
      kind,
      [right, wrong].flatMap((rows): unknown[] => Reflect.get(rows, kind) ?? []),
    ]),
  )
  const found = await readGarmin(both)
  expect(new Set(contentOf(found).map((each) => JSON.stringify(each)))).toEqual(
    new Set(contentOf(await readGarmin(right)).map((each) => JSON.stringify(each))),
  )
  expect(found.some(({ type }) => type === "left_out")).toBe(true)
})

test("figures of a night without anything else of the date leave nothing where none can be true", async () => {
  for (const [type, wrong] of [
    ["HRV", 1e12],
    ["HRV", -7e8],
  ] as const) {
    const metrics = [{ type, value: wrong, status: "IN_RANGE" }, ...HEALTH.metrics.filter((each) => each.type !== type)]
    const items = await readGarmin({ health: [{ ...HEALTH, metrics }] })
    expect(items.filter((item) => item.type === "record")).toEqual([])
    expect(items.filter((item) => item.type === "left_out")).toHaveLength(1)
  }
})

test("a wrong number in a body of Garmin costs this number alone", async () => {
  const figures = await expectFieldsAlone<Row>({
    source: BODY,
    read: async (each) => {
      const items = await readGarmin({ body: [each] })
      return { records: contentOf(items), leftOut: outcomeOfItems(items).leftOut }
    },
    essential: [],
  })
  expect(figures).toBeGreaterThan(1)
})
