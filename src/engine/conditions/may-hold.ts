import type { Condition, ResourceRecord } from '../definitions/definition';
import { compareValues, matches, predicateOf } from './evaluate';
import type { Predicate } from './grammar';
import { resolve, type Surroundings } from './variables';

/**
 * Whether the condition matches a record as returned by the API, as far as the response can tell: tests on related
 * records that the response does not include count as matching. Decides what to offer; the server makes the final
 * decision.
 */
export function mayHold(condition: Condition, record: ResourceRecord, surroundings: Surroundings): boolean {
  const around = { form: record, record, ...surroundings };
  return outcome(resolve(predicateOf(condition), around, compareValues), record, false) !== false;
}

/**
 * True, false, or undefined if unknown. `related`: the record is an embedded one, which contains only some of its
 * fields.
 */
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
