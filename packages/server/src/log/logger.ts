import { writeSync } from "node:fs"
import { type DestinationStream, type LoggerOptions, type Logger as PinoLogger, pino } from "pino"

export type Logger = PinoLogger

/** Fields that may contain a secret if a library logs them. Our own code logs none. */
const SECRETS =
  `authorization cookie set-cookie password token accessToken refreshToken access_token refresh_token client_secret api_key`
    .split(" ")
    .flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])

interface LoggedError {
  readonly type: string
  readonly message: string
  readonly code: string | undefined
  readonly stack: string | undefined
  readonly cause: LoggedError | undefined
}

/** The loggable parts of an error. Never all its properties: libraries attach connections, requests and rows. */
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
/** pino's number for the level. */
const WARN = 40
/** Lines are written together, at the latest after this time. A warning or an error is written at once, with all lines before it. */
const BUFFER_BYTES = 8_192
const FLUSH_MS = 200

/** Writes one JSON line for each event. @param sink @default standard output */
export function createLogger(level: string, sink?: DestinationStream): Logger {
  const output = sink ? undefined : openOutput()
  return pino(
    {
      level,
      redact: { paths: SECRETS, censor: "[redacted]" },
      serializers: { err: describeError },
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        logMethod: flushWarnings(() => output?.flushSync()),
      },
    },
    sink ?? output,
  )
}

type LogMethod = NonNullable<NonNullable<LoggerOptions["hooks"]>["logMethod"]>

const flushWarnings = (flush: () => void): LogMethod =>
  function logMethod(inputs, method, severity) {
    method.apply(this, inputs)
    if (severity >= WARN) flush()
  }

/** False once the terminal was closed, or the program that read the log has ended. */
function isOutputOpen(): boolean {
  try {
    writeSync(STANDARD_OUTPUT, "")
    return true
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EIO" || error.code === "EPIPE")) return false
    throw error
  }
}

function openOutput() {
  const output = pino.destination({ fd: STANDARD_OUTPUT, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS })
  const flushSync = output.flushSync.bind(output)
  // The stream would try again for ever to write to a terminal that was closed, and the process would not end.
  output.flushSync = () => {
    if (isOutputOpen()) flushSync()
  }
  output.on("error", (error) => {
    if (isOutputOpen()) throw error
  })
  process.on("exit", () => output.flushSync())
  return output
}
