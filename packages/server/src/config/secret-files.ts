/** The secret files in DATA_DIR: the current one, and the former ones, newest first. */
import { randomBytes, randomUUID } from "node:crypto"
import { existsSync, readFileSync, statSync } from "node:fs"
import { chown, link, mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { SECRET_LENGTH, type Secrets } from "@restwell/core"
import { hasCluster } from "@restwell/postgres"
import type { Config } from "./config.ts"
import { UnusableSetting } from "./config-errors.ts"
import { prepareDataDir } from "./data-dir.ts"

const SECRET_BYTES = 32

const currentPath = (dataDir: string): string => join(dataDir, "secret")
const formerPath = (dataDir: string): string => join(dataDir, "former-secrets")

/**
 * Reads the secrets in DATA_DIR. The first start makes one, with mode 0600; simultaneous starts get the same one.
 * @throws {ConfigError} when a file does not contain secrets: a new secret could not decrypt what the old one encrypted
 */
export async function ensureSecrets(dataDir: string): Promise<Secrets> {
  const path = currentPath(dataDir)
  if (readIfThere(path) === undefined) {
    await mkdir(dataDir, { recursive: true })
    // A link appears whole or fails, so the second start uses the first one's secret.
    await writeWhole(path, `${makeSecret()}\n`, (unfinished) =>
      link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error
      }),
    )
  }
  return readSecrets(dataDir)
}

/** Whether DATA_DIR has a file for the secret. */
export const hasSecretFile = (dataDir: string): boolean => existsSync(currentPath(dataDir))

/**
 * A database without its secret is that of an incomplete backup, or a lost file.
 * @throws {ConfigError} when DATA_DIR has no secret: a new one could not decrypt what the old one encrypted
 */
function refuseMissingSecret(dataDir: string): void {
  const path = currentPath(dataDir)
  if (readIfThere(path) !== undefined) return
  throw new UnusableSetting(
    `${path} is missing, but there is a database that was encrypted with it`,
    "restore the file from your backup, or set RESTWELL_SECRET if you had set it before. " +
      `If it is lost, make a new one: openssl rand -base64 32 > '${path}', then: restwell re-encrypt --forget-lost-secret. People must then connect their devices and sign in again`,
  )
}

/**
 * Replaces the current secret, which becomes a former one. Killed at any step, it leaves files that decrypt everything. Call it from one
 * process at a time.
 */
export async function replaceSecret(dataDir: string): Promise<void> {
  const former = await ensureSecrets(dataDir)
  if (former[0].includes("\n"))
    throw new UnusableSetting(`${currentPath(dataDir)} has more than one line`, "leave only the secret in it")
  const owner = statSync(currentPath(dataDir))
  // In this order: a reader of the new secret also finds the former one.
  await replaceLines(formerPath(dataDir), former, owner)
  await replaceLines(currentPath(dataDir), [makeSecret()], owner)
}

/**
 * Adds the secrets of a backup, so that what they encrypted can be decrypted: where there is a secret already, as former ones. Killed at any
 * step, it leaves files that decrypt all that they did before.
 */
export async function addSecrets(dataDir: string, [current, ...former]: Secrets): Promise<void> {
  const path = currentPath(dataDir)
  if (readIfThere(path) === undefined) {
    const owner = statSync(dataDir)
    if (former.length > 0) await replaceLines(formerPath(dataDir), former, owner)
    await replaceLines(path, [current], owner)
    return
  }
  const known = readSecrets(dataDir)
  const added = [current, ...former].filter((secret) => !known.includes(secret))
  if (added.length > 0) await replaceLines(formerPath(dataDir), [...known.slice(1), ...added], statSync(path))
}

/** The command may run as another user than the service, who owns the file. */
const replaceLines = (
  path: string,
  lines: readonly string[],
  { uid, gid }: { readonly uid: number; readonly gid: number },
): Promise<void> =>
  writeWhole(path, `${lines.join("\n")}\n`, async (unfinished) => {
    await chown(unfinished, uid, gid)
    await rename(unfinished, path)
  })

