import { expect, test } from "vitest"
import { attackUploads } from "./attack-uploads.ts"

const { ATTACK_SEED = String(Date.now() % 2 ** 31), ATTACK_FILES = "400" } = process.env
/** Others wait for an import no longer than this many times. */
const SLOWDOWN = 3

test(`${ATTACK_FILES} hostile files are refused or read, nothing of them stays, and others are answered (ATTACK_SEED=${ATTACK_SEED})`, async () => {
  const { faults, endings, ...times } = await attackUploads(Number(ATTACK_FILES), Number(ATTACK_SEED))
  process.stdout.write(`${JSON.stringify({ ...Object.fromEntries(endings), ...times })}\n`)
  expect(faults).toEqual([])
  expect(times.medianMs).toBeLessThan(times.medianAtRestMs * SLOWDOWN)
})
