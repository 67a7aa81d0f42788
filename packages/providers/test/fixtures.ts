import { readFileSync } from "node:fs"
import type { Json } from "@restwell/providers"

/** Reads the made-up answers of a vendor, in the shapes real traffic has, by their names. */
export function fixturesOf(vendor: "whoop" | "oura") {
  const readFixtureText = (name: string): string =>
    readFileSync(new URL(`../src/${vendor}/fixtures/${name}.json`, import.meta.url), "utf8")
  const readFixture = (name: string): Json => JSON.parse(readFixtureText(name))
  return { readFixture, readFixtureText }
}
