import { PROVIDERS } from "@restwell/client"
import { sourceName } from "@restwell/client/figures"
import { expect, test } from "vitest"
import { createRecordingGate } from "../test/recording-gate.ts"
import { copiedSourceOf, deviceKindOf } from "./apple-health/rows.ts"
import { DEVICES } from "./devices.ts"
import { DATA_SOURCES, VENDORS } from "./registry.ts"

test.each(Object.entries(VENDORS))("%s makes an adapter of its own name, at its own address", (name, vendor) => {
  const options = {
    clientId: "id",
    clientSecret: "secret",
    baseUrl: vendor.defaultBaseUrl,
    gate: createRecordingGate(),
    now: () => new Date(),
  }
  expect(vendor.createAdapter(options).provider).toBe(name)
  expect(new URL(vendor.defaultBaseUrl).origin).toBe(vendor.defaultBaseUrl)
})

test.each(Object.keys(VENDORS))("what the app of %s writes on a phone is a copy of what its connection has", (name) => {
  expect(deviceKindOf(sourceName(name))).toBe("copy")
  expect(copiedSourceOf(sourceName(name))).toBe(name)
})

test("people of each source can choose a device of it", () => {
  const ways = DEVICES.flatMap((device) => device.ways)
  expect(new Set(ways.map(({ provider }) => provider))).toEqual(new Set(DATA_SOURCES.keys()))
  for (const name of Object.keys(VENDORS))
    expect(ways).toContainEqual(expect.objectContaining({ kind: "vendor", provider: name }))
})

test("questions, preferences and exports know every source by its name", () => {
  expect(PROVIDERS).toEqual([...DATA_SOURCES.keys()].toSorted())
})
