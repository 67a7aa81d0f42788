import { createTokenCipher, openDatabase, reencryptSecrets, type Secrets } from "@restwell/core"
import type { Pool } from "pg"

/** What is told at the end, and whether everything is under the current secret. */
export interface ResealReport {
  readonly lines: readonly string[]
  readonly isComplete: boolean
}

/** Seals all that is stored with the current secret. */
export async function reseal(pool: Pool, secrets: Secrets): Promise<ResealReport> {
  const kinds = Object.entries(
    await reencryptSecrets({ database: openDatabase(pool), cipher: createTokenCipher(secrets) }),
  )
  const total = (count: "left" | "unreadable") => kinds.reduce((sum, [, { [count]: more }]) => sum + more, 0)
  const [left, unreadable] = [total("left"), total("unreadable")]
  return {
    lines: [
      ...kinds.map(
        ([kind, { reencrypted, left, unreadable }]) =>
          `${kind}: ${reencrypted} resealed${left > 0 ? `, ${left} of them came back` : ""}${unreadable > 0 ? `, ${unreadable} cannot be opened` : ""}`,
      ),
      ...(left > 0
        ? ["something still seals with a former secret: give every process the current one, then run this again"]
        : []),
      ...(unreadable > 0
        ? [
            "what cannot be opened was sealed under a secret that is not among those given: add it to RESTWELL_FORMER_SECRETS and run this again; without it, those people and clients connect again",
          ]
        : []),
      ...(left + unreadable === 0 ? ["everything is sealed with the current secret"] : []),
    ],
    isComplete: left + unreadable === 0,
  }
}

/** Tells the operator; the process ends with 1 when something is not under the current secret. */
export function tell({ lines, isComplete }: ResealReport): void {
  process.stdout.write(`${lines.join("\n")}\n`)
  if (!isComplete) process.exitCode = 1
}
