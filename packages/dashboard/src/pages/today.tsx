import { Page } from "../components/page.tsx"

export function TodayPage() {
  return <Page title="Today">{null}</Page>
}
