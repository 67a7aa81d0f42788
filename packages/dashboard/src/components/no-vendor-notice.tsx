import type { ReactNode } from "react"
import { Notice } from "./notice.tsx"

/** For a server that has no vendor's app credentials. @param stepsAt where the steps of each vendor are, and archives are uploaded */
export const NoVendorNotice = ({ stepsAt }: { stepsAt: ReactNode }) => (
  <Notice tone="fair" title="No vendor is set up on this server">
    The owner of this server registers an app with a vendor, on the page Service. The steps of each vendor are {stepsAt}
    , where you can also upload an archive.
  </Notice>
)
