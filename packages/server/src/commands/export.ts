import { once } from "node:events"
import {
  type Context,
  EXPORTED_TYPES,
  type ExportedType,
  exportAccount,
  exportCsv,
  FileExists,
  recordSecurityEvent,
  writeWholeFile,
} from "@restwell/core"
import { CommandFailed, type Given, UsageError } from "./command.ts"
import { accountOf, withStore } from "./with-database.ts"

/** `restwell export`: the same document or table as the account page's. */
export async function main(given: Given): Promise<void> {
  const format = given.optionalValue("format") ?? "json"
  const type = EXPORTED_TYPES.find((known) => known === given.optionalValue("type"))
  if (format === "csv" && type === undefined)
    throw new UsageError(`a table holds one type: add --type ${EXPORTED_TYPES.join("|")}`)
  if (format === "json" && type !== undefined) throw new UsageError("--type is for tables: add --format csv")
  await withStore(async (store) => {
    const userId = await accountOf(store, given.value("account"))
    const detail = type === undefined ? "json" : `csv ${type}`
    await recordSecurityEvent(store, userId, { type: "data_exported", detail })
    await write(given.optionalArgument("FILE"), piecesOf(store, userId, type))
  })
}

const piecesOf = (store: Pick<Context, "database" | "clock">, userId: string, type?: ExportedType) =>
  type === undefined ? exportAccount(store, userId) : exportCsv(store, userId, type)

/** @param file undefined for standard output */
async function write(file: string | undefined, pieces: AsyncIterable<string>): Promise<void> {
  if (file === undefined) {
    for await (const piece of pieces) if (!process.stdout.write(piece)) await once(process.stdout, "drain")
    return
  }
  try {
    const { bytes } = await writeWholeFile(file, async (write) => {
      for await (const piece of pieces) await write(Buffer.from(piece))
    })
    process.stderr.write(`${file}: ${bytes} bytes\n`)
  } catch (error) {
    if (error instanceof FileExists) throw new CommandFailed(error.message)
    if (error instanceof Error && "syscall" in error)
      throw new CommandFailed(`${file} cannot be written: ${error.message}`)
    throw error
  }
}
