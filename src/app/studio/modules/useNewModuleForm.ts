import { useState } from 'react';
import { useDefinitions } from '../../data/DefinitionsContext';
import { guessType } from './guessType';
import { pluralize, type NewFieldForm, type NewModuleForm } from './newModuleForm';

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
