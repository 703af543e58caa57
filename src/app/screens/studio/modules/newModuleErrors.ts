import type { Module, ModulePlan } from '../../../../engine/studio/module';
import { requiredKeys } from '../../../../engine/studio/type-keys';
import {
  moduleKey,
  labelledFields,
  buildDefinition,
  fieldsByKey,
  type NewFieldForm,
  type NewModuleForm,
} from './newModuleForm';

interface ErrorSources {
  plan: ModulePlan | null;
  /** Errors of the refused request, by JSON pointer. */
  refused: Readonly<Record<string, string>> | null;
  /** The existing module with the same key. */
  taken: Module | undefined;
  /** Whether Create was pressed: only then are missing values errors. */
  tried: boolean;
}

/** The errors of the form, by input. */
export interface NewModuleErrors {
  one?: string;
  many?: string;
  menu?: string;
  /** By the ids of the rows. */
  fields: Map<number, string>;
  noFields?: string;
  /** An error that belongs to no input. */
  rest?: string;
  /** The number of errors. */
  count: number;
}

/** The errors of a new module: missing values, a key that is taken, and those that the server found. */
export function newModuleErrors(wish: NewModuleForm, { plan, refused, taken, tried }: ErrorSources): NewModuleErrors {
  const errors: NewModuleErrors = { fields: new Map(), count: 0 };
  const named = labelledFields(wish.fields);
  if (tried) {
    if (wish.one.trim() === '') errors.one = 'Singular name is required.';
    if (wish.many.trim() === '') errors.many = 'Plural name is required.';
    else if (moduleKey(wish.many) === '')
      errors.many = 'The key is made from the letters a to z: use some of them in the name.';
    if (named.length === 0) errors.noFields = 'Add at least one field.';
    for (const field of named) {
      const needed = requiredKeys(field.type);
      if (needed.includes('options') && field.options.trim() === '')
        errors.fields.set(field.id, 'Options are required.');
      if (needed.includes('to') && field.to === '') errors.fields.set(field.id, 'Choose the module that it points to.');
    }
  }
  if (taken)
    errors.many ??= taken.retired
      ? `The retired module ${taken.labels.many} has this key: restore or purge it first.`
      : `The module ${taken.name} already exists.`;
  const found = [
    ...(plan?.errors ?? []),
    ...Object.entries(refused ?? {}).map(([path, message]) => ({ path, message })),
  ];
  const byKey = found.length > 0 ? fieldsByKey(wish, buildDefinition(wish)) : new Map<string, NewFieldForm>();
  for (const { path, message } of found) assignError(errors, byKey, path, message, tried);
  errors.count =
    [errors.one, errors.many, errors.menu, errors.noFields, errors.rest].filter(Boolean).length + errors.fields.size;
  return errors;
}

function assignError(
  errors: NewModuleErrors,
  byKey: ReadonlyMap<string, NewFieldForm>,
  path: string,
  message: string,
  tried: boolean,
): void {
  const [, part, name] = path.split('/');
  const field = part === 'fields' ? byKey.get(name ?? '') : undefined;
  if (field) {
    // A row that is still being filled in is not an error yet.
    const pending = requiredKeys(field.type).length > 0 && !tried;
    if (!pending && !errors.fields.has(field.id)) errors.fields.set(field.id, message);
  } else if (part === 'name' || path === '/labels/many') errors.many ??= message;
  else if (path === '/labels/one') errors.one ??= message;
  else if (part === 'menu') errors.menu ??= message;
  else if (tried && errors.fields.size === 0) errors.rest ??= message;
}
