import { pino } from "pino"
import { createLogger, type Logger } from "../log/logger.ts"

const STANDARD_ERROR = 2

/** Logs warnings to standard error, because standard output is for a command's results. */
export const commandLogger = (): Logger => createLogger("warn", pino.destination(STANDARD_ERROR))
