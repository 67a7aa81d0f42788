import { officeWorker, type Traits } from "@restwell/simulator"

/** A person who charges the strap overnight once or twice a week: every month has nights without a record. */
export const missesNights: Traits = { ...officeWorker, life: { ...officeWorker.life, chargingNights: 0.2 } }
