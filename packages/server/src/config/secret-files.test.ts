import { chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { ConfigError } from "./config-errors.ts"
import { ensureSecrets, followSecrets, replaceSecret } from "./secret-files.ts"

let directory: string
let dataDir: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "restwell-secret-"))
  dataDir = join(directory, "not", "there", "yet")
})
afterEach(() => rm(directory, { recursive: true }))

test("makes 32 random bytes once, readable for their owner only", async () => {
  const [secret] = await ensureSecrets(dataDir)
  expect(Buffer.from(secret, "base64url")).toHaveLength(32)
  expect((await stat(join(dataDir, "secret"))).mode & 0o777).toBe(0o600)
  expect(await ensureSecrets(dataDir)).toEqual([secret])
  expect(await ensureSecrets(join(directory, "another"))).not.toEqual([secret])
})

test("gives simultaneous starts the same secret and leaves no other file", async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, () => ensureSecrets(dataDir)))
  expect(new Set(secrets.flat())).toEqual(new Set([(await readFile(join(dataDir, "secret"), "utf8")).trim()]))
  expect(await readdir(dataDir)).toEqual(["secret"])
})

test("uses a secret that the operator wrote there", async () => {
  await writeFile(join(directory, "secret"), `${"k".repeat(40)}\n`)
  expect(await ensureSecrets(directory)).toEqual(["k".repeat(40)])
})

test("refuses a truncated file and does not change it", async () => {
  await writeFile(join(directory, "secret"), "short")
  await expect(ensureSecrets(directory)).rejects.toThrow(ConfigError)
  await expect(ensureSecrets(directory)).rejects.not.toThrow(/short/)
  expect(await readFile(join(directory, "secret"), "utf8")).toBe("short")
})

test("keeps former secrets, newest first, readable for their owner only", async () => {
  const [first] = await ensureSecrets(dataDir)
  await replaceSecret(dataDir)
  const [second] = await ensureSecrets(dataDir)
  await replaceSecret(dataDir)
  const [third, ...former] = await ensureSecrets(dataDir)
  expect(former).toEqual([second, first])
  expect(new Set([first, second, third]).size).toBe(3)
  expect((await readdir(dataDir)).toSorted()).toEqual(["former-secrets", "secret"])
  for (const name of await readdir(dataDir)) expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600)
})

test("keeps the current secret if it is killed after the first file", async () => {
  const [first] = await ensureSecrets(dataDir)
  await writeFile(join(dataDir, "former-secrets"), `${first}\n`)
  await writeFile(join(dataDir, "former-secrets-0a1b"), "half")
  expect(await ensureSecrets(dataDir)).toEqual([first])
  await replaceSecret(dataDir)
  expect((await ensureSecrets(dataDir)).slice(1)).toEqual([first])
})

test("returns a new secret at once, and the known ones if the files disappear", async () => {
  const before = await ensureSecrets(dataDir)
  const follow = followSecrets(dataDir, ["m".repeat(32)])
  expect(follow()).toEqual([...before, "m".repeat(32)])
  expect(follow()).toBe(follow())
  await replaceSecret(dataDir)
  const after = await ensureSecrets(dataDir)
  expect(follow()).toEqual([...after, "m".repeat(32)])
  await rm(dataDir, { recursive: true })
  expect(follow()).toEqual([...after, "m".repeat(32)])
})

test("refuses truncated former secrets", async () => {
  await ensureSecrets(dataDir)
  await writeFile(join(dataDir, "former-secrets"), "short\n")
  await expect(ensureSecrets(dataDir)).rejects.toThrow(/former-secrets has a line that is not a secret/)
})

test.runIf(process.getuid?.() === 0)("files made by root belong to whom the secret belonged", async () => {
  await ensureSecrets(dataDir)
  await chown(join(dataDir, "secret"), 65_534, 65_534)
  await replaceSecret(dataDir)
  for (const name of ["secret", "former-secrets"]) expect((await stat(join(dataDir, name))).uid).toBe(65_534)
})
