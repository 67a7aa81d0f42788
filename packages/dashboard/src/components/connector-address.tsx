import { connectorAddress } from "../format/assistants.ts"
import { CodeBlock } from "./code-block.tsx"

/** The one address of the connector, to copy. */
export const ConnectorAddress = () => (
  <>
    <CodeBlock label="connector address" text={connectorAddress()} />
    <p className="text-sm text-muted">
      The connector is not part of this version yet. Once the server is updated to one that has it, this is its address.
    </p>
  </>
)
