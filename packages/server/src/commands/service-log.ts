/** The log of the service: standard output, or a file of DATA_DIR where a person reads the terminal. */
import { rename, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { z } from "zod"
import type { Config } from "../config/config.ts"
import { prepareDataDir } from "../config/data-dir.ts"
import { createFileLogger, createLogger, type Logger, printLine } from "../process/logger.ts"

/** A larger log file of earlier starts is put aside. */
const LARGEST_BYTES = 10_000_000
const WARN = 40
const ERROR = 50
const LineSchema = z.object({ level: z.number(), msg: z.string() })

export interface OpenLog {
  readonly logger: Logger
  /** The file that the lines go to. Undefined for standard output. */
  readonly file: string | undefined
}

/** Opens the log. @throws {ConfigError} when DATA_DIR cannot hold the file */
export async function openLog({ logLevel, logFormat, dataDir }: Config): Promise<OpenLog> {
  if (!process.stdout.isTTY || logFormat === "json") return { logger: createLogger(logLevel), file: undefined }
  await prepareDataDir(dataDir)
  const file = join(resolve(dataDir), "restwell.log")
  await putAside(file)
  return { logger: createFileLogger(logLevel, file, (line) => reportTrouble(line, file)), file }
}

async function putAside(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found !== undefined && found.size > LARGEST_BYTES) await rename(file, `${file}.1`)
}

/** Warnings and errors are for the person at the terminal too, in words. */
function reportTrouble(line: string, file: string): void {
  const { level, msg } = LineSchema.parse(JSON.parse(line))
  if (level >= ERROR) printLine(`Error: ${msg} (${file} says more)`)
  else if (level >= WARN) printLine(`Warning: ${msg}`)
}
