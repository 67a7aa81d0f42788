import { resolve } from "node:path"
import { plural } from "@restwell/client/figures"
import {
  createTokenCipher,
  restoreBackup,
  type Secrets,
  type TokenCipher,
  UnusableBackup,
  UnusableDatabase,
  type VerifiedBackup,
  verifyBackup,
} from "@restwell/core"
import { hasCluster, LOCK_CONNECTION } from "@restwell/postgres"
import type { Pool } from "pg"
import { type Config, loadConfig } from "../config/config.ts"
import { prepareDataDir } from "../config/data-dir.ts"
import { addSecrets, ensureSecrets, hasSecretFile } from "../config/secret-files.ts"
import { checkSigningKey, forgetUnusableKey } from "../oauth/signing-key.ts"
import { CommandFailed, type Given, printResult } from "./command.ts"
import { describeFailure, runCommand } from "./run-command.ts"
import { commandLogger, type Progress, showProgress } from "./terminal.ts"
import { type Store, withDatabase } from "./with-database.ts"

/** `restwell restore`: replaces all data by those of a backup, while no service runs. */
export const main = (given: Given): Promise<void> =>
  runCommand(async (signal) => {
    const config = loadConfig(process.env)
    using progress = showProgress({ label: "restoring", isSilent: given.has("json") })
    const onProgress = (share: number) => progress.update(share, "check of the file")
    const backup = await verifyBackup(given.argument("FILE"), { onProgress, signal })
    if (given.has("check")) return print(given, backup, "can be restored")
    await restoreInto({ config, given, backup, progress, signal })
    print(given, backup, "restored")
    if (!given.has("json")) process.stdout.write(await describeSecret(config, backup))
  })

interface Restoration {
  readonly config: Config
  readonly given: Given
  readonly backup: VerifiedBackup
  readonly progress: Progress
  readonly signal: AbortSignal
}

/** @throws {CommandFailed} with what went wrong, and what became of the data */
async function restoreInto(restoration: Restoration): Promise<void> {
  const { config, backup, signal } = restoration
  const commit = { hasBegun: false }
  try {
    if (config.databaseUrl === undefined) {
      await prepareDataDir(config.dataDir)
      // A database without a secret does not start, so a new one has it from the first moment.
      if (!(await hasCluster(config.dataDir))) await keepSecrets(config, backup)
    }
    const alone = { isAlone: true, endsItself: true, makesDatabase: true, migrates: false }
    const options = { config, logger: commandLogger(), signal, ...alone }
    await withDatabase(options, (pool) => restore(pool, restoration, commit))
  } catch (error) {
    const text = describeFailure(error, { withStack: false })
    if (text.endsWith("Nothing was changed")) throw error
    const outcome = commit.hasBegun
      ? "The data are restored or as before: run the command again"
      : "Nothing was changed"
    throw new CommandFailed(`${text}. ${outcome}`, { cause: error })
  }
}

async function restore(
  pool: Pool,
  { config, given, backup, progress, signal }: Restoration,
  commit: { hasBegun: boolean },
): Promise<void> {
  await restoreBackup(pool, {
    path: given.argument("FILE"),
    backup,
    replaces: given.has("replace"),
    ownConnection: LOCK_CONNECTION,
    cipher: cipherOf(config, backup),
    onProgress: (share) => progress.update(share, "the data"),
    signal,
    async beforeCommit(database) {
      await refuseUnstartable(database, config, backup)
      await keepSecrets(config, backup)
      commit.hasBegun = true
    },
  })
}

/** What a start checks beside the schema. @throws {UnusableBackup} when no service would start with the restored data */
async function refuseUnstartable(database: Store["database"], config: Config, backup: VerifiedBackup): Promise<void> {
  const context = { database, cipher: createTokenCipher(await secretsOfStart(config, backup)) }
  if (backup.secrets === undefined) return void (await forgetUnusableKey(context))
  await checkSigningKey(context).catch((cause: unknown) => {
    if (!(cause instanceof UnusableDatabase)) throw cause
    throw new UnusableBackup(
      "the secret of the backup does not decrypt its signing key, so that no service would start with it: use another copy. Nothing was changed",
      { cause },
    )
  })
}

/** The secrets that a start at this place will have. */
async function secretsOfStart(
  { secret, formerSecrets, dataDir }: Config,
  { secrets }: VerifiedBackup,
): Promise<Secrets> {
  if (secret !== undefined) return [secret, ...formerSecrets]
  if (secrets !== undefined && !hasSecretFile(dataDir)) return [...secrets, ...formerSecrets]
  return [...(await ensureSecrets(dataDir)), ...(secrets ?? []), ...formerSecrets]
}

/** With secrets of the environment, which no command can change, stored tokens are encrypted with them. */
function cipherOf({ secret, formerSecrets }: Config, { secrets }: VerifiedBackup): TokenCipher | undefined {
  if (secret === undefined || secrets === undefined) return undefined
  return createTokenCipher([secret, ...formerSecrets, ...secrets])
}

/** Before the rows become visible: a service must find the secrets that encrypted them. */
async function keepSecrets({ secret, dataDir }: Config, { secrets }: VerifiedBackup): Promise<void> {
  if (secret !== undefined) return
  if (secrets === undefined) await ensureSecrets(dataDir)
  else await addSecrets(dataDir, secrets)
}

const keyIdOf = (secret: string): string => createTokenCipher([secret]).currentKeyId()

/** What became of the secret, as far as the operator has to know it. */
async function describeSecret(config: Config, { header, secrets }: VerifiedBackup): Promise<string> {
  const { secret, formerSecrets, dataDir } = config
  if (secret === undefined && secrets !== undefined) return `The secret of the backup is in ${resolve(dataDir)}\n`
  const known = [...(secret === undefined ? await ensureSecrets(dataDir) : [secret]), ...formerSecrets]
  if (known.some((each) => keyIdOf(each) === header.key_id)) return ""
  if (secrets === undefined)
    return (
      "The backup has no secret. Where the service finds the one that it was made with, everything works as before. Otherwise people keep their " +
      "records and API keys, and connect their devices and sign in again. To bring the secret back, set RESTWELL_FORMER_SECRETS\n"
    )
  return (
    "Stored tokens are now encrypted with this place's RESTWELL_SECRET. So that people stay signed in, add the RESTWELL_SECRET of the place where " +
    "the backup was made to RESTWELL_FORMER_SECRETS\n"
  )
}

function print(given: Given, { header }: VerifiedBackup, outcome: string): void {
  const file = given.argument("FILE")
  const people = header.tables.find(({ name }) => name === "person")?.rows ?? 0
  const total = header.tables.reduce((sum, { rows }) => sum + rows, 0)
  const result = {
    file,
    outcome,
    created_at: header.created_at,
    program: header.program,
    people,
    rows: total,
    has_secret: header.has_secret,
  }
  const made = `made ${header.created_at} by Restwell ${header.program}, with${header.has_secret ? "" : "out"} the secret`
  const count = `${plural(people, "person", "people")}, ${plural(total, "row")}`
  printResult(given, result, `${file} ${outcome}: ${count}, ${made}\n`)
}
