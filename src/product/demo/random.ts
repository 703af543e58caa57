import { itemAt } from '../../engine/values/lookups';
/** A seeded random generator: the same seed gives the same data. */
export interface Random {
  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number;
  /** One of the choices. */
  one<T>(choices: readonly T[]): T;
  /** Some of the choices, in their order, each at most once. */
  some<T>(choices: readonly T[], count: number): T[];
}

/** Creates a random generator (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const wholeNumber = (minimum: number, maximum: number) => minimum + Math.floor(next() * (maximum - minimum + 1));
  return {
    whole: wholeNumber,
    one: (choices) => itemAt(choices, wholeNumber(0, choices.length - 1)),
    some: (choices, count) => {
      const lots = choices.map((choice, index) => ({ choice, index, lot: next() }));
      const drawnLots = lots.sort((a, b) => a.lot - b.lot).slice(0, count);
      return drawnLots.sort((a, b) => a.index - b.index).map(({ choice }) => choice);
    },
  };
}
