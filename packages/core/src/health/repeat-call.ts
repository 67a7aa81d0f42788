import type { Clock } from "../calendar/clock.ts"
import type { CountedRead, CountRead } from "../store/count-reads.ts"
import { type AssistantCall, type CallResponses, countedCall, versionOf } from "./read-call.ts"
import type { NoteRead } from "./read-notes.ts"
import { type HealthResponse, isOfToday } from "./response-cache.ts"

/** A call that was answered. Its answer is valid while the person's data, their day and the assistant's access are those of the call. */
export interface RepeatableCall {
  readonly person: Pick<HealthResponse, "userId" | "sources" | "validFromMs" | "validUntilMs">
  /** How the call is counted and logged again: only while its data and access are valid. */
  readonly read: CountedRead
}

/** @param access of the token that the call was made with */
export function repeatableCall(
  call: AssistantCall,
  responses: CallResponses,
  { tokenHash: token_hash, terms }: { readonly tokenHash: string; readonly terms: string },
): RepeatableCall {
  // Without the bytes, which a repeated call does not need.
  const { userId, sources, validFromMs, validUntilMs } = responses[0]
  const person = { userId, sources, validFromMs, validUntilMs }
  return { person, read: { ...countedCall(call, responses), ...versionOf(responses), token_hash, terms } }
}

/** Counts and logs a call again. False, and nothing done, if its answer or the access is no longer valid, or no request is left. */
export type RepeatCall = (call: RepeatableCall) => Promise<boolean>

export const createCallRepeater =
  (countRead: CountRead, noteRead: NoteRead, clock: Clock): RepeatCall =>
  async ({ person, read }) => {
    if (!isOfToday(person, clock.now())) return false
    const isGranted = (await countRead(read))?.isGranted === true
    if (isGranted) noteRead({ userId: person.userId }, person)
    return isGranted
  }
