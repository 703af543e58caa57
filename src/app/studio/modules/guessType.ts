import type { Definition, FieldTypeName } from '../../../engine/definitions/definition';
import { type NewFieldForm } from './newModuleForm';

const typePatterns: readonly [RegExp, FieldTypeName][] = [
  [/\b(e-?mail)\b/i, 'email'],
  [/\b(url|website|web page|link)\b/i, 'url'],
  [/\b(phone|mobile|fax)\b/i, 'phone'],
  [/\b(date|day|birthday|deadline|since|until)\b|\b(bought|due|starts?|ends?)( on)?$/i, 'date'],
  [/\b(notes?|description|comments?|remarks?|address)\b/i, 'textarea'],
  [/\b(price|cost|amount|quantity|count|number of|hours|weight|value|total|year|size)\b/i, 'number'],
  [/^(is|has|can) |\b(active|enabled|done)\b|\?$/i, 'boolean'],
  [/\b(photo|picture|image|logo|screenshot)\b/i, 'image'],
  [/\b(status|state|condition|kind|category|level)\b/i, 'select'],
];

/** Guesses a field's type from its label; a label that equals another module's singular name is a relation to it. */
export function guessType(label: string, definitions: Iterable<Definition>): Pick<NewFieldForm, 'type' | 'target'> {
  const searchedLabel = label.trim().toLowerCase();
  const target = [...definitions].find(({ labels }) => labels.one.toLowerCase() === searchedLabel);
  if (target) return { type: 'relation', target: target.name };
  return { type: typePatterns.find(([pattern]) => pattern.test(label))?.[1] ?? 'text', target: '' };
}
