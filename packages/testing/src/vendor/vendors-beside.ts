// The simulated vendors beside WHOOP, by name. A further vendor is one line here.
import type { VendorName } from "@restwell/providers"
import type { RunningVendor, Simulator } from "@restwell/simulator"
import { googleHealthUnderTest } from "./google-health-under-test.ts"
import { intervalsUnderTest } from "./intervals-under-test.ts"
import { ouraUnderTest } from "./oura-under-test.ts"
import { polarUnderTest } from "./polar-under-test.ts"
import { ultrahumanUnderTest } from "./ultrahuman-under-test.ts"
import {
  startGoogleHealthBeside,
  startIntervalsBeside,
  startOuraBeside,
  startPolarBeside,
  startUltrahumanBeside,
  startWithingsBeside,
  type VendorUnderTest,
} from "./vendor-under-test.ts"
import { withingsUnderTest } from "./withings-under-test.ts"

const TABLE = {
  oura: { start: startOuraBeside, underTest: ouraUnderTest },
  polar: { start: startPolarBeside, underTest: polarUnderTest },
  intervals: { start: startIntervalsBeside, underTest: intervalsUnderTest },
  withings: { start: startWithingsBeside, underTest: withingsUnderTest },
  google_health: { start: startGoogleHealthBeside, underTest: googleHealthUnderTest },
  ultrahuman: { start: startUltrahumanBeside, underTest: ultrahumanUnderTest },
}

type Table = typeof TABLE
export type BesideName = keyof Table

/** Each vendor's simulator. */
export type SimulatorsBeside = {
  readonly [Name in BesideName]: Parameters<Table[Name]["underTest"]>[0]
}

/** Each simulator's options. */
export type OptionsBeside = {
  readonly [Name in BesideName]: NonNullable<Parameters<Table[Name]["start"]>[1]>
}

/** The table in a form in which TypeScript knows that the parts of a line belong together. */
const VENDORS_BESIDE: {
  readonly [Name in BesideName]: {
    start(whoop: Simulator, options: OptionsBeside[Name] | undefined): Promise<SimulatorsBeside[Name]>
    underTest(simulator: SimulatorsBeside[Name]): VendorUnderTest
  }
} = TABLE

const isBeside = (name: string): name is BesideName => Object.hasOwn(TABLE, name)

/** The vendors that a test has beside WHOOP. */
export interface VendorsBeside {
  readonly vendors: readonly VendorUnderTest[]
  /** Those that were given and the one that was started. */
  readonly simulators: Partial<SimulatorsBeside>
  /** Returns a vendor's simulator. @throws where the test has none */
  simulatorOf<Name extends BesideName>(name: Name): NonNullable<Partial<SimulatorsBeside>[Name]>
  /** Closes the one that was started. */
  close(): Promise<void>
}

/** @param given simulators that stay open. @param vendor is started unless it is WHOOP or given. */
export async function startVendorBeside(
  whoop: Simulator,
  vendor: VendorName,
  given: Partial<SimulatorsBeside> = {},
  options: Partial<OptionsBeside> = {},
): Promise<VendorsBeside> {
  const simulators = { ...given }
  const own = isBeside(vendor) && !given[vendor] ? await start(whoop, vendor, simulators, options) : undefined
  return {
    vendors: Object.keys(TABLE)
      .filter(isBeside)
      .flatMap((name) => underTest(name, simulators) ?? []),
    simulators,
    simulatorOf(name) {
      const simulator = simulators[name]
      if (!simulator) throw new Error(`this test has no ${name}`)
      return simulator
    },
    close: async () => own?.close(),
  }
}

async function start<Name extends BesideName>(
  whoop: Simulator,
  name: Name,
  simulators: { -readonly [Each in BesideName]?: SimulatorsBeside[Each] },
  options: Partial<OptionsBeside>,
): Promise<RunningVendor<unknown, object>> {
  const simulator = await VENDORS_BESIDE[name].start(whoop, options[name])
  simulators[name] = simulator
  return simulator
}

function underTest<Name extends BesideName>(
  name: Name,
  simulators: Partial<SimulatorsBeside>,
): VendorUnderTest | undefined {
  const simulator = simulators[name]
  return simulator && VENDORS_BESIDE[name].underTest(simulator)
}
