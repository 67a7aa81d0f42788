import { ButtonLink } from "../components/button.tsx"
import { Page } from "../components/page.tsx"

export const NotFoundPage = () => (
  <Page title="There is nothing here" subtitle="The address may be mistyped, or the page may have moved.">
    <div>
      <ButtonLink to="/">To today</ButtonLink>
    </div>
  </Page>
)
