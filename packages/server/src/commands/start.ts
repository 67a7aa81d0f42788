import { loadConfig } from "../config/config.ts"
import { openSecrets } from "../config/open-secrets.ts"
import { isPlainOnPublicAddress } from "../config/plain-http.ts"
import { createLogger } from "../log/logger.ts"
import { releaseWhenIdle } from "../memory/release-when-idle.ts"
import { claimPort } from "../network/bind-port.ts"
import { startService } from "../service.ts"
import { waitInRealTime } from "../time/wait.ts"
import { runCommand, untilStopped } from "./run-command.ts"

/** `restwell start`: runs the service until a signal stops it, then drains. */
export const main = (role?: string): Promise<void> => runCommand((signal) => run(role, signal), { printsStack: true })

async function run(role: string | undefined, signal: AbortSignal): Promise<void> {
  const config = loadConfig(process.env, role === undefined ? [] : ["--role", role])
  const logger = createLogger(config.logLevel)
  const socket = await claimPort(config.host, config.port)
  const { promise: fatal, reject: onFatal } = Promise.withResolvers<never>()
  const service = await startService({
    config,
    logger,
    onFatal,
    signal,
    ...(socket && { socket }),
    secrets: await openSecrets(config),
    clock: { now: () => new Date() },
  })
  if (isPlainOnPublicAddress(service.baseUrl))
    logger.warn(
      { baseUrl: service.baseUrl },
      "BASE_URL is a public address without https: passwords and records can be read on the way, put a proxy with TLS in front",
    )
  if (config.vendors.size === 0)
    logger.warn("no vendor is configured, set WHOOP_CLIENT_ID and WHOOP_CLIENT_SECRET, or those of another vendor")
  if (config.trustProxy === true && config.role !== "worker")
    logger.warn(
      "TRUST_PROXY=true: clients can claim any address, so limits for each network protect nothing. Name your proxies or their number",
    )
  logger.info({ url: service.baseUrl, listening: service.url, role: config.role }, "Restwell is running")
  const idle = new AbortController()
  releaseWhenIdle({ wait: waitInRealTime, signal: idle.signal })
  await untilStopped(async () => {
    idle.abort()
    logger.info("stopping")
    await service.close()
    logger.info("stopped")
  }, fatal)
}
