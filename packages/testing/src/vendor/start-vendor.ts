import {
  type OuraSimulator,
  type OuraSimulatorOptions,
  type Simulator,
  type SimulatorOptions,
  startOuraSimulator,
  startSimulator,
} from "@restwell/simulator"

/** The app that the simulated vendors know. */
export const VENDOR_APP = { clientId: "simulator-client", clientSecret: "simulator-secret" }

/** A simulated WHOOP without people or call limits, whose consent page approves by itself. */
export const startVendor = (options: SimulatorOptions = {}): Promise<Simulator> =>
  startSimulator({ defaultPeople: false, rateLimits: "off", autoApprove: true, ...options })

/** The same of Oura, with the people and the clock of another simulator. */
export const startOuraBeside = (
  beside: Pick<Simulator, "clock" | "people">,
  options: Omit<OuraSimulatorOptions, "beside"> = {},
): Promise<OuraSimulator> => startOuraSimulator({ beside, rateLimits: "off", autoApprove: true, ...options })
