import { expect, test } from "vitest"
import { compareWearers } from "./devices/compare-devices.ts"

const { DEVICES_SEED = "100", DEVICES_PEOPLE = "20" } = process.env

test("answers to random people with one to five devices equal what the devices recorded", async () => {
  expect(await compareWearers(Number(DEVICES_SEED), Number(DEVICES_PEOPLE))).toEqual([])
})
