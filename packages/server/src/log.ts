import { type Logger as PinoLogger, pino } from "pino"

export type Logger = PinoLogger

/** Fields that may hold a secret, wherever a library puts them. Our own code logs none. */
const SECRETS = [
  "authorization",
  "cookie",
  "password",
  "token",
  "accessToken",
  "refreshToken",
  "access_token",
  "refresh_token",
  "client_secret",
  "api_key",
  "set-cookie",
].flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])

/** One JSON line an event on standard output. */
export const createLogger = (level: string): Logger =>
  pino({ level, redact: { paths: SECRETS, censor: "[redacted]" }, timestamp: pino.stdTimeFunctions.isoTime })
