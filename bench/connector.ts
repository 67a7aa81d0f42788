/**
 * `npm run bench:connector`: what the connector's tools cost a conversation, in tokens, and how fast they answer. Limits and the same reads
 * over REST are in the same run; a limit that is exceeded ends it with 1. Everything is on this machine and on loopback, every round ends by
 * itself. Figures of different machines do not compare; the ratio does.
 */

import { benchTokens } from "./sections/connector-tokens.ts"
import { toolCalls } from "./sections/tool-calls.ts"
import { connectBenchAssistant, ERAS } from "./targets/assistant.ts"
import { openBenchService } from "./targets/bench-service.ts"

/** The longest range, 90 days, has data at its beginning. */
const HISTORY_DAYS = 120

const service = await openBenchService({ days: HISTORY_DAYS })
try {
  const assistant = await connectBenchAssistant(service)
  if (!(await benchTokens(service, assistant))) process.exitCode = 1
  for (const connections of [1, 32]) await toolCalls(service, { assistant, connections, eras: ERAS })
} finally {
  await service.close()
}
