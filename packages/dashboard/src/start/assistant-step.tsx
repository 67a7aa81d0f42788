import type { AccountResponse } from "@restwell/client"
import { ConnectorGuide } from "../assistants/connector-guide.tsx"
import { Step } from "./step.tsx"

/** Step 3: add the connector to an assistant. */
export const AssistantStep = ({ account }: { account: AccountResponse }) => (
  <Step number={3} title="Add the connector to your assistant" isDone={account.assistants.length > 0}>
    <p>Paste this address into your assistant once. Then sign in, choose what it can read, and press Authorize.</p>
    <ConnectorGuide account={account} />
  </Step>
)
