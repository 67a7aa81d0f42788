import { PROVIDERS } from "@restwell/client"
import { expect, test } from "vitest"
import { createRecordingGate } from "../test/recording-gate.ts"
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

test("questions, preferences and exports know every source by its name", () => {
  expect(PROVIDERS).toEqual([...DATA_SOURCES.keys()].toSorted())
})
