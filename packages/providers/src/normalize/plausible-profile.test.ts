import { expect, test } from "vitest"
import type { Json, NormalizedProfile } from "../contract/records.ts"
import { plausibleProfile } from "./plausible.ts"

const ids = { id: "whoop-42", providerId: "42" }
const profile = (data: object, raw: Json = null): NormalizedProfile =>
  plausibleProfile({ data: { ...ids, ...data }, raw })

test.each([
  ["heightMeters", 0.49, 0.5],
  ["heightMeters", 17.4, 1.74],
  ["weightKilograms", 0, 2],
  ["weightKilograms", 665, 650],
  ["maxHeartRate", 0, 60],
  ["maxHeartRate", 251, 250],
])("%s of %d is absent, of %d is not", (field, impossible, possible) => {
  expect(profile({ body: { [field]: impossible } }).data).toEqual(ids)
  expect(profile({ body: { [field]: possible } }).data).toEqual({ ...ids, body: { [field]: possible } })
})

test("one impossible measurement does not cost the others", () => {
  const body = { heightMeters: 174, weightKilograms: 66.5, maxHeartRate: 1e308 }
  expect(profile({ body }).data).toEqual({ ...ids, body: { weightKilograms: 66.5 } })
})

test("names are stored with U+FFFD for what cannot be stored, and endless ones are absent", () => {
  const names = { firstName: "Ma\0ra", lastName: "\uD800", email: "x".repeat(255) }
  expect(profile(names, { first_name: "Ma\0ra" })).toEqual({
    data: { ...ids, firstName: "Ma\uFFFDra", lastName: "\uFFFD" },
    raw: { first_name: "Ma\uFFFDra" },
  })
})
