import { useState } from 'react';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { guessType } from './guessType';
import { pluralize, type NewFieldForm, type NewModuleForm } from './newModuleForm';

const blankField = (id: number, label = ''): NewFieldForm => ({
  id,
  label,
  type: 'text',
  required: false,
  options: '',
  to: '',
});

/** The state of the form of a new module. The plural name and the types follow what is typed until they are changed. */
export function useNewModuleForm() {
  const { registry } = useDefinitions();
  const [wish, setWish] = useState<NewModuleForm>({
    one: '',
    many: '',
    icon: 'package',
    group: 'Workspace',
    fields: [{ ...blankField(1, 'Name'), required: true }],
  });
  const [chosen, setChosen] = useState<ReadonlySet<number | 'many'>>(new Set());
  const choose = (what: number | 'many') => setChosen((old) => new Set([...old, what]));
  const set = (change: Partial<NewModuleForm>) => {
    if (change.many !== undefined) choose('many');
    const follows = change.one !== undefined && !chosen.has('many') ? { many: pluralize(change.one) } : {};
    setWish((old) => ({ ...old, ...change, ...follows }));
  };
  const setField = (id: number, change: Partial<NewFieldForm>) => {
    if (change.type !== undefined) choose(id);
    const guessed =
      change.label !== undefined && !chosen.has(id) ? guessType(change.label, registry.definitions.values()) : {};
    setWish((old) => ({
      ...old,
      fields: old.fields.map((field) => (field.id === id ? { ...field, ...guessed, ...change } : field)),
    }));
  };
  /** Adds an empty row after another one and returns its id. */
  const addField = (after: number): number => {
    const id = Math.max(0, ...wish.fields.map((field) => field.id)) + 1;
    const index = wish.fields.findIndex((field) => field.id === after);
    setWish((old) => ({ ...old, fields: old.fields.toSpliced(index + 1, 0, blankField(id)) }));
    return id;
  };
  const removeField = (id: number) =>
    setWish((old) => ({ ...old, fields: old.fields.filter((field) => field.id !== id) }));
  return { wish, set, setField, addField, removeField };
}
