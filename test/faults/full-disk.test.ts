import { expect, test } from "vitest"
import { fillDisks } from "./fill-disks.ts"

/** One for each activity. `npm run test:faults` fills 20. */
const DISKS = 4

test("full disks during an upload, a sync, a backup and an import end nothing, and it goes on with space", async ({
  skip,
}) => {
  const figures = await fillDisks(DISKS, "full")
  if (typeof figures === "string") return skip(figures)
  expect(figures.filled).toBe(DISKS)
}, 240_000)
