import { pino } from "pino"
import { type Config, ConfigError, loadConfig } from "../config/config.ts"
import { createLogger, type Logger } from "../log/logger.ts"

const STANDARD_ERROR = 2

/** Logs warnings to standard error, because standard output is for a command's results. */
export const commandLogger = (): Logger => createLogger("warn", pino.destination(STANDARD_ERROR))

/** The service's own settings for a command that takes no arguments. @throws {ConfigError} */
export function loadCommandConfig(command: string, commandLine: readonly string[]): Config {
  if (commandLine.length > 0)
    throw new ConfigError([`\`restwell ${command}\` reads its settings from the environment and takes no arguments`])
  return loadConfig(process.env)
}
