/**
 * Scenarios that require sessions. The connector has none, in any version: before 2026-07-28 sessions were optional,
 * and so were messages outside the response to a call.
 */
import type { SpecVersion } from "./run-scenarios.ts"

export interface NotApplicable {
  readonly scenario: string
  /** @default every version that has the scenario */
  readonly specVersion?: SpecVersion
  readonly reason: string
}

export const NOT_APPLICABLE: readonly NotApplicable[] = [
  {
    scenario: "tools-call-sampling",
    reason:
      "A server without sessions does not know in a call what the client can do, nor which call an answer is for.",
  },
  {
    scenario: "tools-call-elicitation",
    reason:
      "A server without sessions does not know in a call what the client can do, nor which call an answer is for.",
  },
  {
    scenario: "elicitation-sep1034-defaults",
    reason: "Reads the form that the server asks for in the middle of a call, as tools-call-elicitation does.",
  },
  {
    scenario: "elicitation-sep1330-enums",
    reason: "Reads the form that the server asks for in the middle of a call, as tools-call-elicitation does.",
  },
  {
    scenario: "resources-subscribe",
    reason: "Updates would come over the GET stream of a session; the server does not claim the capability.",
  },
  {
    scenario: "resources-unsubscribe",
    reason: "Nothing is subscribed to; see resources-subscribe.",
  },
  {
    scenario: "server-sse-polling",
    reason: "Fails nothing, but warns that there is no session whose stream a client could resume.",
  },
  {
    scenario: "server-sse-multiple-streams",
    specVersion: "2025-11-25",
    reason: "Fails nothing, but warns that there is no session and goes no further; in 2026-07-28 it needs none.",
  },
]

/** Returns why a scenario does not apply to a version. Undefined if it does. */
export function reasonAgainst(scenario: string, specVersion: SpecVersion): string | undefined {
  const declared = NOT_APPLICABLE.find(
    (entry) => entry.scenario === scenario && (entry.specVersion ?? specVersion) === specVersion,
  )
  return declared?.reason
}
