import { useState } from 'react';
import { useDefinitions } from '../../data/DefinitionsContext';
import { pluralize, type NewFieldForm, type NewModuleForm } from './newModuleForm';
import type { Definition, FieldTypeName } from '../../../engine/definitions/definition';

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

const blankField = (id: number, label = ''): NewFieldForm => ({
  id,
  label,
  type: 'text',
  isRequired: false,
  options: '',
  target: '',
});

/** The state of the form of a new module. The plural name and the types follow what is typed until they are changed. */
export function useNewModuleForm() {
  const { registry } = useDefinitions();
  const [form, setForm] = useState<NewModuleForm>({
    singular: '',
    plural: '',
    icon: 'package',
    group: 'Workspace',
    fields: [{ ...blankField(1, 'Name'), isRequired: true }],
  });
  const [chosenParts, setChosenParts] = useState<ReadonlySet<number | 'plural'>>(new Set());
  const choose = (part: number | 'plural') => setChosenParts((partsBefore) => new Set([...partsBefore, part]));
  const set = (change: Partial<NewModuleForm>) => {
    if (change.plural !== undefined) choose('plural');
    const derivedNames =
      change.singular !== undefined && !chosenParts.has('plural') ? { plural: pluralize(change.singular) } : {};
    setForm((formBefore) => ({ ...formBefore, ...change, ...derivedNames }));
  };
  const setField = (id: number, change: Partial<NewFieldForm>) => {
    if (change.type !== undefined) choose(id);
    const guessed =
      change.label !== undefined && !chosenParts.has(id) ? guessType(change.label, registry.definitions.values()) : {};
    setForm((formBefore) => ({
      ...formBefore,
      fields: formBefore.fields.map((field) => (field.id === id ? { ...field, ...guessed, ...change } : field)),
    }));
  };
  /** Adds an empty row after another one and returns its id. */
  const addField = (precedingId: number): number => {
    const id = Math.max(0, ...form.fields.map((field) => field.id)) + 1;
    const index = form.fields.findIndex((field) => field.id === precedingId);
    setForm((formBefore) => ({ ...formBefore, fields: formBefore.fields.toSpliced(index + 1, 0, blankField(id)) }));
    return id;
  };
  const removeField = (id: number) =>
    setForm((formBefore) => ({ ...formBefore, fields: formBefore.fields.filter((field) => field.id !== id) }));
  return { wish: form, set, setField, addField, removeField };
}
