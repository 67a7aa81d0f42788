import type { Vendor } from "@restwell/client"
import { ChevronRight } from "lucide-react"
import type { ReactNode } from "react"
import { CodeBlock } from "../components/code-block.tsx"

/** What the operator enters at the vendor and in the settings, to copy. */
export const OperatorSetup = ({ vendor }: { vendor: Vendor }) => {
  const { display_name: name, setup } = vendor
  return (
    <details className="group text-sm">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1 rounded-md text-muted hover:text-text">
        <ChevronRight size={14} aria-hidden="true" className="transition-transform group-open:rotate-90" />
        For the operator: {vendor.is_set_up ? `settings and addresses of ${name}` : `how to set up ${name}`}
      </summary>
      <ol className="mt-3 flex list-decimal flex-col gap-4 pl-5">
        <Step text={`Register an app at ${setup.apps_page}, with this redirect URL:`}>
          <CodeBlock label={`${name} redirect URL`} text={setup.redirect_url} />
        </Step>
        {setup.webhook_url !== null && (
          <Step text="On a server that the internet reaches, register this webhook too. New data then arrives within minutes:">
            <CodeBlock label={`${name} webhook URL`} text={setup.webhook_url} />
          </Step>
        )}
        <Step text="Start Restwell with the credentials of the app in these settings:">
          <CodeBlock label={`${name} settings`} text={setup.settings.map((setting) => `${setting}=`).join("\n")} />
        </Step>
      </ol>
    </details>
  )
}

const Step = ({ text, children }: { text: string; children: ReactNode }) => (
  <li>
    <p className="mb-2 text-muted">{text}</p>
    {children}
  </li>
)
