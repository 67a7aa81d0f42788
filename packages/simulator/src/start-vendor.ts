/** Starts the server of one simulated vendor, with the controls that every vendor has. */
import { addControlRoutes } from "./control/control-api.ts"
import { type Controls, createTokenControl } from "./control/controls.ts"
import type { RecordEdits } from "./edits/record-edits.ts"
import { Faults } from "./faults/faults.ts"
import { type GrantRules, Grants } from "./grants/grants.ts"
import { persistGrants } from "./grants/grants-file.ts"
import { createServer } from "./http/server.ts"
import type { VendorApi } from "./http/vendor-api.ts"
import type { ServerOptions } from "./options.ts"
import type { PersonReference } from "./people/people.ts"
import { RequestLog } from "./requests/request-log.ts"
import { type EventSource, Webhooks } from "./webhooks/webhooks.ts"
import { seedOf, type World } from "./world.ts"

/** What one vendor is, beside the parts that all have. */
export interface SimulatedVendor<Edits, Records extends object> {
  readonly grants: Grants
  readonly api: VendorApi
  readonly source: EventSource
  createEdits(webhooks: Webhooks): Edits
  /** The edits by their names in the control API. */
  editsByName(edits: Edits): Readonly<Record<string, RecordEdits<object>>>
  /** Returns every record of a person that is visible now. */
  read(person: PersonReference): Records
}

/** A running simulator. */
export interface RunningVendor<Edits, Records> extends Controls {
  /** Origin of the simulated vendor without a trailing slash. */
  readonly url: string
  readonly edit: Edits
  /** Returns every record of a person that is visible now, as plain JSON. */
  records(person: PersonReference): Records
  close(): Promise<void>
}

export async function startVendor<Edits, Records extends object>(
  options: ServerOptions,
  world: World & { readonly isShared: boolean },
  vendor: SimulatedVendor<Edits, Records>,
): Promise<RunningVendor<Edits, Records>> {
  const { clock, people, isShared } = world
  const seed = seedOf(options)
  const controls: Controls = {
    clock,
    people,
    faults: new Faults(seed),
    tokens: createTokenControl(people, vendor.grants),
    webhooks: new Webhooks({ source: vendor.source, clock, seed, urls: options.webhookUrls ?? [] }),
    requestLog: new RequestLog(),
  }
  const edit = vendor.createEdits(controls.webhooks)
  const records = (person: PersonReference) => vendor.read(person)
  const app = createServer({ ...controls, api: vendor.api })
  addControlRoutes(app, controls, { read: records, edits: vendor.editsByName(edit) })
  const url = await app.listen({ port: options.port ?? 0, host: options.host ?? "127.0.0.1" })
  return {
    ...controls,
    url,
    edit,
    records,
    async close() {
      if (!isShared) clock.stop()
      await controls.webhooks.close()
      await app.close()
    },
  }
}

/** Returns the vendor's grants, restored from the file when there is one. */
export function createGrants(options: ServerOptions, rules: GrantRules): Grants {
  const grants = new Grants(rules)
  if (options.grantsFile !== undefined) persistGrants(options.grantsFile, grants)
  return grants
}
