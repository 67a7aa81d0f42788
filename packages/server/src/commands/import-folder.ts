/** Imports the archives of a folder, or the folder itself if it is an archive that was unpacked. */
import { access, constants } from "node:fs/promises"
import { basename, join, relative, resolve } from "node:path"
import { PassThrough } from "node:stream"
import { importFolderFile, isImported, receiveImport, ServiceError } from "@restwell/core"
import yazl from "yazl"
import {
  type FoundFile,
  findFiles,
  isTable,
  isWholeArchive,
  oldestFirst,
  openFoundFile,
  unreadableReason,
} from "../folders/archive-files.ts"
import { CommandFailed, printResult } from "./command.ts"
import { describe, type ImportInto, untilRead } from "./read-import.ts"

/** What became of one file. */
interface Outcome {
  readonly file: string
  readonly report?: Awaited<ReturnType<typeof untilRead>>["report"]
  readonly error?: string
  /** Why it was not imported, if that is no failure. */
  readonly skipped?: string
}

/** @throws {CommandFailed} when an archive could not be read, after the others */
export async function importFolder(into: ImportInto, folder: string): Promise<void> {
  const { files, unreadable } = await findFiles(folder)
  const archives = archivesOf(files)
  const outcomes = unreadable.map(({ path, reason }) => unreadableOutcome(relative(folder, path) || folder, reason))
  if (archives.length === 0 && files.some(({ path }) => isTable(path)))
    outcomes.push(...(await importUnpacked(into, resolve(folder), files)))
  else for (const file of archives) outcomes.push(await importOne(into, resolve(folder), file))
  if (outcomes.length === 0) throw new CommandFailed(`${folder} has no archive`)
  printResult(into.given, { files: outcomes }, outcomes.map(line).join(""))
  const failed = outcomes.filter(({ error }) => error !== undefined)
  if (failed.length > 0) throw new CommandFailed(`${failed.length} of ${outcomes.length} could not be imported`)
}

const unreadableOutcome = (file: string, reason: string): Outcome => ({ file, error: `cannot be read: ${reason}` })

/** Whole archives, the oldest first. Zip files within an archive that was unpacked are parts of it. */
function archivesOf(files: readonly FoundFile[]): FoundFile[] {
  const whole = oldestFirst(files.filter(({ path }) => isWholeArchive(path)))
  return files.some(({ path }) => isTable(path)) ? whole.filter(({ isDirect }) => isDirect) : whole
}

const line = ({ file, report, error, skipped }: Outcome): string =>
  `${file}: ${report ? `\n${describe(report)}` : `${skipped ?? error}\n`}`

/** Somebody may still write to a file that is younger. */
const YOUNG_MS = 60_000
const STILL_MS = 3_000
const GROWS = "somebody still writes to it, import it again when it is whole"

async function importOne(into: ImportInto, folder: string, found: FoundFile): Promise<Outcome> {
  const { context, userId, given } = into
  const file = relative(folder, found.path)
  if (await isImported(context, { userId, ...found })) return { file, skipped: "was imported before" }
  if (context.clock.now().getTime() - found.modifiedAt.getTime() < YOUNG_MS) await context.wait(STILL_MS)
  try {
    await using opened = await openFoundFile(folder, found)
    const includesPrivate = given.has("include-private")
    const id = opened && (await importFolderFile(context, { userId, ...found, ...opened, includesPrivate }))
    return id === undefined ? { file, error: GROWS } : { file, ...(await outcomeOf(into, id)) }
  } catch (error) {
    // It concerns this file alone.
    if (error instanceof ServiceError) return { file, error: error.message }
    const unreadable = unreadableReason(error)
    if (unreadable !== undefined) return unreadableOutcome(file, unreadable)
    throw error
  }
}

async function outcomeOf(into: ImportInto, id: string): Promise<Pick<Outcome, "report" | "error">> {
  const { report, error } = await untilRead(into, id)
  return report ? { report } : { error: error ?? "the import was undone" }
}

/** The folder as the zip file that it was, without the files that cannot be read. */
async function importUnpacked(into: ImportInto, folder: string, files: readonly FoundFile[]): Promise<Outcome[]> {
  const { context, userId, given } = into
  const file = `${basename(folder)}.zip`
  const zip = new yazl.ZipFile()
  const unreadable: Outcome[] = []
  for (const { path } of files) {
    const name = relative(folder, path)
    const reason = await access(path, constants.R_OK).then(() => undefined, unreadableReason)
    if (reason === undefined) zip.addFile(path, join(basename(folder), name).replaceAll("\\", "/"))
    else unreadable.push(unreadableOutcome(name, reason))
  }
  zip.end()
  const content = zip.outputStream.pipe(new PassThrough())
  zip.on("error", (error: Error) => content.destroy(error))
  const id = await receiveImport(context, {
    userId,
    fileName: file,
    content,
    includesPrivate: () => given.has("include-private"),
  })
  return [...unreadable, { file, ...(await outcomeOf(into, id)) }]
}
