import { providerName } from "../format/provider-name.ts"

/** "from Oura": the source of the figures above or beside it. */
export const FromSource = ({ source }: { source: string }) => (
  <span className="whitespace-nowrap">from {providerName(source)}</span>
)
