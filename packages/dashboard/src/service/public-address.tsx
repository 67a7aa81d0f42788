import { type StepTab, StepTabs } from "../components/instructions.tsx"
import { Disclosure } from "../components/page.tsx"

/** Where the service listens, if this page was not opened through a proxy. */
const DEFAULT_PORT = "3000"

/** How a computer at home gets an https address that the internet reaches. */
export function PublicAddressWays() {
  const { port } = window.location
  const local = port === "" ? DEFAULT_PORT : port
  return (
    <Disclosure summary="How to get such an address" summaryClass="w-fit font-medium text-text">
      <div className="mt-3 flex flex-col gap-3 text-muted">
        <p>
          Three ways. Each leads to this service, gives it https, and costs nothing but a domain where it needs one.
        </p>
        <StepTabs label="Ways to get one" tabs={waysTo(local)} />
        <p>
          Then enter the new address under “Public address” on the page Service and check it there. The manual has{" "}
          <a href="/docs/https" className="text-accent underline underline-offset-2">
            more about these ways
          </a>
          .
        </p>
      </div>
    </Disclosure>
  )
}

const waysTo = (port: string): readonly StepTab[] => [
  {
    name: "Tailscale Funnel",
    steps: [
      "Needs no domain and no open port. Install Tailscale on this computer and sign in.",
      "Run this command. It asks once to allow Funnel, and then prints an address like https://computer.tailnet.ts.net.",
    ],
    code: { label: "Tailscale command", text: `tailscale funnel --bg ${port}` },
  },
  {
    name: "Cloudflare Tunnel",
    steps: [
      "Needs a domain of yours at Cloudflare, and no open port.",
      "In Cloudflare's dashboard open Zero Trust, Networks, Tunnels. Create a tunnel and run the command that it shows here.",
      "Add a public hostname to the tunnel, such as restwell.your-domain.com, with this service:",
    ],
    code: { label: "Cloudflare service", text: `http://localhost:${port}` },
  },
  {
    name: "Caddy",
    steps: [
      "Needs a domain that points to your router, and the ports 80 and 443 forwarded from the router to this computer.",
      "Install Caddy and run this with your own name. Caddy gets the certificate by itself.",
    ],
    code: {
      label: "Caddy command",
      text: `caddy reverse-proxy --from restwell.your-domain.com --to localhost:${port}`,
    },
  },
]
