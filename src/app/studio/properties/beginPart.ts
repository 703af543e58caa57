import type { PartKinds } from '../../../engine/language/key';
import type { KeyDescription, PartKey } from '../../../engine/studio/part-keys';
import { keysOfKinds } from '../../../engine/studio/part-kinds';
import { propertyOf } from '../../../engine/values/lookups';
import type { Option } from './ChoiceProperty';
import { isOwnOption, optionsOf, type OptionContext } from './optionSources';

type Context = Omit<OptionContext, 'part'>;
type Part = OptionContext['part'];
type PartDescription = Pick<KeyDescription, 'keys' | 'words'>;

/**
 * The value that a part begins with when it is switched on: what it requires, and what its keys say.
 *
 * @returns undefined if the definition has no field of its own for something that it requires.
 */
export function beginPart(part: PartDescription, context: Context): Part | undefined {
  const { value, isComplete } = begin(part, context, (options, { description }) =>
    options.filter(
      (option) => description.words.options === 'referring' || isOwnOption(context, option, description.reference),
    ),
  );
  return isComplete ? value : undefined;
}

/** The value that a new entry of a list begins with; complete if there is a choice for all that it requires. */
export function beginEntry(
  part: PartDescription,
  context: Context,
  number: number,
  otherParts: readonly Part[] = [],
  entryName = '',
): { readonly value: Part; readonly isComplete: boolean } {
  // A field of the definition comes first, and one that no other entry has.
  const order = (options: readonly Option[], key: PartKey) =>
    options.toSorted((first, second) => rank(first, key) - rank(second, key));
  const rank = (option: Option, { name, description }: PartKey) =>
    (otherParts.some((entry) => entry[name] === option.value) ? 2 : 0) +
    (isOwnOption(context, option, description.reference) ? 0 : 1);
  return begin(part, context, order, { number, entryName });
}

/** The value that a part of a kind begins with: that of the key that makes it one, and what the kind says. */
export function beginKind(
  keys: readonly PartKey[],
  { by: kindsByName }: PartKinds,
  kind: string,
  context: Context,
): Part {
  const kindKey = keys.filter(({ name }) => name === kind).map((key) => ({ ...key, isRequired: true }));
  return { ...beginEntry({ keys: kindKey, words: {} }, context, 1).value, ...propertyOf(kindsByName, kind).begin };
}

/** The keys that a new part can have: of its kinds, the first. */
function keysToBegin({ keys, words: { kinds } }: PartDescription): readonly PartKey[] {
  if (!kinds) return keys;
  const [first] = Object.keys(kinds.by);
  const names = keysOfKinds(kinds);
  return keys
    .filter(({ name }) => name === first || !names.has(name))
    .map((key) => (key.name === first ? { ...key, isRequired: true } : key));
}

function begin(
  part: PartDescription,
  context: Context,
  order: (options: readonly Option[], key: PartKey) => readonly Option[],
  { number, entryName } = { number: 1, entryName: '' },
): { readonly value: Part; readonly isComplete: boolean } {
  const value: Record<string, unknown> = {};
  let isComplete = true;
  const firstChoice = (key: PartKey) => {
    const { reference, words } = key.description;
    const options = order(optionsOf(reference, words.options, { ...context, part: value }), key);
    return options.find((option) => !Object.values(value).includes(option.value))?.value;
  };
  const recordTitle = context.source.recordTitle ?? '{id}';
  const fillIn = (template: unknown): unknown => {
    if (Array.isArray(template)) return template.map(fillIn);
    if (typeof template !== 'string') return template;
    return template
      .replace('{n}', String(number))
      .replace('{key}', entryName)
      .replace('{recordTitle}', recordTitle)
      .replace('{resource}', context.source.name);
  };
  for (const key of keysToBegin(part)) {
    const { name, isRequired, description } = key;
    const { kind, values, words } = description;
    const isNamed = (kind === 'choice' || kind === 'choices') && !values;
    if (!isRequired && words.begin === undefined) continue;
    if (isNamed && (words.begin === undefined || words.begin === true)) {
      const first = firstChoice(key);
      if (first !== undefined) value[name] = kind === 'choices' ? [first] : first;
      else if (isRequired) isComplete = false;
    } else if (words.begin !== undefined) {
      value[name] = fillIn(words.begin);
    } else if (kind === 'part') {
      value[name] = begin(description, context, order).value;
    } else {
      value[name] = kind === 'choice' ? values?.[0] : emptyValues[kind];
    }
  }
  const [first] = Object.values(part.words.kinds?.by ?? {});
  return { value: { ...value, ...first?.begin }, isComplete };
}

/** The value that a required key of each kind begins with. */
const emptyValues: Partial<Readonly<Record<PartKey['description']['kind'], unknown>>> = {
  text: '',
  condition: {},
  query: {},
  record: {},
  choices: [],
};
