import { expect, test } from "vitest"
import { inOrderOfNumbers } from "./migrate.ts"

test("schema files run in the order of their numbers, also from ten on", () => {
  expect(inOrderOfNumbers(["10-later.sql", "1-first.sql", "2-second.sql"])).toEqual([
    "1-first.sql",
    "2-second.sql",
    "10-later.sql",
  ])
})
