import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { z } from "zod"
import { interruptStarts } from "./interrupt-starts.ts"

const { INTERRUPTED_STARTS, STARTS_SEED } = z
  .object({
    INTERRUPTED_STARTS: z.coerce.number().int().min(1).default(2_000),
    /** Draws moments, signals and folders. The timing inside the service still varies. */
    STARTS_SEED: z.string().default(String(Date.now())),
  })
  .parse(process.env)

/** Two for each core of a small machine, because a start also waits for its disk. */
const LANES = 4

test(`${INTERRUPTED_STARTS} starts interrupted at any moment leave no process, lose nothing, and the next start works`, async () => {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  print(`STARTS_SEED=${STARTS_SEED}`)
  // A cache of compiled code halves the work of a start.
  const cache = await mkdtemp(join(tmpdir(), "restwell-compiled-"))
  process.env["NODE_COMPILE_CACHE"] ??= cache
  const { failures, text } = await interruptStarts({
    starts: INTERRUPTED_STARTS,
    seed: STARTS_SEED,
    lanes: LANES,
    print,
  })
  await rm(cache, { recursive: true, force: true })
  print(text)
  expect(failures).toEqual([])
})
