import { columnOf } from '../field-types';
import type { Definition, Field } from './definition';

/** The names under which a field stands in answers for those who may read it, of a page of a list or of a record alone. */
export function namesInAnswers(field: Field, kind: 'list' | 'one'): readonly string[] {
  const { name, type, embed, countAs, sum, inLists, secret, computed, virtual } = field;
  if (secret) return [];
  if (type === 'inverse') {
    if (kind === 'one' || inLists === 'records') return [name];
    return inLists === 'count' ? [countAs, ...(sum ? [sum.name] : [])] : [];
  }
  if (type === 'relations') {
    if (kind === 'list' && inLists === 'count') return [name, countAs];
    return embed && (kind === 'one' || inLists === 'records') ? [name, embed] : [name];
  }
  if (computed === undefined && columnOf(field) === null && !virtual) return [];
  return embed ? [name, embed] : [name];
}

const known = {
  list: new WeakMap<Definition, ReadonlySet<string>>(),
  one: new WeakMap<Definition, ReadonlySet<string>>(),
};

/** Every name that an answer may have for somebody, in the order of the fields. */
export function answeredNames(definition: Definition, kind: 'list' | 'one'): ReadonlySet<string> {
  let names = known[kind].get(definition);
  if (!names) {
    names = new Set(Object.values(definition.fields).flatMap((field) => namesInAnswers(field, kind)));
    known[kind].set(definition, names);
  }
  return names;
}
