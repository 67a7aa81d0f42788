import type { Fetched } from "./ingest.ts"

/** Several answers as one. What one of them holds is not deleted, whatever another says. */
export function mergeFetched(answers: readonly Fetched[]): Fetched {
  const records = answers.flatMap((answer) => answer.records)
  const rejected = answers.flatMap((answer) => answer.rejected)
  const there = new Set([...records, ...rejected].map(({ kind, providerId }) => `${kind}/${providerId}`))
  const deleted = answers
    .flatMap((answer) => answer.deleted)
    .filter(({ kind, providerId }) => !there.has(`${kind}/${providerId}`))
  return { records, rejected, deleted }
}
