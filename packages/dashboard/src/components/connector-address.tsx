import { connectorAddress } from "../format/assistants.ts"
import { CodeBlock } from "./code-block.tsx"

/** The one address of the connector, to copy. */
export const ConnectorAddress = () => <CodeBlock label="connector address" text={connectorAddress()} />
