import { CodeBlock } from "../components/code-block.tsx"
import { connectorAddress } from "./guides.ts"

/** The one address of the connector, to copy. */
export const ConnectorAddress = () => <CodeBlock label="connector address" text={connectorAddress()} />
