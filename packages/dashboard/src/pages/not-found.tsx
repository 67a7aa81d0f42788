import { ButtonLink } from "../components/button.tsx"
import { Page } from "../components/page.tsx"

/** Within the frame, so that every page is one step away. */
export const NotFoundPage = () => (
  <Page title="Page not found" subtitle="There is no page at this address. Check it, or start from one of these.">
    <div className="flex flex-wrap gap-2">
      <ButtonLink to="/" look="primary">
        Go to Today
      </ButtonLink>
      <ButtonLink to="/trends">Trends</ButtonLink>
      <ButtonLink to="/more">All pages</ButtonLink>
    </div>
  </Page>
)
