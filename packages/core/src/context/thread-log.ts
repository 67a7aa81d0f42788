import type { Logger } from "./context.ts"

/** A line for the log, which a thread sends to the one that has the log. */
export interface ThreadLog {
  readonly type: "log"
  readonly level: keyof Logger
  readonly fields: object
  readonly text: string
}

/** The logger of a thread. */
export function threadLogger(send: (line: ThreadLog) => void): Logger {
  const logAt =
    (level: keyof Logger) =>
    (fields: object, text: string): void =>
      send({ type: "log", level, fields, text })
  return { debug: logAt("debug"), info: logAt("info"), warn: logAt("warn"), error: logAt("error") }
}
