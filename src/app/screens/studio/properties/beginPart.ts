import type { PartKey } from '../../../../engine/studio/part-keys';
import type { Option } from './ChoiceProperty';
import { isOwnOption, optionsOf, type OptionContext } from './optionSources';

type Context = Omit<OptionContext, 'part'>;
type Part = OptionContext['part'];

/**
 * The value that a part begins with when it is switched on: what it requires, and what its keys say.
 *
 * @returns undefined if the definition has no field of its own for something that it requires.
 */
export function beginPart(keys: readonly PartKey[], context: Context): Part | undefined {
  const { value, isComplete } = begin(keys, context, (options) => options.filter((one) => isOwnOption(context, one)));
  return isComplete ? value : undefined;
}

/** The value that a new entry of a list begins with; complete if there is a choice for all that it requires. */
export function beginEntry(
  keys: readonly PartKey[],
  context: Context,
  number: number,
  others: readonly Part[] = [],
  entryName = '',
): { readonly value: Part; readonly isComplete: boolean } {
  // A field of the definition comes first, and one that no other entry has.
  const order = (options: readonly Option[], name: string) =>
    options.toSorted((one, other) => rank(one, name) - rank(other, name));
  const rank = (option: Option, name: string) =>
    (others.some((entry) => entry[name] === option.value) ? 2 : 0) + (isOwnOption(context, option) ? 0 : 1);
  return begin(keys, context, order, { number, entryName });
}

function begin(
  keys: readonly PartKey[],
  context: Context,
  order: (options: readonly Option[], name: string) => readonly Option[],
  { number, entryName } = { number: 1, entryName: '' },
) {
  const value: Record<string, unknown> = {};
  let isComplete = true;
  const firstChoice = ({ name, description: { reference, words } }: PartKey) =>
    order(optionsOf(reference, words.options, { ...context, part: value }), name).find(
      (option) => !Object.values(value).includes(option.value),
    )?.value;
  const recordTitle = context.source.recordTitle ?? '{id}';
  const fillIn = (written: unknown): unknown => {
    if (Array.isArray(written)) return written.map(fillIn);
    if (typeof written !== 'string') return written;
    return written.replace('{n}', String(number)).replace('{key}', entryName).replace('{recordTitle}', recordTitle);
  };
  for (const key of keys) {
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
    } else {
      value[name] = kind === 'choice' ? values?.[0] : emptyValues[kind];
    }
  }
  return { value, isComplete };
}

/** The value that a required key of each kind begins with. */
const emptyValues: Partial<Readonly<Record<PartKey['description']['kind'], unknown>>> = {
  text: '',
  condition: {},
  query: {},
  record: {},
  choices: [],
};
