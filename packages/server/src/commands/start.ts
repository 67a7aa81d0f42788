import { loadConfig } from "../config/config.ts"
import { openSecrets } from "../config/open-secrets.ts"
import { createLogger } from "../log/logger.ts"
import { startService } from "../service.ts"
import { runCommand, untilStopped } from "./run-command.ts"

/** `restwell start`: runs the service until a signal stops it, then drains. */
export const main = (commandLine: readonly string[]): Promise<void> => runCommand((signal) => run(commandLine, signal))

async function run(commandLine: readonly string[], signal: AbortSignal): Promise<void> {
  const config = loadConfig(process.env, commandLine)
  const logger = createLogger(config.logLevel)
  const { promise: fatal, reject: onFatal } = Promise.withResolvers<never>()
  const service = await startService({
    config,
    logger,
    onFatal,
    signal,
    secrets: await openSecrets(config),
    clock: { now: () => new Date() },
  })
  if (config.vendors.size === 0) logger.warn("no vendor is configured, set WHOOP_CLIENT_ID and WHOOP_CLIENT_SECRET")
  logger.info({ url: service.baseUrl, listening: service.url, role: config.role }, "Restwell is running")
  await untilStopped(async () => {
    logger.info("stopping")
    await service.close()
    logger.info("stopped")
  }, fatal)
}
