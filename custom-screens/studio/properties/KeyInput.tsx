import schema from '../../../schemas/field.schema.json';
import type { FieldSource } from '../../../src/engine/definitions/source';
import { useDefinitions } from '../../../src/app/admin/DefinitionsContext';
import { useDraft } from '../draft';
import { ChoiceAt, ManyAt, type Way } from './ChoiceAt';
import { JsonAt } from './JsonAt';
import { Options } from './Options';
import { ResourceAt } from './ResourceAt';
import { SwitchAt } from './SwitchAt';
import { NumberAt, TextAt } from './TextAt';
import { fieldWays } from './ways';
import { inverseWays, targetWays } from './targets';

interface KeyInputProps {
  /** The field's name, what is written of it, and one of its type's own keys. */
  name: string;
  field: FieldSource;
  part: string;
}

type Property = { type?: string | readonly string[]; enum?: readonly unknown[]; default?: unknown };
const properties = schema.properties as Record<string, Property>;

/** Keys that name a field of the same record. */
const siblings: Readonly<Record<string, (field: FieldSource, own: FieldSource) => boolean>> = {
  notBefore: ({ type }, own) => type === own.type,
  after: ({ type }, own) => type === own.type,
  on: ({ type }) => type === 'date',
  from: ({ type }) => type === 'time' || type === 'datetime',
};

/** The input of one of a type's own keys, as the schema describes it. */
export function KeyInput({ name, field, part }: KeyInputProps) {
  const { source } = useDraft();
  const { registry } = useDefinitions();
  const at = `/fields/${name}/${part}`;
  const label = wordsOf(part);
  const property = properties[part] ?? {};
  const fits = siblings[part] ?? (part === 'to' && field.type === 'duration' ? siblings.from : undefined);
  if (part === 'options') return <Options at={at} />;
  if (fits) return <ChoiceAt {...{ at, label }} none="None" ways={fieldWays(source, (one, key) => key !== name && fits(one, field))} />; // prettier-ignore
  if (part === 'to') return <ResourceAt {...{ at, label }} brief />;
  if (part === 'of') return <ChoiceAt {...{ at, label }} wide ways={inverseWays(registry, source.name)} />;
  if (part === 'embedFields' || part === 'show')
    return <ManyAt {...{ at, label }} wide ways={targetWays(registry, source, field)} usual="Its name alone" />;
  if (part === 'default') return <JsonAt {...{ at, label }} usual="None" />;
  if (property.type === 'boolean') return <SwitchAt {...{ at, label }} usual={property.default === true} />;
  if (property.enum)
    return <ChoiceAt {...{ at, label }} ways={property.enum.flatMap(wayOf)} none={usualOf(property)} />;
  if (property.type === 'integer' || property.type === 'number') return <NumberAt {...{ at, label }} brief />;
  return <TextAt {...{ at, label }} />;
}

const words: Readonly<Record<string, string>> = {
  to: 'Points to',
  of: 'Records of',
  embed: 'Embedded as',
  embedFields: 'Embeds also',
  show: 'Shows also',
  min: 'Least',
  max: 'Greatest',
  integer: 'Whole numbers only',
  digits: 'Digits behind the point',
  pattern: 'Pattern',
  patternMessage: 'Said of what does not match',
  onDelete: 'When its target goes',
  within: 'Lives within its target',
  inLists: 'In lists',
  countAs: 'Count is called',
  from: 'From',
  on: 'Of the day in',
};

/** `maxLength` → `Max length`. */
export function wordsOf(part: string): string {
  const spaced = part.replace(/([A-Z])/g, ' $1').toLowerCase();
  return words[part] ?? spaced[0]!.toUpperCase() + spaced.slice(1);
}

function wayOf(value: unknown): Way[] {
  if (typeof value !== 'string') return [];
  return [{ value, label: value === '$today' ? 'Today' : wordsOf(value) }];
}

const usualOf = ({ default: usual }: Property) => (typeof usual === 'string' ? wordsOf(usual) : 'Usual');
