import { OperatorMessage } from "@restwell/core/operator-errors"

/** What a command takes from the command line, and what it does with that. The table of all commands has one of these for each. */
export interface Command {
  readonly name: string
  /** One sentence for the list of commands. */
  readonly summary: string
  /** Further sentences for `restwell NAME --help`. */
  readonly details?: string
  readonly arguments?: readonly Argument[]
  readonly options?: readonly Option[]
  /** Imports the command's module, so that `--help` and the other commands do not wait for it. */
  readonly run: (given: Given) => Promise<void>
}

/** An argument without a name, in the order of the table. */
export interface Argument {
  /** Capital letters, like FILE. */
  readonly name: string
  readonly description: string
  readonly isOptional?: true
}

/** An option like `--account EMAIL`, or `--json` without a value. */
export interface Option {
  /** Without the dashes. */
  readonly name: string
  readonly description: string
  /** Capital letters, like EMAIL, or the allowed words. An option without it is a switch. */
  readonly value?: string | readonly string[]
  readonly isRequired?: true
  /** The setting that the option's value takes the place of. */
  readonly setting?: string
}

/** For every command that prints data. */
export const JSON_OPTION: Option = { name: "json", description: "print the result as JSON, without progress" }

/** Where the data is, for every command that uses it. */
export const DATA_DIR_OPTION: Option = {
  name: "data-dir",
  value: "FOLDER",
  description: "the folder of the data, instead of DATA_DIR (./data by default)",
  setting: "DATA_DIR",
}

/** A command line that the command does not understand. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}

/** A command could not do its work, for a reason that its message explains to the operator. Exit code 1. */
export class CommandFailed extends OperatorMessage {
  override readonly name = "CommandFailed"
}

/** The checked command line of one command. Required arguments and options are present. */
export class Given {
  readonly #arguments: ReadonlyMap<string, string>
  readonly #options: ReadonlyMap<string, string>

  constructor(given: { arguments: ReadonlyMap<string, string>; options: ReadonlyMap<string, string> }) {
    this.#arguments = given.arguments
    this.#options = given.options
  }

  /** A required argument. */
  argument(name: string): string {
    return this.#arguments.get(name) ?? missing(name)
  }

  optionalArgument(name: string): string | undefined {
    return this.#arguments.get(name)
  }

  /** The value of a required option. */
  value(name: string): string {
    return this.#options.get(name) ?? missing(`--${name}`)
  }

  optionalValue(name: string): string | undefined {
    return this.#options.get(name)
  }

  /** Whether an option without a value is there. */
  has(name: string): boolean {
    return this.#options.has(name)
  }
}

/** Prints the result of a command: as JSON with `--json`, else as text. */
export function printResult(given: Given, result: object, text: string): void {
  process.stdout.write(given.has("json") ? `${JSON.stringify(result)}\n` : text)
}

function missing(name: string): never {
  throw new TypeError(`the table of commands does not require ${name}`)
}
