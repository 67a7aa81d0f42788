import { providerName } from "../format/provider-name.ts"
import { ExternalButtonLink } from "./button.tsx"

const authorizePath = (provider: string): string => `/api/connections/${provider}/authorize`

/** Starts a new connection at the vendor, which leads back to the page `from`. @param from @default Connections */
export const ConnectLink = ({ provider, from }: { provider: string; from?: "start" }) => (
  <ExternalButtonLink href={`${authorizePath(provider)}${from ? `?from=${from}` : ""}`} look="primary">
    Connect {providerName(provider)}
  </ExternalButtonLink>
)

/** Renews a connection that ended. */
export const ReconnectLink = ({ provider }: { provider: string }) => (
  <ExternalButtonLink href={authorizePath(provider)}>Reconnect</ExternalButtonLink>
)
