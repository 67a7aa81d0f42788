import { expect, test } from "vitest"
import { createRecordingGate } from "../test/recording-gate.ts"
import { VENDORS } from "./registry.ts"

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
