import { expect, test } from "vitest"
import { attackUploads } from "./attack-uploads.ts"

/** Files of the short form. `npm run test:attacks` uploads 400. */
const FILES = 12
const SEED = 20_261_123

test(`${FILES} hostile files are refused or read, and nothing of them stays`, async () => {
  const { faults, endings } = await attackUploads(FILES, SEED)
  expect(faults).toEqual([])
  expect([...endings.keys()]).toEqual(expect.arrayContaining(["done", "failed"]))
}, 240_000)
