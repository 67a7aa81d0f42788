import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { ConfigError } from "./config.ts"
import { keepSecret } from "./secret.ts"

let directory: string
let dataDir: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "restwell-secret-"))
  dataDir = join(directory, "not", "there", "yet")
})
afterEach(() => rm(directory, { recursive: true }))

test("makes 32 random bytes once and keeps them for its owner alone", async () => {
  const secret = await keepSecret(dataDir)
  expect(Buffer.from(secret, "base64url")).toHaveLength(32)
  expect((await stat(join(dataDir, "secret"))).mode & 0o777).toBe(0o600)
  expect(await keepSecret(dataDir)).toBe(secret)
  expect(await keepSecret(join(directory, "another"))).not.toBe(secret)
})

test("many starts at once end with the same secret and leave nothing else", async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, () => keepSecret(dataDir)))
  expect(new Set(secrets)).toEqual(new Set([(await readFile(join(dataDir, "secret"), "utf8")).trim()]))
  expect(await readdir(dataDir)).toEqual(["secret"])
})

test("takes a secret that the operator put there", async () => {
  await writeFile(join(directory, "secret"), `${"k".repeat(40)}\n`)
  expect(await keepSecret(directory)).toBe("k".repeat(40))
})

test("refuses a file that is cut off, and leaves it as it is", async () => {
  await writeFile(join(directory, "secret"), "short")
  await expect(keepSecret(directory)).rejects.toThrow(ConfigError)
  await expect(keepSecret(directory)).rejects.not.toThrow(/short/)
  expect(await readFile(join(directory, "secret"), "utf8")).toBe("short")
})
