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

const STANDARD_OUTPUT = 1
/** Of pino. */
const WARN = 40
/** Lines are written so many bytes at a time, and none later than this; a warning or an error, with all before it, at once. */
const WRITTEN_TOGETHER_BYTES = 8_192
const LATEST_MS = 200

/** One JSON line an event, on standard output if no other sink is given. */
export function createLogger(level: string, sink?: DestinationStream): Logger {
  const output = sink ? undefined : openOutput()
  return pino(
    {
      level,
      redact: { paths: SECRETS, censor: "[redacted]" },
      serializers: { err: describeError },
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        logMethod(inputs, method, severity) {
          method.apply(this, inputs)
          if (severity >= WARN) output?.flushSync()
        },
      },
    },
    sink ?? output,
  )
}

function openOutput() {
  const output = pino.destination({ fd: STANDARD_OUTPUT, minLength: WRITTEN_TOGETHER_BYTES, periodicFlush: LATEST_MS })
  process.on("exit", () => output.flushSync())
  return output
}

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
