import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { basename } from "node:path"
import { findUserByEmail, listImports, openDatabase, receiveImport, runImports } from "@restwell/core"
import type { Pool } from "pg"
import { type Config, loadConfig } from "../config/config.ts"
import { diskOf } from "../postgres/disk-watch.ts"
import { waitUnreferenced } from "../process/wait.ts"
import { CommandFailed, type Given, printResult } from "./command.ts"
import { runCommand } from "./run-command.ts"
import { commandLogger, type Progress, showProgress } from "./terminal.ts"
import { withDatabase } from "./with-database.ts"

/** `restwell import`: imports an archive into an account, while the service runs or not. */
export const main = (given: Given): Promise<void> =>
  runCommand(async (signal) => {
    const config = loadConfig(process.env)
    await checkFile(given.argument("FILE"), config)
    await withDatabase({ config, logger: commandLogger(), signal }, (pool) =>
      importInto({ pool, config }, given, signal),
    )
  })

/** @throws {CommandFailed} */
async function checkFile(file: string, { importMaxBytes }: Config): Promise<void> {
  const found = await stat(file).catch((error: unknown) => {
    throw new CommandFailed(`${file} cannot be read: ${error instanceof Error ? error.message : "unknown"}`)
  })
  if (!found.isFile()) throw new CommandFailed(`${file} is no file`)
  if (found.size > importMaxBytes) throw new CommandFailed(`${file} is larger than IMPORT_MAX_MB allows`)
}

async function importInto(
  { pool, config }: { readonly pool: Pool; readonly config: Config },
  given: Given,
  signal: AbortSignal,
): Promise<void> {
  const file = given.argument("FILE")
  const email = given.value("account")
  const logger = commandLogger()
  const { importPersonBytes } = config
  const disk = diskOf(config, logger)
  const clock = { now: () => new Date() }
  const context = { database: openDatabase(pool), clock, logger, disk, importPersonBytes, wait: waitUnreferenced }
  const userId = await findUserByEmail(context, email)
  if (userId === undefined) throw new CommandFailed(`there is no account with the address ${email}`)
  const id = await receiveImport(context, {
    userId,
    fileName: basename(file),
    content: createReadStream(file),
    expectedBytes: (await stat(file)).size,
    includesPrivate: () => given.has("include-private"),
  })
  using progress = showProgress({ label: "importing", isSilent: given.has("json") })
  const { report, error } = await finished(context, { userId, id, signal, progress })
  if (!report) throw new CommandFailed(error ?? "the import was undone")
  printResult(given, report, describe(report))
}

type ImportContext = Parameters<typeof runImports>[0]

const LOOK_AGAIN_MS = 300

interface WaitingImport {
  readonly userId: string
  readonly id: string
  readonly signal: AbortSignal
  readonly progress: Progress
}

/** Reads the archive here, unless a running service was faster. */
async function finished(context: ImportContext, waiting: WaitingImport) {
  const { id, signal } = waiting
  for (;;) {
    const ended = new AbortController()
    void followProgress(context, waiting, ended.signal)
    await runImports(context, { signal, only: id }).finally(() => ended.abort())
    const found = await findImport(context, waiting)
    if (!found || found.status === "done" || found.status === "failed")
      return { report: found?.report ?? null, error: found?.error ?? null }
    waiting.progress.update(found.progress)
    await waitUnreferenced(LOOK_AGAIN_MS)
  }
}

async function followProgress(context: ImportContext, waiting: WaitingImport, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const found = await findImport(context, waiting)
    if (found && !ended.aborted) waiting.progress.update(found.progress)
    await waitUnreferenced(LOOK_AGAIN_MS)
  }
}

const findImport = async (context: ImportContext, { userId, id }: WaitingImport) =>
  (await listImports(context, userId)).find((listed) => listed.id === id)

type Report = NonNullable<Awaited<ReturnType<typeof listImports>>[number]["report"]>

const describe = ({
  stored,
  unchanged,
  ignored,
  notes,
  from_date,
  to_date,
  by_type,
  dates_by_type: dates,
}: Report): string =>
  [
    `${stored} stored, ${unchanged} unchanged`,
    ...(from_date === null ? [] : [`dates: ${from_date} to ${to_date}`]),
    ...Object.entries(by_type).map(
      ([type, count]) =>
        `${type}: ${count}${dates[type] ? `, ${dates[type].from_date} to ${dates[type].to_date}` : ""}`,
    ),
    ...ignored.map(({ reason, count }) => `ignored ${count}: ${reason}`),
    ...notes.map((note) => `note: ${note}`),
    "",
  ].join("\n")
