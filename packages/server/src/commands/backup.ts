import { stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { backupName, FileExists, fileTrouble, openDatabase, type Secrets, writeLoggedBackup } from "@restwell/core"
import type { Pool } from "pg"
import manifest from "../../package.json" with { type: "json" }
import { type Config, loadConfig } from "../config/config.ts"
import { openSecrets } from "../config/open-secrets.ts"
import { hasCluster } from "../postgres/home.ts"
import { CommandFailed } from "./command.ts"
import { commandLogger } from "./command-logger.ts"
import { describeSize } from "./describe-size.ts"
import { showProgress } from "./progress.ts"
import { runCommand } from "./run-command.ts"
import { withDatabase } from "./with-database.ts"

export interface BackupArguments {
  readonly file: string
  readonly hasSecret: boolean
  readonly isJson: boolean
}

/** `restwell backup`: writes all data to a file, while the service runs or not. It changes no table, so that it also works before an upgrade. */
export const main = (given: BackupArguments): Promise<void> =>
  runCommand(async (signal) => {
    const config = loadConfig(process.env)
    await requireDatabase(config)
    const file = await nameFile(given.file)
    const secrets = await openSecrets(config)
    const options = { config, logger: commandLogger(), signal, migrates: false, endsItself: true }
    await withDatabase(options, (pool) => write(pool, { ...given, file, secrets: secrets(), signal }))
  })

/** A backup must not make the database that it is to save. @throws {CommandFailed} */
async function requireDatabase({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined || (await hasCluster(dataDir))) return
  throw new CommandFailed(
    `there is no database in ${resolve(dataDir)}: set DATA_DIR or DATABASE_URL as the service has it, or run the command in the service's folder`,
  )
}

/** The file to write. @throws {CommandFailed | FileExists} */
async function nameFile(given: string): Promise<string> {
  const isFolder = (path: string) =>
    stat(path).then(
      (found) => found.isDirectory(),
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined
        throw new CommandFailed(`${path} cannot be used: ${error.message}`)
      },
    )
  const found = await isFolder(given)
  if (found === true) return join(given, backupName(new Date()))
  if (found === false) throw new FileExists(`${given} exists already: choose another name, or delete it first`)
  if ((await isFolder(resolve(given, ".."))) !== true)
    throw new CommandFailed(`there is no folder ${resolve(given, "..")}`)
  return given
}

interface BackupToWrite extends BackupArguments {
  readonly secrets: Secrets
  readonly signal: AbortSignal
}

async function write(pool: Pool, { file, secrets, hasSecret, isJson, signal }: BackupToWrite): Promise<void> {
  const startedAt = performance.now()
  using progress = showProgress({ label: "backing up", isSilent: isJson })
  const { bytes, people, rows } = await writeLoggedBackup(
    { database: openDatabase(pool), pool },
    {
      file: resolve(file),
      secrets,
      hasSecret,
      program: manifest.version,
      now: new Date(),
      onProgress: (share) => progress.update(share),
      signal,
    },
  ).catch((error: unknown) => {
    const trouble = fileTrouble(error)
    throw trouble === undefined ? error : new CommandFailed(`${file} cannot be written: ${trouble}`)
  })
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1))
  const result = { file: resolve(file), bytes, people, rows, has_secret: hasSecret, seconds }
  const secretNote = hasSecret
    ? "It contains the secret: keep it as safe as the service itself"
    : "It does not contain the secret: keep RESTWELL_SECRET, or the files secret and former-secrets of DATA_DIR, elsewhere"
  process.stdout.write(
    isJson
      ? `${JSON.stringify(result)}\n`
      : `${result.file}: ${describeSize(bytes)}, ${people} ${people === 1 ? "person" : "people"}, ${rows} rows, in ${seconds} s\n${secretNote}\n`,
  )
}
