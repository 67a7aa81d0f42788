import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { basename } from "node:path"
import { parseArgs } from "node:util"
import { findUserByEmail, listImports, openDatabase, receiveImport, runImports } from "@restwell/core"
import type { Pool } from "pg"
import { type Config, ConfigError, loadConfig } from "../config/config.ts"
import { waitUnreferenced } from "../time/wait.ts"
import { commandLogger } from "./load-command-config.ts"
import { runCommand } from "./run-command.ts"
import { withDatabase } from "./with-database.ts"

const USAGE = "restwell import FILE --account EMAIL [--json] [--include-private]"

interface Arguments {
  readonly file: string
  readonly email: string
  readonly isJson: boolean
  readonly includesPrivate: boolean
}

/** `restwell import`: imports an archive into an account, while the service runs or not. */
export const main = (commandLine: readonly string[]): Promise<void> =>
  runCommand(async (signal) => {
    const given = parseCommandLine(commandLine)
    const config = loadConfig(process.env)
    await checkFile(given.file, config)
    await withDatabase({ config, logger: commandLogger(), signal }, (pool) => importInto(pool, given, signal))
  })

/** @throws {ConfigError} */
function parseCommandLine(commandLine: readonly string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...commandLine],
      allowPositionals: true,
      options: {
        account: { type: "string" },
        json: { type: "boolean", default: false },
        "include-private": { type: "boolean", default: false },
      },
    })
    const [file, ...more] = positionals
    if (file !== undefined && more.length === 0 && values.account !== undefined)
      return { file, email: values.account, isJson: values.json, includesPrivate: values["include-private"] }
  } catch (error) {
    if (error instanceof TypeError) throw new ConfigError([`${error.message}. Use: ${USAGE}`])
    throw error
  }
  throw new ConfigError([`one file and the account's address are needed: ${USAGE}`])
}

/** @throws {ConfigError} */
async function checkFile(file: string, { importMaxBytes }: Config): Promise<void> {
  const found = await stat(file).catch((error: unknown) => {
    throw new ConfigError([`${file} cannot be read: ${error instanceof Error ? error.message : "unknown"}`])
  })
  if (!found.isFile()) throw new ConfigError([`${file} is no file`])
  if (found.size > importMaxBytes) throw new ConfigError([`${file} is larger than IMPORT_MAX_MB allows`])
}

async function importInto(
  pool: Pool,
  { file, email, isJson, includesPrivate }: Arguments,
  signal: AbortSignal,
): Promise<void> {
  const context = { database: openDatabase(pool), clock: { now: () => new Date() }, logger: commandLogger() }
  const userId = await findUserByEmail(context, email)
  if (userId === undefined) throw new ConfigError([`there is no account with the address ${email}`])
  const content = createReadStream(file)
  const includes = () => includesPrivate
  const id = await receiveImport(context, { userId, fileName: basename(file), content, includesPrivate: includes })
  const ended = new AbortController()
  const hasTerminal = process.stderr.isTTY
  if (hasTerminal) void showProgress(context, { userId, id, signal: ended.signal })
  const { report, error } = await finished(context, { userId, id, signal }).finally(() => ended.abort())
  if (hasTerminal) process.stderr.write(CLEARED_LINE)
  if (!report) {
    process.stderr.write(`restwell: ${error ?? "the import was undone"}\n`)
    process.exitCode = 1
    return
  }
  process.stdout.write(isJson ? `${JSON.stringify(report)}\n` : describe(report))
}

type ImportContext = Parameters<typeof runImports>[0]

const LOOK_AGAIN_MS = 300

interface WaitingImport {
  readonly userId: string
  readonly id: string
  readonly signal: AbortSignal
}

/** Keeps one line of the terminal up to date until the import ends. */
async function showProgress(context: ImportContext, { userId, id, signal }: WaitingImport): Promise<void> {
  while (!signal.aborted) {
    const found = (await listImports(context, userId)).find((listed) => listed.id === id)
    if (!signal.aborted) process.stderr.write(`\rimporting: ${Math.floor((found?.progress ?? 0) * 100)} %`)
    await waitUnreferenced(LOOK_AGAIN_MS)
  }
}

const CLEARED_LINE = "\r\u001b[K"

/** Reads the archive here, unless a running service was faster. */
async function finished(context: ImportContext, { userId, id, signal }: WaitingImport) {
  for (;;) {
    await runImports(context, { signal, only: id })
    const found = (await listImports(context, userId)).find((listed) => listed.id === id)
    if (!found || found.status === "done" || found.status === "failed")
      return { report: found?.report ?? null, error: found?.error ?? null }
    await waitUnreferenced(LOOK_AGAIN_MS)
  }
}

type Report = NonNullable<Awaited<ReturnType<typeof listImports>>[number]["report"]>

const describe = ({ stored, unchanged, ignored, from_date, to_date, by_type }: Report): string =>
  [
    `${stored} stored, ${unchanged} unchanged`,
    ...(from_date === null ? [] : [`dates: ${from_date} to ${to_date}`]),
    ...Object.entries(by_type).map(([type, count]) => `${type}: ${count}`),
    ...ignored.map(({ reason, count }) => `ignored ${count}: ${reason}`),
    "",
  ].join("\n")
