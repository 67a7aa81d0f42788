import type { AccountResponse } from "@restwell/client"
import { useService } from "../api/service.ts"
import { Loaded } from "../components/loaded.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { AddressForm } from "../service/address-form.tsx"
import { VendorAppList } from "../service/operation-sections.tsx"
import { Step } from "./step.tsx"

/** The steps of the owner, before those of everybody: the public address, and the apps at vendors. */
export const OwnerSteps = ({ account }: { account: AccountResponse }) => (
  <Loaded query={useService()} skeleton={<Skeleton className="h-36" label="Loading the settings" />}>
    {({ address, vendors }) => (
      <>
        <Step number={1} title="Choose the public address" isDone={address.source !== null}>
          <p>
            Vendors send people back to this address, and assistants find their data there. You can skip this step and
            use Restwell on this machine only.
          </p>
          <AddressForm address={address} />
        </Step>
        <Step number={2} title="Set up a vendor" isDone={vendors.some(({ source }) => source !== null)}>
          <p>
            A vendor gives data only to an app that you register there, free of charge. One vendor is enough to begin.
            You find these forms again on the page Service.
          </p>
          <VendorAppList apps={vendors} vendors={account.vendors} />
        </Step>
      </>
    )}
  </Loaded>
)
