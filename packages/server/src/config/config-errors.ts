/** Settings that cannot be used. */
import { OperatorMessage } from "@restwell/core/operator-errors"

/** Invalid settings. Each mistake is one line that says what is wrong and what would be right. */
export class ConfigError extends OperatorMessage {
  override readonly name = "ConfigError"
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(
      `the settings have ${mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`}:\n${mistakes.map((line) => `- ${line}`).join("\n")}`,
    )
    this.mistakes = mistakes
  }
}

/** One thing that a setting names cannot be used, with what to do about it. */
export class UnusableSetting extends ConfigError {
  readonly fault: string
  readonly remedy: string

  constructor(fault: string, remedy: string) {
    super([`${fault}: ${remedy}`])
    this.fault = fault
    this.remedy = remedy
  }
}
