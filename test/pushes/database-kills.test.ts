import { expect, test } from "vitest"
import { surviveDatabaseKills } from "./survive-push-kills.ts"

test("15 batches, shuffled and cut by kill -9 of PostgreSQL, store what one push stores: what was answered is there", async () => {
  expect(await surviveDatabaseKills({ batches: 15, kills: 2, seed: "database" })).toContain("2 kills")
})
