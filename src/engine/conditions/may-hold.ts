import type { Condition, ResourceRecord } from '../definitions/definition';
import { compareValues, matches, predicateOf } from './evaluate';
import type { Predicate } from './grammar';
import { resolve, type Surroundings } from './variables';

/**
 * Whether the condition holds for a record as it is answered, as far as that can be told: what asks about related
 * records whose values the answer does not carry counts as holding. For deciding what to offer; the server decides what
 * is done.
 */
export function mayHold(condition: Condition, record: ResourceRecord, surroundings: Surroundings): boolean {
  const around = { form: record, record, ...surroundings };
  return outcome(resolve(predicateOf(condition), around, compareValues), record, false) !== false;
}

/** Yes, no, or undefined: not to be told. `related`: the record is an embedded one, which carries a part of itself. */
function outcome(predicate: Predicate, record: ResourceRecord, related: boolean): boolean | undefined {
  switch (predicate.kind) {
    case 'all': {
      const outcomes = predicate.of.map((one) => outcome(one, record, related));
      return outcomes.includes(false) ? false : outcomes.includes(undefined) ? undefined : true;
    }
    case 'any':
      return someOf(predicate.of.map((one) => outcome(one, record, related)));
    case 'not': {
      const opposite = outcome(predicate.of, record, related);
      return opposite === undefined ? undefined : !opposite;
    }
    case 'some': {
      const value = record[predicate.field];
      if (value === undefined) return undefined;
      const list: unknown[] = Array.isArray(value) ? value : value === null ? [] : [value];
      return someOf(list.map((one) => outcome(predicate.of, asRecord(one), true)));
    }
    case 'compare':
      return related && record[predicate.left] === undefined ? undefined : matches(predicate, record);
  }
}

function someOf(outcomes: readonly (boolean | undefined)[]): boolean | undefined {
  return outcomes.includes(true) ? true : outcomes.includes(undefined) ? undefined : false;
}

function asRecord(value: unknown): ResourceRecord {
  return typeof value === 'object' && value !== null ? (value as ResourceRecord) : { id: value };
}
