import { isJsonObject } from '../formats/json';

const comparisonWords: Readonly<Record<string, string>> = {
  $eq: 'is',
  $ne: 'is not',
  $gt: 'is greater than',
  $gte: 'is at least',
  $lt: 'is less than',
  $lte: 'is at most',
  $in: 'is one of',
  $nin: 'is none of',
  $contains: 'contains',
};

/** A short description of a condition (`status_id is one of 2, 3`); undefined if it would be long. */
export function summarizeCondition(condition: Readonly<Record<string, unknown>>): string | undefined {
  const words = summarizeAll(condition);
  return words === undefined || words.length > 80 ? undefined : words;
}

function summarizeAll(condition: Readonly<Record<string, unknown>>): string | undefined {
  return join(
    Object.entries(condition).map(([left, right]) => summarizeEntry(left, right)),
    ' and ',
  );
}

function summarizeEntry(left: string, right: unknown): string | undefined {
  if (left === '$and' || left === '$or' || left === '$nor') {
    if (!Array.isArray(right)) return undefined;
    const parts = right.map((part) => (isJsonObject(part) ? summarizeAll(part) : undefined));
    return left === '$nor' ? prefixed('none of: ', join(parts, ', ')) : join(parts, left === '$or' ? ' or ' : ' and ');
  }
  if (left.startsWith('$') && !left.includes('.')) return undefined;
  if (right === null) return `${left} is empty`;
  if (Array.isArray(right)) return prefixed(`${left} is one of `, list(right));
  if (!isJsonObject(right)) return `${left} is ${String(right)}`;
  return join(
    Object.entries(right).map(([operator, value]) => operation(left, operator, value)),
    ' and ',
  );
}

function operation(left: string, operator: string, value: unknown): string | undefined {
  if (operator === '$exists') return value === false ? `${left} is empty` : `${left} is not empty`;
  if (operator === '$some' && isJsonObject(value)) {
    return Object.keys(value).length === 0 ? `there are ${left}` : prefixed(`some ${left} where `, summarizeAll(value));
  }
  const word = comparisonWords[operator];
  if (word === undefined || isJsonObject(value)) return undefined;
  return Array.isArray(value)
    ? prefixed(`${left} ${word} `, list(value))
    : `${left} ${word} ${value === null ? 'empty' : String(value as string)}`;
}

function list(values: readonly unknown[]): string | undefined {
  return values.some((value) => typeof value === 'object') ? undefined : values.map(String).join(', ');
}

function prefixed(prefix: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : prefix + text;
}

function join(parts: readonly (string | undefined)[], word: string): string | undefined {
  return parts.length > 0 && parts.every((part) => part !== undefined) ? parts.join(word) : undefined;
}
