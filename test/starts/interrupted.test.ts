import { expect, test } from "vitest"
import { interruptStarts } from "./interrupt-starts.ts"

/** A short form of `npm run test:starts`. */
const STARTS = 12

test("starts interrupted at any moment leave no process, lose nothing, and the next start works", async () => {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const { failures, text } = await interruptStarts({ starts: STARTS, seed: "short", lanes: 2, print })
  print(text)
  expect(failures).toEqual([])
}, 180_000)
