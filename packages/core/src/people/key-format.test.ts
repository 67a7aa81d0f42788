import { createHash } from "node:crypto"
import fc from "fast-check"
import { expect, test } from "vitest"
import { generateApiKey, parseApiKey } from "./api-key.ts"

test("generates keys of the documented form", () => {
  const { text, prefix } = generateApiKey()
  expect(text).toMatch(/^rw_[0-9A-Za-z]{38}$/)
  expect(text.startsWith(prefix)).toBe(true)
})

test("never generates the same key twice", () => {
  expect(new Set(Array.from({ length: 1000 }, () => generateApiKey().text)).size).toBe(1000)
})

test("parses its own keys to their SHA-256", () => {
  const { text, keyHash } = generateApiKey()
  expect(parseApiKey(text)?.keyHash).toEqual(keyHash)
  expect(keyHash).toEqual(createHash("sha256").update(text).digest("hex"))
})

test("rejects a key with one wrong character, whichever it is", () => {
  const { text } = generateApiKey()
  fc.assert(
    fc.property(fc.integer({ min: 0, max: text.length - 1 }), fc.constantFrom(..."09azAZ _-"), (index, character) => {
      const mistyped = text.slice(0, index) + character + text.slice(index + 1)
      expect(parseApiKey(mistyped) === undefined).toBe(mistyped !== text)
    }),
  )
})

test("rejects any other text", () => {
  fc.assert(fc.property(fc.string(), (text) => parseApiKey(text) === undefined))
})
