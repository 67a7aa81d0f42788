import { type DestinationStream, type Logger as PinoLogger, pino } from "pino"

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

interface LoggedError {
  readonly type: string
  readonly message: string
  readonly code: string | undefined
  readonly stack: string | undefined
  readonly cause: LoggedError | undefined
}

/** What is said of an error: never all its properties, for libraries hang connections, requests and rows on theirs. */
function describeError(error: unknown): LoggedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: String(error), code: undefined, stack: undefined, cause: undefined }
  return {
    type: error.name,
    message: error.message,
    code: "code" in error ? String(error.code) : undefined,
    stack: error.stack,
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  }
}

/** One JSON line an event on standard output. */
export const createLogger = (level: string, sink: DestinationStream = pino.destination(1)): Logger =>
  pino(
    {
      level,
      redact: { paths: SECRETS, censor: "[redacted]" },
      serializers: { err: describeError },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    sink,
  )

/** Of lines that come by the hundred, one in so long is enough. */
const SPARING_MS = 10_000

/**
 * Writes the first of many like lines at once, and then one every ten seconds at most.
 * @param write told how many there were since the last, itself among them
 */
export function sparingly<Subject extends readonly unknown[]>(
  write: (count: number, ...subject: Subject) => void,
): (...subject: Subject) => void {
  let untold = 0
  let silentUntilMs = Number.NEGATIVE_INFINITY
  return (...subject) => {
    untold += 1
    if (performance.now() < silentUntilMs) return
    write(untold, ...subject)
    untold = 0
    silentUntilMs = performance.now() + SPARING_MS
  }
}
