import { expect, test } from "vitest"
import { surviveDatabaseKills } from "./survive-push-kills.ts"

test("40 batches, shuffled and cut by kill -9 of PostgreSQL, store what one push stores: what was answered is there", async () => {
  expect(await surviveDatabaseKills({ batches: 40, kills: 4, seed: "database" })).toContain("4 kills")
})
