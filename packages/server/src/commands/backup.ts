import { stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import {
  backupFolderFault,
  backupName,
  FileExists,
  fileTrouble,
  openDatabase,
  type Secrets,
  writeLoggedBackup,
} from "@restwell/core"
import type { Pool } from "pg"
import manifest from "../../package.json" with { type: "json" }
import { embeddedDir, loadConfig } from "../config/config.ts"
import { openSecrets } from "../config/secret-files.ts"
import { CommandFailed, type Given, printResult } from "./command.ts"
import { runCommand } from "./run-command.ts"
import { commandLogger, showProgress } from "./terminal.ts"
import { requireDatabase, withDatabase } from "./with-database.ts"

const UNITS = ["bytes", "kB", "MB", "GB", "TB"]

/** A number of bytes for people, like 12.3 MB. */
function describeSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1)
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${UNITS[power]}`
}

/** `restwell backup`: writes all data to a file, while the service runs or not. It changes no table, so that it also works before an upgrade. */
export const main = (given: Given): Promise<void> =>
  runCommand(async (signal) => {
    const config = loadConfig(process.env)
    await requireDatabase(config)
    const file = await nameFile(given.argument("FILE"))
    const fault = await backupFolderFault(resolve(file, ".."), embeddedDir(config))
    if (fault !== undefined) throw new CommandFailed(`${file} cannot be written: ${fault}: choose another folder`)
    const secrets = await openSecrets(config)
    const options = { config, logger: commandLogger(), signal, migrates: false, endsItself: true }
    await withDatabase(options, (pool) => write(pool, { given, file, secrets: secrets(), signal }))
  })

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

interface BackupToWrite {
  readonly given: Given
  readonly file: string
  readonly secrets: Secrets
  readonly signal: AbortSignal
}

async function write(pool: Pool, { given, file, secrets, signal }: BackupToWrite): Promise<void> {
  const hasSecret = !given.has("without-secret")
  const startedAt = performance.now()
  using progress = showProgress({ label: "backing up", isSilent: given.has("json") })
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
  const count = `${people} ${people === 1 ? "person" : "people"}, ${rows} rows`
  printResult(given, result, `${result.file}: ${describeSize(bytes)}, ${count}, in ${seconds} s\n${secretNote}\n`)
}
