/**
 * `npm run bench:connector`: how many tokens the connector's tools add to a conversation, and how fast they answer, compared with the same
 * reads over REST in the same run. Exits with 1 if a limit is exceeded. Compare only ratios between machines.
 */

import { benchTokens } from "./sections/connector-tokens.ts"
import { toolCalls } from "./sections/tool-calls.ts"
import { connectBenchAssistant, PROTOCOL_VERSIONS } from "./targets/assistant.ts"
import { openBenchService } from "./targets/bench-service.ts"

/** Longer than the longest range, 90 days. */
const HISTORY_DAYS = 120

const service = await openBenchService({ days: HISTORY_DAYS })
try {
  const assistant = await connectBenchAssistant(service)
  if (!(await benchTokens(service, assistant))) process.exitCode = 1
  for (const connections of [1, 32]) await toolCalls(service, { assistant, connections, versions: PROTOCOL_VERSIONS })
} finally {
  await service.close()
}
