import { Page } from "../components/page.tsx"

export default function StartPage() {
  return <Page title="Get started">{null}</Page>
}
