import { Notice } from "./notice.tsx"

/** For a server that has no vendor's app credentials. */
export const NoVendorNotice = () => (
  <Notice tone="fair" title="No vendor is set up on this server">
    The operator registers an app with the vendor and starts Restwell with <code>WHOOP_CLIENT_ID</code> and{" "}
    <code>WHOOP_CLIENT_SECRET</code>, or those of another vendor. docs/vendors.md has the steps.
  </Notice>
)
