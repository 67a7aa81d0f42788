import { officeWorker, type Traits } from "@restwell/simulator"

/** Somebody who charges the strap overnight once or twice a week: a month always has nights without a record. */
export const missesNights: Traits = { ...officeWorker, life: { ...officeWorker.life, chargingNights: 0.2 } }
