import { type ParseArgsOptionsConfig, parseArgs } from "node:util"
import { nearest } from "../text/edit-distance.ts"
import { type Command, Given, UsageError } from "./command.ts"
import { spellOption, usageOf } from "./usage.ts"

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number]
type OptionToken = Extract<Token, { kind: "option" }>

/** Whether the command line asks for the command's help. */
export const asksForHelp = (command: Command, commandLine: readonly string[]): boolean =>
  tokensOf(command, commandLine).some((token) => token.kind === "option" && ["help", "h"].includes(token.name))

/** The command's arguments and options. @throws {UsageError} with the first mistake */
export function parseCommandLine(command: Command, commandLine: readonly string[]): Given {
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
  const known = command.options?.map((option) => option.name) ?? []
  return known.length === 0 ? "" : `, did you mean --${nearest(name, known)}`
}
