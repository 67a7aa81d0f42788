import { expect, test } from "vitest"
import { takeTurns } from "./batch.ts"

/** Work that ends when the test ends it. */
function workOf(turns: ReturnType<typeof takeTurns>) {
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  return {
    begun,
    ask: (owner: string, name: string) =>
      turns.run(owner, () => {
        begun.push(name)
        return new Promise<string>((resolve, reject) => {
          ends.set(name, (error) => (error ? reject(error) : resolve(name)))
        })
      }),
    async end(name: string, error?: Error) {
      ends.get(name)?.(error)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test("runs one piece of work at a time, and owners take turns", async () => {
  const turns = takeTurns()
  const { begun, ask, end } = workOf(turns)
  const results = Promise.all([ask("ada", "a1"), ask("ada", "a2"), ask("ada", "a3"), ask("omar", "o1")])
  expect(turns.count).toBe(4)
  for (const name of ["a1", "a2", "o1", "a3"]) {
    expect(begun.at(-1)).toBe(name)
    await end(name)
  }
  expect(await results).toEqual(["a1", "a2", "a3", "o1"])
  expect(turns.count).toBe(0)
})

test("failed work fails its caller, and the next runs", async () => {
  const { ask, end } = workOf(takeTurns())
  const [failed, next] = [ask("ada", "a"), ask("omar", "o")]
  const outcome = expect(failed).rejects.toThrow("broken")
  await end("a", new Error("broken"))
  await end("o")
  expect(await next).toBe("o")
  await outcome
})
