#!/usr/bin/env node
/** Command line: `restwell-simulator --port 4020 --seed demo`. */
import { parseArgs } from "node:util"
import { type OuraSimulator, type Simulator, startOuraSimulator, startSimulator } from "./index.ts"
import type { SimulatorOptions } from "./start-vendor.ts"

const USAGE = `Usage: restwell-simulator [options]

  --port <number>           port to listen on (default 4020, 0 for any free one)
  --oura-port <number>      also simulates Oura on this port, for the same people
  --host <address>          address to listen on (default 127.0.0.1)
  --seed <text>             seed of all generated data (default 1)
  --days <number>           days of history per person (default 365)
  --now <instant>           starts a clock that is moved by hand (default: real time)
  --ticking                 with --now: runs the clock from there
  --people <number>         more people beside the two default ones
  --client-id <text>        default simulator-client
  --client-secret <text>    default simulator-secret
  --auto-approve <email>   skips the authorize page, as this person
  --grants-file <path>      stores connections, so that they survive a restart
  --webhook-url <url>       receives events; may be repeated
  --no-rate-limits          turns rate limits off
  --help                    prints this help
`

const write = (text: string) => process.stdout.write(`${text}\n`)

function readArguments() {
  return parseArgs({
    options: {
      port: { type: "string", default: "4020" },
      "oura-port": { type: "string" },
      host: { type: "string" },
      seed: { type: "string" },
      days: { type: "string" },
      now: { type: "string" },
      ticking: { type: "boolean" },
      people: { type: "string" },
      "client-id": { type: "string" },
      "client-secret": { type: "string" },
      "auto-approve": { type: "string" },
      "grants-file": { type: "string" },
      "webhook-url": { type: "string", multiple: true },
      "no-rate-limits": { type: "boolean" },
      help: { type: "boolean" },
    },
  }).values
}

type Arguments = ReturnType<typeof readArguments>

async function main(): Promise<void> {
  const values = readArguments()
  if (values.help) return void write(USAGE)
  const options = optionsFrom(values)
  const simulator = await startSimulator(options)
  if (values.people !== undefined) simulator.people.addMany(wholeNumber("people", values.people))
  const port = values["oura-port"]
  const oura = port === undefined ? undefined : await startOura(simulator, options, wholeNumber("oura-port", port))
  introduce(simulator, options, oura)
  const close = async () => {
    await oura?.close()
    await simulator.close()
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void close())
}

function startOura(beside: Simulator, options: SimulatorOptions, port: number): Promise<OuraSimulator> {
  const { rateLimits, grantsFile, webhookUrls: _ofWhoop, ...shared } = options
  return startOuraSimulator({
    ...shared,
    beside,
    port,
    ...(rateLimits === "off" && { rateLimits }),
    ...(grantsFile !== undefined && { grantsFile: `${grantsFile}.oura` }),
  })
}

function optionsFrom(values: Arguments): SimulatorOptions {
  return {
    port: wholeNumber("port", values.port),
    ...(values.host !== undefined && { host: values.host }),
    ...(values.seed !== undefined && { seed: values.seed }),
    ...(values.days !== undefined && { days: wholeNumber("days", values.days) }),
    ...(values.now !== undefined && { now: instant(values.now) }),
    ...(values.ticking && { ticking: true }),
    ...(values["client-id"] !== undefined && { clientId: values["client-id"] }),
    ...(values["client-secret"] !== undefined && { clientSecret: values["client-secret"] }),
    ...(values["auto-approve"] !== undefined && { autoApprove: values["auto-approve"] }),
    ...(values["grants-file"] !== undefined && { grantsFile: values["grants-file"] }),
    ...(values["webhook-url"] && { webhookUrls: values["webhook-url"] }),
    ...(values["no-rate-limits"] && { rateLimits: "off" as const }),
  }
}

function introduce({ url, people, clock }: Simulator, options: SimulatorOptions, oura?: OuraSimulator): void {
  write(`WHOOP simulator at ${url}, clock at ${clock.now().toISOString()}`)
  write("")
  for (const { userId, email, firstName, lastName, traits } of people.list()) {
    write(`  ${userId}  ${email}  ${firstName} ${lastName}, ${traits.homeZone}`)
  }
  write("")
  write("Point a service at it:")
  write(`  WHOOP_BASE_URL=${url}`)
  write(`  WHOOP_CLIENT_ID=${options.clientId ?? "simulator-client"}`)
  write(`  WHOOP_CLIENT_SECRET=${options.clientSecret ?? "simulator-secret"}`)
  if (oura) write(`  OURA_BASE_URL=${oura.url}`)
  write("")
  write(`Controls: ${url}/_simulator/people, /clock, /faults, /requests, /tokens, /webhooks`)
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new RangeError(`--${name} needs a whole number`)
  return Number(text)
}

function instant(text: string): Date {
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw new RangeError("--now needs an instant such as 2026-11-20T12:00:00Z")
  return date
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  process.exitCode = 1
}
