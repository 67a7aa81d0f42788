import { Link } from "wouter"
import { Notice } from "./notice.tsx"

/** For a server that has no vendor's app credentials. */
export const NoVendorNotice = () => (
  <Notice tone="fair" title="No vendor is set up on this server">
    The owner of this server registers an app with a vendor, on the page Service. The steps of each vendor are on{" "}
    <Link href="/connections" className="text-accent underline underline-offset-2">
      Connections
    </Link>
    , where you can also upload an archive.
  </Notice>
)
