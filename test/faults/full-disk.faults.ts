import { expect, test } from "vitest"
import { fillDisks } from "./fill-disks.ts"

const { FULL_DISKS = "20", FULL_DISKS_SEED = "full" } = process.env

test(`${FULL_DISKS} full disks during uploads, syncs, backups and imports end nothing, and it goes on with space`, async ({
  skip,
}) => {
  const figures = await fillDisks(Number(FULL_DISKS), FULL_DISKS_SEED)
  if (typeof figures === "string") return skip(figures)
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  expect(figures.filled).toBe(Number(FULL_DISKS))
})
