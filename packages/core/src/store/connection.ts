import type { Source } from "@restwell/client"

/** One person's connection to one vendor. */
export interface ConnectionId {
  readonly userId: string
  readonly provider: string
}

/** The state of a connection. `connection/states.ts` holds the transitions. Answers show every state but `disconnected`. */
export type ConnectionStatus = Source["status"] | "disconnected"
