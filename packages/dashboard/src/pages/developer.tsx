import { Page } from "../components/page.tsx"

export default function DeveloperPage() {
  return <Page title="API">{null}</Page>
}
