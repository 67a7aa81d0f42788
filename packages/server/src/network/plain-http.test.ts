import { expect, test } from "vitest"
import { isPlainOnPublicAddress } from "./addresses.ts"

test.each([
  ["http://restwell.example.com", true],
  ["http://restwell.example.com:8080", true],
  ["http://8.8.8.8", true],
  ["http://[2a00:1450::1]:3000", true],
  ["https://restwell.example.com", false],
  ["http://localhost:3000", false],
  ["http://restwell.localhost", false],
  ["http://127.0.0.1:3000", false],
  ["http://[::1]:3000", false],
  ["http://192.168.1.20:3000", false],
  ["http://restwell:3000", false],
  ["http://nas.local", false],
  ["http://nas.home.arpa", false],
])("%s is plain http in public: %s", (baseUrl, isPlain) => {
  expect(isPlainOnPublicAddress(baseUrl)).toBe(isPlain)
})
