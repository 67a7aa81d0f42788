import type { Command } from "./command.ts"
import { spellOption, usageOf } from "./usage.ts"

const SETTINGS = "Settings are environment variables, the same for every command: docs/settings.md lists them."
const EXIT_CODES = "Exit codes: 0 done, 1 failed (the message says why), 2 wrong command line."

/** The text of `restwell --help`. */
export function describeCommands(commands: readonly Command[]): string {
  const [first] = commands
  return lines(
    "Usage: restwell [COMMAND]",
    "",
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    "",
    `Without a command: ${first?.name}. \`restwell COMMAND --help\` explains a command, \`restwell --version\` prints the version.`,
    SETTINGS,
    EXIT_CODES,
  )
}

/** The text of `restwell COMMAND --help`. */
export function describeCommand(command: Command): string {
  const { summary, details, arguments: named = [], options = [] } = command
  return lines(
    summary,
    ...(details === undefined ? [] : [details]),
    "",
    `Usage: ${usageOf(command)}`,
    "",
    ...columns([
      ...named.map(({ name, description }): [string, string] => [name, description]),
      ...options.map((option): [string, string] => [spellOption(option), option.description]),
      ["--help", "print this text"],
    ]),
    "",
    SETTINGS,
    EXIT_CODES,
  )
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

const lines = (...all: readonly string[]): string => `${all.join("\n")}\n`
