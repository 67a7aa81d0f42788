import type { AccountResponse } from "@restwell/client"
import { ConnectorAddress } from "../assistants/connector-address.tsx"
import { AssistantGuides } from "../assistants/connector-guide.tsx"
import { Step } from "./step.tsx"

/** Third: one address for assistants. */
export const AssistantStep = ({ account: { assistants } }: { account: AccountResponse }) => (
  <Step number={3} title="Add the connector to your assistant" isDone={assistants.length > 0}>
    <p>Your assistant asks for this address once. You sign in, see what it may read, and press Authorize.</p>
    <ConnectorAddress />
    <AssistantGuides />
  </Step>
)
