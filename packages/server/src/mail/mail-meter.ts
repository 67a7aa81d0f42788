import type { MailContent } from "@restwell/core"
import { Counter, type Registry } from "prom-client"

const KINDS = ["password_reset", "reconnect", "invitation"] as const satisfies readonly MailContent["kind"][]
const OUTCOMES = ["sent", "failed"] as const

/** Called with each try to send an e-mail. */
export type MailMeter = (kind: MailContent["kind"], outcome: (typeof OUTCOMES)[number]) => void

/** Counts the tries of this process to send e-mails. No label names a person. */
export function createMailMeter(registry: Registry): MailMeter {
  const tries = new Counter({
    name: "restwell_emails_total",
    help: "Tries to send an e-mail, by kind and outcome",
    labelNames: ["kind", "outcome"],
    registers: [registry],
  })
  // A series that starts at its first failure has no increase to alert on.
  for (const kind of KINDS) for (const outcome of OUTCOMES) tries.inc({ kind, outcome }, 0)
  return (kind, outcome) => tries.inc({ kind, outcome })
}
