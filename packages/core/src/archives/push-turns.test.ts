import { expect, test } from "vitest"
import { TooManyRequests } from "../context/errors.ts"
import { pushTurns } from "./push-turns.ts"

function turnsWithPatience() {
  const impatience = Promise.withResolvers<void>()
  const clock = { now: () => new Date("2026-11-20T12:00:00Z") }
  return { turns: pushTurns({ clock, wait: () => impatience.promise }), endPatience: impatience.resolve }
}

test("two pushes of a person run at a time, and others wait in their order", async () => {
  const { turns } = turnsWithPatience()
  const begun: number[] = []
  const ends: (() => void)[] = []
  const all = [0, 1, 2, 3].map(async (number) => {
    const end = await turns.begin("ada")
    begun.push(number)
    ends.push(end)
  })
  await Promise.all(all.slice(0, 2))
  await turns.begin("bob")
  expect(begun).toEqual([0, 1])
  ends[0]?.()
  ends[0]?.()
  await all[2]
  expect(begun).toEqual([0, 1, 2])
  ends[1]?.()
  await all[3]
  expect(begun).toEqual([0, 1, 2, 3])
})

test("a push that gets no turn is refused, and takes none later", async () => {
  const { turns, endPatience } = turnsWithPatience()
  const first = await turns.begin("ada")
  await turns.begin("ada")
  const third = turns.begin("ada")
  endPatience()
  await expect(third).rejects.toThrow(TooManyRequests)
  first()
  await expect(turns.begin("ada")).resolves.toBeTypeOf("function")
})

test("more pushes than a phone sends are refused at once", async () => {
  const { turns } = turnsWithPatience()
  const all = Array.from({ length: 21 }, () => turns.begin("ada"))
  for (const each of all) each.catch(() => {})
  await expect(all[20]).rejects.toThrow("at most 2 pushes at a time")
})
