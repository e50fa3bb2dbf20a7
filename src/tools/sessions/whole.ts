import { z } from 'zod'

/** A whole number in an answer. `z.int()` would publish both bounds of JavaScript's integers with every field. */
export const whole = z.number().multipleOf(1)
