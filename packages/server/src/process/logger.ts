import { fstatSync, writeSync } from "node:fs"
import { isatty } from "node:tty"
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
  if (sink) return loggerTo(sink, level, () => {})
  const output = openOutput()
  return loggerTo(output, level, () => output.flushSync())
}

/** Writes one JSON line for each event to the end of a file. @param report gets each line as well, at once */
export function createFileLogger(level: string, file: string, report: (line: string) => void): Logger {
  const output = openFile(file)
  // A log that cannot be written is no reason to end the service.
  output.on("error", (error) => printLine(`Warning: ${file} cannot be written: ${error.message}`))
  process.on("exit", () => output.flushSync())
  const sink = {
    write(line: string) {
      output.write(line)
      report(line)
    },
  }
  return loggerTo(sink, level, () => output.flushSync())
}

/** Prints a line for the person at the terminal, unless that was closed. */
export function printLine(line: string): void {
  if (isOutputOpen()) process.stdout.write(`${line}\n`)
}

function loggerTo(sink: DestinationStream, level: string, flush: () => void): Logger {
  return pino(
    {
      level,
      redact: { paths: SECRETS, censor: "[redacted]" },
      serializers: { err: describeError },
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        logMethod: flushWarnings(flush),
      },
    },
    sink,
  )
}

type LogMethod = NonNullable<NonNullable<LoggerOptions["hooks"]>["logMethod"]>

const flushWarnings = (flush: () => void): LogMethod =>
  function logMethod(inputs, method, severity) {
    method.apply(this, inputs)
    if (severity >= WARN) flush()
  }

/** Lines that wait while the disk of the log is full. Further ones are lost. */
const MOST_WAITING_BYTES = 1_048_576

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)

/** True for a log on a full disk, which is no reason to end. */
const isDiskFull = (error: unknown): boolean => codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT"

/** False once the terminal was closed, or the program that read the log has ended. */
function isOutputOpen(): boolean {
  try {
    writeSync(STANDARD_OUTPUT, "")
    return true
  } catch (error) {
    if (codeOf(error) === "EIO" || codeOf(error) === "EPIPE" || isDiskFull(error)) return false
    throw error
  }
}

/** False for a terminal or another program, which may read slowly. True for a file, which takes bytes at once or not at all. */
function isOutputFile(): boolean {
  const found = fstatSync(STANDARD_OUTPUT)
  return !found.isFIFO() && !found.isSocket() && !isatty(STANDARD_OUTPUT)
}

const DESTINATION = { minLength: BUFFER_BYTES, maxLength: MOST_WAITING_BYTES, periodicFlush: FLUSH_MS }

/** Appends to a file. @param dest its path or descriptor */
function openFile(dest: string | number) {
  const output = pino.destination({ ...DESTINATION, dest, append: true, sync: true })
  // The stream's own function tries for ever on a full disk, and the process would stand still. What waits is in two buffers at most.
  output.flushSync = () => {
    for (let buffers = 0; buffers < 2; buffers += 1) output.flush()
  }
  return output
}

/** Writes to a terminal or another program. */
function openStream() {
  const output = pino.destination({ ...DESTINATION, dest: STANDARD_OUTPUT })
  const flushSync = output.flushSync.bind(output)
  // The stream would try again for ever to write to a terminal that was closed, and the process would not end.
  output.flushSync = () => {
    if (isOutputOpen()) flushSync()
  }
  return output
}

function openOutput() {
  const output = isOutputFile() ? openFile(STANDARD_OUTPUT) : openStream()
  output.on("error", (error) => {
    if (!isDiskFull(error) && isOutputOpen()) throw error
  })
  process.on("exit", () => output.flushSync())
  return output
}
