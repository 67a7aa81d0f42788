import { expect, test } from "vitest"
import { surviveDeliveryKills } from "../telling/survive-delivery-kills.ts"
import { KILLS, SEED } from "./settings.ts"

const MESSAGES = 2_500
const kills = Math.ceil(KILLS / 4)

test(`${MESSAGES} messages arrive at each of four receivers, while two replicas are killed ${kills} times`, async () => {
  const figures = await surviveDeliveryKills({ messages: MESSAGES, kills, seed: SEED })
  process.stdout.write(`${figures}\n`)
  expect(figures).toContain(`${kills} kills`)
})