/**
 * Returns the secrets at each call, and reads changed files again. Unreadable files leave the secrets as they were.
 * @param more former secrets from elsewhere
 */
export function followSecrets(dataDir: string, more: readonly string[] = []): () => Secrets {
  const read = (): Secrets => [...readSecrets(dataDir), ...more]
  let stamp = stampOf(dataDir)
  let known = read()
  return () => {
    try {
      const now = stampOf(dataDir)
      if (now !== stamp) known = read()
      stamp = now
    } catch {
      // The next start reports a file that is missing or unreadable. Until then the known secrets still work.
    }
    return known
  }
}

/** Reads the current one first, because the former ones were written before it. */
function readSecrets(dataDir: string): Secrets {
  const current = readIfThere(currentPath(dataDir)) ?? ""
  if (current.length < SECRET_LENGTH)
    throw new UnusableSetting(
      `${currentPath(dataDir)} has no secret of ${SECRET_LENGTH} characters`,
      `restore the file. If it is lost, make a new one: openssl rand -base64 32 > '${currentPath(dataDir)}', then: restwell re-encrypt --forget-lost-secret. People must then connect their devices and sign in again`,
    )
  const former = (readIfThere(formerPath(dataDir)) ?? "").split("\n").filter((secret) => secret !== "")
  if (former.some((secret) => secret.length < SECRET_LENGTH))
    throw new UnusableSetting(
      `${formerPath(dataDir)} has a line that is not a secret of ${SECRET_LENGTH} characters`,
      "restore the file. Delete it only after `restwell re-encrypt` left nothing under former secrets",
    )
  return [current, ...former.filter((secret) => secret !== current)]
}

const makeSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url")

/** Syncs the file to disk before it gets its name: nothing may be encrypted with a secret that a power cut can take. */
async function writeWhole(path: string, text: string, name: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${path}-${randomUUID()}`
  try {
    await using file = await open(unfinished, "wx", 0o600)
    await file.writeFile(text)
    await file.sync()
    await name(unfinished)
    await using directory = await open(join(path, ".."))
    await directory.sync()
  } finally {
    await rm(unfinished, { force: true })
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return ifThere(() => readFileSync(path, "utf8").trim())
  } catch (error) {
    if (error instanceof Error && "code" in error)
      throw new UnusableSetting(
        `${path} cannot be read (${error.code})`,
        "it must be a file that the user who starts Restwell can read",
      )
    throw error
  }
}

/** Changes with the files: a rename brings another inode. */
function stampOf(dataDir: string): string {
  return [currentPath(dataDir), formerPath(dataDir)]
    .map((path) => ifThere(() => statSync(path, { bigint: true })))
    .map((found) => (found ? `${found.ino}:${found.mtimeNs}` : "none"))
    .join()
}

function ifThere<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
    throw error
  }
}

/**
 * Returns the operator's secrets at each call: those of the environment, or the files in DATA_DIR, which may change while we run.
 * @throws {ConfigError} when a file does not contain secrets, the secret of an existing database is missing, or DATA_DIR cannot be used
 */
export async function openSecrets({
  secret,
  formerSecrets,
  dataDir,
  databaseUrl,
}: Pick<Config, "secret" | "formerSecrets" | "dataDir" | "databaseUrl">): Promise<() => Secrets> {
  if (databaseUrl === undefined) await prepareDataDir(dataDir)
  if (secret !== undefined) {
    const given: Secrets = [secret, ...formerSecrets]
    return () => given
  }
  if (await hasCluster(dataDir)) refuseMissingSecret(dataDir)
  await ensureSecrets(dataDir)
  return followSecrets(dataDir, formerSecrets)
}

/**
 * The operator's secrets now, without making one.
 * @throws {ConfigError} when there is none, or a file does not contain secrets
 */
export async function readCurrentSecrets({
  secret,
  formerSecrets,
  dataDir,
}: Pick<Config, "secret" | "formerSecrets" | "dataDir">): Promise<Secrets> {
  if (secret !== undefined) return [secret, ...formerSecrets]
  if (await hasCluster(dataDir)) refuseMissingSecret(dataDir)
  return followSecrets(dataDir, formerSecrets)()
}
