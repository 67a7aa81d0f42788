import { expect, test } from "vitest"
import { nameOfWords } from "./own-journal.ts"

test.each([
  ["Cold shower", "cold_shower"],
  ["  Café  crème! ", "café_crème"],
  ["10 000 steps", "10_000_steps"],
  ["?!", ""],
  // Written in two code points and in one, it is the same topic.
  ["Cafe\u0301", "caf\u00e9"],
])("the topic %j is named %j", (words, name) => {
  expect(nameOfWords(words)).toBe(name)
})

test("a name is never longer than the service stores", () => {
  expect(nameOfWords("a".repeat(80))).toBe("a".repeat(64))
})
