import { pino } from "pino"
import { type Config, ConfigError, loadConfig } from "../config/config.ts"
import { createLogger, type Logger } from "../log/logger.ts"

const STANDARD_ERROR = 2

/** The service's own settings, for a command beside it; what it logs is warnings, on standard error. @throws {ConfigError} */
export function readSettings(command: string, commandLine: readonly string[]): { config: Config; logger: Logger } {
  if (commandLine.length > 0)
    throw new ConfigError([
      `\`restwell ${command}\` takes the service's settings from the environment, and no arguments`,
    ])
  return { config: loadConfig(process.env), logger: createLogger("warn", pino.destination(STANDARD_ERROR)) }
}
