import { chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { ConfigError } from "./config.ts"
import { followSecrets, keepSecrets, replaceSecret } from "./secret-files.ts"

let directory: string
let dataDir: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "restwell-secret-"))
  dataDir = join(directory, "not", "there", "yet")
})
afterEach(() => rm(directory, { recursive: true }))

test("makes 32 random bytes once and keeps them for its owner alone", async () => {
  const [secret] = await keepSecrets(dataDir)
  expect(Buffer.from(secret, "base64url")).toHaveLength(32)
  expect((await stat(join(dataDir, "secret"))).mode & 0o777).toBe(0o600)
  expect(await keepSecrets(dataDir)).toEqual([secret])
  expect(await keepSecrets(join(directory, "another"))).not.toEqual([secret])
})

test("many starts at once end with the same secret and leave nothing else", async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, () => keepSecrets(dataDir)))
  expect(new Set(secrets.flat())).toEqual(new Set([(await readFile(join(dataDir, "secret"), "utf8")).trim()]))
  expect(await readdir(dataDir)).toEqual(["secret"])
})

test("takes a secret that the operator put there", async () => {
  await writeFile(join(directory, "secret"), `${"k".repeat(40)}\n`)
  expect(await keepSecrets(directory)).toEqual(["k".repeat(40)])
})

test("refuses a file that is cut off, and leaves it as it is", async () => {
  await writeFile(join(directory, "secret"), "short")
  await expect(keepSecrets(directory)).rejects.toThrow(ConfigError)
  await expect(keepSecrets(directory)).rejects.not.toThrow(/short/)
  expect(await readFile(join(directory, "secret"), "utf8")).toBe("short")
})

test("a new secret leaves those it followed beside it, newest first, for their owner alone", async () => {
  const [first] = await keepSecrets(dataDir)
  await replaceSecret(dataDir)
  const [second] = await keepSecrets(dataDir)
  await replaceSecret(dataDir)
  const [third, ...former] = await keepSecrets(dataDir)
  expect(former).toEqual([second, first])
  expect(new Set([first, second, third]).size).toBe(3)
  expect((await readdir(dataDir)).toSorted()).toEqual(["former-secrets", "secret"])
  for (const name of await readdir(dataDir)) expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600)
})

test("cut off after its first file, it leaves the secret as it was", async () => {
  const [first] = await keepSecrets(dataDir)
  await writeFile(join(dataDir, "former-secrets"), `${first}\n`)
  await writeFile(join(dataDir, "former-secrets-0a1b"), "half")
  expect(await keepSecrets(dataDir)).toEqual([first])
  await replaceSecret(dataDir)
  expect((await keepSecrets(dataDir)).slice(1)).toEqual([first])
})

test("who follows the secrets has the new one as soon as it is there, and keeps what it has when the files go", async () => {
  const before = await keepSecrets(dataDir)
  const follow = followSecrets(dataDir, ["m".repeat(32)])
  expect(follow()).toEqual([...before, "m".repeat(32)])
  expect(follow()).toBe(follow())
  await replaceSecret(dataDir)
  const after = await keepSecrets(dataDir)
  expect(follow()).toEqual([...after, "m".repeat(32)])
  await rm(dataDir, { recursive: true })
  expect(follow()).toEqual([...after, "m".repeat(32)])
})

test("refuses former secrets that are cut off", async () => {
  await keepSecrets(dataDir)
  await writeFile(join(dataDir, "former-secrets"), "short\n")
  await expect(keepSecrets(dataDir)).rejects.toThrow(/former-secrets holds something else/)
})

test.runIf(process.getuid?.() === 0)("files made by root belong to whom the secret belonged", async () => {
  await keepSecrets(dataDir)
  await chown(join(dataDir, "secret"), 65_534, 65_534)
  await replaceSecret(dataDir)
  for (const name of ["secret", "former-secrets"]) expect((await stat(join(dataDir, name))).uid).toBe(65_534)
})
