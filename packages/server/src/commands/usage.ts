import type { Command, Option } from "./command.ts"

/** The command with its arguments and options, on one line. */
export function usageOf({ name, arguments: named = [], options = [] }: Command): string {
  const parts = [
    ...named.map((argument) => (argument.isOptional ? `[${argument.name}]` : argument.name)),
    ...options.map((option) => (option.isRequired ? spellOption(option) : `[${spellOption(option)}]`)),
  ]
  return ["restwell", name, ...parts].join(" ")
}

/** Like `--account EMAIL`. */
export function spellOption({ name, value }: Option): string {
  if (value === undefined) return `--${name}`
  return `--${name} ${typeof value === "string" ? value : value.join("|")}`
}
