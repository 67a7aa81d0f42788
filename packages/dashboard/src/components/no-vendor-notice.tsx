import { Notice } from "./notice.tsx"

/** What is missing on a server that no vendor's app was given to. */
export const NoVendorNotice = () => (
  <Notice tone="fair" title="No vendor is set up on this server yet">
    Its operator registers an app at the vendor and starts Restwell with <code>WHOOP_CLIENT_ID</code> and{" "}
    <code>WHOOP_CLIENT_SECRET</code>. The README has the steps.
  </Notice>
)
