// The whole command line: picks the command, or answers --help, --version and mistakes.
import { readFile } from "node:fs/promises"
import { nearest } from "@restwell/client"
import { type Command, UsageError } from "./command.ts"
import { asksForHelp, describeCommand, describeCommands, parseCommandLine } from "./command-line.ts"
import { COMMANDS } from "./command-table.ts"

const WRONG_COMMAND_LINE = 2

/** Runs `restwell` with these arguments. A command line with a mistake prints one line and exits with 2. */
export async function runProgram(commandLine: readonly string[]): Promise<void> {
  try {
    await choose(commandLine)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`restwell: ${error.message}\n`)
    process.exitCode = WRONG_COMMAND_LINE
  }
}

async function choose(commandLine: readonly string[]): Promise<void> {
  const [first = "start", ...others] = commandLine
  if (["--version", "-v"].includes(first)) return print(`${await readVersion()}\n`)
  if (["--help", "-h", "help"].includes(first))
    return print(others.length === 0 ? describeCommands(COMMANDS) : describeCommand(find(nameIn(others))))
  // Options without a command are those of `start`.
  const isNamed = commandLine.length > 0 && !first.startsWith("-")
  const name = isNamed ? nameIn(commandLine) : "start"
  const command = find(name)
  const rest = isNamed ? commandLine.slice(name.split(" ").length) : commandLine
  if (asksForHelp(command, rest)) return print(describeCommand(command))
  const given = parseCommandLine(command, rest)
  for (const { name: option, setting } of command.options ?? []) {
    const value = given.optionalValue(option)
    if (setting !== undefined && value !== undefined) process.env[setting] = value
  }
  await command.run(given)
}

/** Some names have two words, like `people invite`. */
function nameIn([first = "", second = ""]: readonly string[]): string {
  const both = `${first} ${second}`
  return COMMANDS.some(({ name }) => name === both) ? both : first
}

/** @throws {UsageError} */
function find(name: string): Command {
  const command = COMMANDS.find((known) => known.name === name)
  if (command) return command
  const known = COMMANDS.map((other) => other.name)
  throw new UsageError(
    `there is no command ${name}, did you mean ${nearest(name, known)}? All commands: restwell --help`,
  )
}

async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"))
  return String(version)
}

function print(text: string): void {
  process.stdout.write(text)
}
