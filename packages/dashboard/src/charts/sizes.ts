/** Sizes of drawings, which pages know before the drawings are there. */
export const HEIGHT = 210
export const MARGIN = { top: 10, right: 6, bottom: 24, left: 40 } as const

/** Bottom of the drawing, above the axis labels. */
export const FLOOR = HEIGHT - MARGIN.bottom

/** Height of an axis with its clock times. */
export const AXIS = 24
