import { ButtonLink } from "../components/button.tsx"
import { Page } from "../components/page.tsx"

export const NotFoundPage = () => (
  <Page title="Page not found" subtitle="Check the address. The page may have moved.">
    <div>
      <ButtonLink to="/">Go to Today</ButtonLink>
    </div>
  </Page>
)
