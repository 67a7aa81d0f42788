import { Page } from "../components/page.tsx"

export default function TrendsPage() {
  return <Page title="Trends">{null}</Page>
}
