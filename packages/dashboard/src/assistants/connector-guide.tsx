import type { AccountResponse } from "@restwell/client"
import { CodeBlock } from "../components/code-block.tsx"
import { StepTabs } from "../components/step-tabs.tsx"
import { assistantGuides, connectorUrl } from "./guides.ts"

/** The address of the connector, and how to add it to each assistant. */
export const ConnectorGuide = ({ account }: { account: Pick<AccountResponse, "local_program"> }) => {
  const { origin } = window.location
  return (
    <>
      <CodeBlock label="connector address" text={connectorUrl(origin)} />
      <StepTabs label="Assistants" tabs={assistantGuides(origin, account.local_program)} />
    </>
  )
}
