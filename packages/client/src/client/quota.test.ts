import { expect, it } from "vitest"
import { readQuota } from "./settings.ts"

const headers = {
  "X-RateLimit-Limit": "1000",
  "X-RateLimit-Remaining": "0",
  "X-RateLimit-Reset": "2026-12-01T00:00:00.000Z",
}

it("reads the three headers as numbers and an instant", () => {
  expect(readQuota(new Headers(headers))).toEqual({
    limit: 1000,
    remaining: 0,
    reset: new Date(Date.UTC(2026, 11, 1)),
  })
})

it.each([
  ["X-RateLimit-Limit", ""],
  ["X-RateLimit-Limit", "-1"],
  ["X-RateLimit-Limit", "1e3"],
  ["X-RateLimit-Remaining", "many"],
  ["X-RateLimit-Reset", "1796083200"],
  ["X-RateLimit-Reset", "2026-13-01T00:00:00Z"],
])("returns no quota when %s is %j", (name, value) => {
  expect(readQuota(new Headers({ ...headers, [name]: value }))).toBeNull()
})

it("returns no quota when a header is missing", () => {
  const some = new Headers(headers)
  some.delete("x-ratelimit-remaining")
  expect(readQuota(some)).toBeNull()
})
