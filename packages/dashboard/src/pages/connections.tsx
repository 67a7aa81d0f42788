import { Page } from "../components/page.tsx"

export default function ConnectionsPage() {
  return <Page title="Connections">{null}</Page>
}
