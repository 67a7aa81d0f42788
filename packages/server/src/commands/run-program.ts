// The whole command line: picks the command, or answers --help, --version and mistakes.

import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type ParseArgsOptionsConfig, parseArgs } from "node:util"
import { nearestName } from "@restwell/client"
import { type Command, Given, type Option, UsageError } from "./command.ts"
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
  const meant = nearestCommandWord(
    name,
    COMMANDS.map((other) => other.name),
  )
  throw new UsageError(
    `there is no command ${name}${meant === undefined ? "." : `, did you mean ${meant}?`} All commands: restwell --help`,
  )
}

async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"))
  return String(version)
}

function print(text: string): void {
  process.stdout.write(text)
}

/** The command with its arguments and options, on one line. */
function usageOf({ name, arguments: named = [], options = [] }: Command): string {
  const parts = [
    ...named.map((argument) => (argument.isOptional ? `[${argument.name}]` : argument.name)),
    ...options.map((option) => (option.isRequired ? spellOption(option) : `[${spellOption(option)}]`)),
  ]
  return ["restwell", name, ...parts].join(" ")
}

/** Like `--account EMAIL`. */
function spellOption({ name, value }: Option): string {
  if (value === undefined) return `--${name}`
  return `--${name} ${typeof value === "string" ? value : value.join("|")}`
}

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number]
type OptionToken = Extract<Token, { kind: "option" }>

/** Whether the command line asks for the command's help. */
const asksForHelp = (command: Command, commandLine: readonly string[]): boolean =>
  tokensOf(command, commandLine).some((token) => token.kind === "option" && ["help", "h"].includes(token.name))

/** The command's arguments and options. @throws {UsageError} with the first mistake */
function parseCommandLine(command: Command, commandLine: readonly string[]): Given {
  const tokens = tokensOf(command, commandLine)
  const options = new Map<string, string>()
  for (const token of tokens) if (token.kind === "option") options.set(token.name, checkedValue(command, token))
  const values = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []))
  const given = new Map<string, string>()
  for (const { name, description, isOptional } of command.arguments ?? []) {
    const value = values.shift()
    if (value !== undefined) given.set(name, value)
    else if (!isOptional) throw wrong(command, `${name} is missing: ${description}`)
  }
  if (values[0] !== undefined) throw wrong(command, `${values[0]} is one argument too many`)
  for (const { name, description, isRequired } of command.options ?? [])
    if (isRequired && !options.has(name)) throw wrong(command, `--${name} is missing: ${description}`)
  return new Given({ arguments: given, options })
}

const wrong = (command: Command, mistake: string): UsageError => new UsageError(`${mistake}. Use: ${usageOf(command)}`)

function tokensOf(command: Command, commandLine: readonly string[]): readonly Token[] {
  const options: ParseArgsOptionsConfig = { help: { type: "boolean", short: "h" } }
  for (const { name, value } of command.options ?? []) options[name] = { type: value ? "string" : "boolean" }
  // Not strict, because Node.js words its errors for developers.
  return parseArgs({ args: [...commandLine], options, strict: false, tokens: true }).tokens
}

/** The option's value, empty for a switch. */
function checkedValue(command: Command, { name, rawName, value, inlineValue }: OptionToken): string {
  const option = command.options?.find((known) => known.name === name)
  if (!option) throw wrong(command, `there is no option ${rawName}${suggestion(command, name)}`)
  if (option.value === undefined && value !== undefined) throw wrong(command, `${rawName} takes no value`)
  if (option.value === undefined) return ""
  if (!value || (!inlineValue && value.startsWith("-")))
    throw wrong(command, `${rawName} needs a value, like ${spellOption(option)}`)
  if (typeof option.value !== "string" && !option.value.includes(value))
    throw wrong(command, `${rawName} must be one of ${option.value.join(", ")}, not ${value}`)
  return value
}

function suggestion(command: Command, name: string): string {
  const meant = nearestCommandWord(name, command.options?.map((option) => option.name) ?? [])
  return meant === undefined ? "" : `, did you mean --${meant}`
}

/** However far it is: a command has few words. */
const nearestCommandWord = (name: string, known: readonly string[]): string | undefined =>
  nearestName(name, known, Number.POSITIVE_INFINITY)

/** In the repository and in the package, documents are in other folders. */
const DOCUMENTS = ["../../../../docs", "../../docs"].map((path) => fileURLToPath(new URL(path, import.meta.url)))
const SETTINGS = `Settings are environment variables, the same for every command: ${join(DOCUMENTS.find((path) => existsSync(path)) ?? "docs", "settings.md")} lists them.`
const EXIT_CODES = "Exit codes: 0 done, 1 failed (the message says why), 2 wrong command line."

/** The text of `restwell --help`. */
function describeCommands(commands: readonly Command[]): string {
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
function describeCommand(command: Command): string {
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
