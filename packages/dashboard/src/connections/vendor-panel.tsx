import type { Vendor } from "@restwell/client"
import { ButtonLink } from "../components/button.tsx"
import { ConnectLink } from "../components/connect-link.tsx"
import { Panel } from "../components/panel.tsx"
import { Deliveries } from "./deliveries.tsx"
import { OperatorSetup } from "./operator-setup.tsx"

/** A vendor without a connection: what it delivers, and how to get it. */
export const VendorPanel = ({ vendor, isOwner }: { vendor: Vendor; isOwner: boolean }) => (
  <Panel
    title={vendor.display_name}
    description={
      vendor.is_set_up
        ? "You approve access on the vendor's own page. Restwell gets read-only access and never sees your password."
        : `Not set up on this server. ${isOwner ? "Set it up" : "Ask the operator"}, or upload an archive below.`
    }
    {...(vendor.is_set_up && { actions: <ConnectLink provider={vendor.provider} /> })}
    {...(!vendor.is_set_up && isOwner && { actions: <ButtonLink to="/service">Set up</ButtonLink> })}
  >
    <div className="flex flex-col gap-4">
      <Deliveries vendor={vendor} isConnected={false} />
      <OperatorSetup vendor={vendor} />
    </div>
  </Panel>
)
