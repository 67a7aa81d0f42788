import type { Source } from "@restwell/client"

/** Where a connection is in its life; `states.ts` says how it gets there. A person's answers show all but the last. */
export type ConnectionStatus = Source["status"] | "disconnected"
