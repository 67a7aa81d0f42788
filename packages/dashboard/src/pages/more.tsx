import { ChevronRight } from "lucide-react"
import { Link } from "wouter"
import { Page } from "../components/page.tsx"
import { type PageLink, useOtherPages } from "../components/shell.tsx"

/** The pages that the bar of a phone has no room for. */
export default function MorePage() {
  return (
    <Page title="More">
      <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
        {useOtherPages().map((page) => (
          <li key={page.path}>
            <PageRow page={page} />
          </li>
        ))}
      </ul>
    </Page>
  )
}

const ROW = "flex min-h-16 items-center gap-4 px-4 py-3 hover:bg-raised"

function PageRow({ page: { path, label, about, Icon, isExternal = false } }: { page: PageLink }) {
  const content = (
    <>
      <Icon size={20} aria-hidden="true" className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{label}</span>
        <span className="block text-sm text-muted">{about}</span>
      </span>
      <ChevronRight size={18} aria-hidden="true" className="shrink-0 text-muted" />
    </>
  )
  return isExternal ? (
    <a href={path} className={ROW}>
      {content}
    </a>
  ) : (
    <Link href={path} className={ROW}>
      {content}
    </Link>
  )
}
