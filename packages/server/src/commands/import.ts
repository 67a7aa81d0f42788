import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { basename } from "node:path"
import { findUserByEmail, openDatabase, receiveImport } from "@restwell/core"
import type { Pool } from "pg"
import { type Config, loadConfig } from "../config/config.ts"
import { diskOf } from "../postgres/disk-watch.ts"
import { waitUnreferenced } from "../process/wait.ts"
import { CommandFailed, type Given, printResult } from "./command.ts"
import { importFolder } from "./import-folder.ts"
import { describe, type ImportInto, untilRead } from "./read-import.ts"
import { runCommand } from "./run-command.ts"
import { commandLogger } from "./terminal.ts"
import { withDatabase } from "./with-database.ts"

/** `restwell import`: imports an archive, or those of a folder, into an account, while the service runs or not. */
export const main = (given: Given): Promise<void> =>
  runCommand(async (signal) => {
    const config = loadConfig(process.env)
    const path = given.argument("FILE")
    const isFolder = await checkPath(path, config)
    await withDatabase({ config, logger: commandLogger(), signal }, async (pool) => {
      const into = { ...(await openAccount({ pool, config }, given.value("account"))), given, signal }
      await (isFolder ? importFolder(into, path) : importFile(into, path))
    })
  })

/** @returns true for a folder @throws {CommandFailed} */
async function checkPath(path: string, { importMaxBytes }: Config): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    throw new CommandFailed(`${path} cannot be read: ${error instanceof Error ? error.message : "unknown"}`)
  })
  if (found.isDirectory()) return true
  if (!found.isFile()) throw new CommandFailed(`${path} is no file`)
  if (found.size > importMaxBytes) throw new CommandFailed(`${path} is larger than IMPORT_MAX_MB allows`)
  return false
}

async function openAccount({ pool, config }: { readonly pool: Pool; readonly config: Config }, email: string) {
  const logger = commandLogger()
  const { importPersonBytes } = config
  const disk = diskOf(config, logger)
  const clock = { now: () => new Date() }
  const context = { database: openDatabase(pool), clock, logger, disk, importPersonBytes, wait: waitUnreferenced }
  const userId = await findUserByEmail(context, email)
  if (userId === undefined) throw new CommandFailed(`there is no account with the address ${email}`)
  return { context, userId }
}

async function importFile(into: ImportInto, path: string): Promise<void> {
  const { context, userId, given } = into
  const id = await receiveImport(context, {
    userId,
    fileName: basename(path),
    content: createReadStream(path),
    expectedBytes: (await stat(path)).size,
    includesPrivate: () => given.has("include-private"),
  })
  const { report, error } = await untilRead(into, id)
  if (!report) throw new CommandFailed(error ?? "the import was undone")
  printResult(given, report, describe(report))
}
