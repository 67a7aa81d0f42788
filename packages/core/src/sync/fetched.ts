import { textOf } from "../store/delete-records.ts"
import type { Fetched } from "./ingest.ts"

/** Several answers as one. What one of them holds is not deleted, whatever another says. */
export function mergeFetched(answers: readonly Fetched[]): Fetched {
  const records = answers.flatMap((answer) => answer.records)
  const rejected = answers.flatMap((answer) => answer.rejected)
  const there = new Set([...records, ...rejected].map(textOf))
  const deleted = answers.flatMap((answer) => answer.deleted).filter((key) => !there.has(textOf(key)))
  return { records, rejected, deleted }
}
