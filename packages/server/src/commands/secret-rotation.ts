import { createTokenCipher, openDatabase, reencryptSecrets, type Secrets } from "@restwell/core"
import { AlreadyRunning, withAdvisoryLock } from "@restwell/postgres"
import type { Pool } from "pg"
import { loadConfig } from "../config/config.ts"
import { openSecrets, replaceSecret } from "../config/secret-files.ts"
import { forgetUnusableKey } from "../oauth/signing-key.ts"
import { CommandFailed, type Given } from "./command.ts"
import { runCommand } from "./run-command.ts"
import { commandLogger, showProgress } from "./terminal.ts"
import { requireDatabase, withDatabase } from "./with-database.ts"

const SOME_LEFT =
  "some processes still encrypt with a former secret: give every process the current one, then run this again"
const SOME_UNREADABLE =
  "what cannot be decrypted was encrypted with an unknown secret: add that secret to RESTWELL_FORMER_SECRETS and run this again. " +
  "Without it, those people and clients must connect again"

/** `restwell re-encrypt`: encrypts everything that is stored with the current secret, while the service runs or not. */
export const reencryptCommand = (given: Given): Promise<void> =>
  runCommand(async (signal) => {
    const config = loadConfig(process.env)
    await requireDatabase(config)
    const secrets = await openSecrets(config)
    await withDatabase({ config, signal, logger: commandLogger() }, async (pool) => {
      if (given.has("forget-lost-secret")) await forgetLost(pool, secrets())
      await runReencryption(pool, secrets())
    })
  })

async function forgetLost(pool: Pool, secrets: Secrets): Promise<void> {
  const isForgotten = await forgetUnusableKey({ database: openDatabase(pool), cipher: createTokenCipher(secrets) })
  print(
    isForgotten ? "the service can start with this secret" : "nothing to forget: this secret is that of the database",
  )
}

/** Encrypts everything that is stored with the current secret, and prints the result. The exit code is 1 if something is left. */
async function runReencryption(pool: Pool, secrets: Secrets): Promise<void> {
  const kinds = Object.entries(await reencryptWithProgress(pool, secrets))
  for (const [kind, { reencrypted, left, unreadable }] of kinds)
    print(
      `${kind}: ${reencrypted} re-encrypted`,
      left > 0 && `, ${left} of them changed back`,
      unreadable > 0 && `, ${unreadable} cannot be decrypted`,
    )
  const hasLeft = kinds.some(([, { left }]) => left > 0)
  const hasUnreadable = kinds.some(([, { unreadable }]) => unreadable > 0)
  if (hasLeft) print(SOME_LEFT)
  if (hasUnreadable) print(SOME_UNREADABLE)
  if (hasLeft || hasUnreadable) process.exitCode = 1
  else print("everything is encrypted with the current secret")
}

async function reencryptWithProgress(pool: Pool, secrets: Secrets) {
  using progress = showProgress({ label: "re-encrypting" })
  const context = { database: openDatabase(pool), cipher: createTokenCipher(secrets) }
  return await reencryptSecrets(context, (kind, share) => progress.update(share, kind))
}

const print = (...parts: readonly (string | false)[]): boolean =>
  process.stdout.write(`${parts.filter((part) => part !== false).join("")}\n`)

/** A random number: its holder is the only one who replaces the secret. */
const ROTATION_LOCK = 5_527_704_913

const BY_HAND = `RESTWELL_SECRET is set in the environment, so change it there:
1. make a new secret: openssl rand -base64 32
2. add it to RESTWELL_FORMER_SECRETS of every process, and restart them one by one
3. put it in RESTWELL_SECRET and the old one in RESTWELL_FORMER_SECRETS of every process, and restart them one by one
4. restwell re-encrypt
5. a week later, when all sessions have new cookies, remove the old one from RESTWELL_FORMER_SECRETS`

/** `restwell rotate-secret`: makes a new secret in DATA_DIR and encrypts everything with it, while the service runs or not. */
export const rotateSecretCommand = (): Promise<void> =>
  runCommand(async (signal) => {
    const config = loadConfig(process.env)
    if (config.secret !== undefined) throw new CommandFailed(BY_HAND)
    await requireDatabase(config)
    const secrets = await openSecrets(config)
    const rotate = async (pool: Pool): Promise<void> => {
      await replaceSecret(config.dataDir)
      process.stdout.write(`the new secret is in ${config.dataDir}, beside the former one\n`)
      await runReencryption(pool, secrets())
    }
    await withDatabase({ config, signal, logger: commandLogger() }, async (pool) => {
      const isAlone = await withAdvisoryLock(pool, ROTATION_LOCK, () => rotate(pool))
      if (!isAlone)
        throw new AlreadyRunning("another `restwell rotate-secret` runs on this DATA_DIR", "wait until it has ended")
    })
  })
