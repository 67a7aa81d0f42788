import { expect, test } from "vitest"
import { surviveNotifyKills } from "../notifications/survive-notify-kills.ts"
import { KILLS, SEED } from "./settings.ts"

const PEOPLE = 1_000
const kills = Math.ceil(KILLS / 4)

test(`each of ${PEOPLE} mornings is told once, while two replicas are killed ${kills} times`, async () => {
  const figures = await surviveNotifyKills({ people: PEOPLE, kills, seed: SEED })
  process.stdout.write(`${figures}\n`)
  expect(figures).toContain(`${kills} kills`)
})
