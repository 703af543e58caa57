import type { Module, ModulePlan } from '../../../engine/studio/module';
import { requiredKeys } from '../../../engine/studio/type-keys';
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
  serverErrors: Readonly<Record<string, string>> | null;
  /** The existing module with the same key. */
  existingModule: Module | undefined;
  /** Whether Create was pressed: only then are missing values errors. */
  isSubmitted: boolean;
}

/** The errors of the form, by input. */
export interface NewModuleErrors {
  singular?: string;
  plural?: string;
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
export function newModuleErrors(
  form: NewModuleForm,
  { plan, serverErrors, existingModule, isSubmitted }: ErrorSources,
): NewModuleErrors {
  const errors: NewModuleErrors = { fields: new Map(), count: 0 };
  const labelledRows = labelledFields(form.fields);
  if (isSubmitted) {
    if (form.singular.trim() === '') errors.singular = 'Singular name is required.';
    if (form.plural.trim() === '') errors.plural = 'Plural name is required.';
    else if (moduleKey(form.plural) === '')
      errors.plural = 'The key is made from the letters a to z: use some of them in the name.';
    if (labelledRows.length === 0) errors.noFields = 'Add at least one field.';
    for (const field of labelledRows) {
      const neededKeys = requiredKeys(field.type);
      if (neededKeys.includes('options') && field.options.trim() === '')
        errors.fields.set(field.id, 'Options are required.');
      if (neededKeys.includes('to') && field.target === '')
        errors.fields.set(field.id, 'Choose the module that it points to.');
    }
  }
  if (existingModule)
    errors.plural ??= existingModule.retired
      ? `The retired module ${existingModule.labels.many} has this key: restore or purge it first.`
      : `The module ${existingModule.name} already exists.`;
  const problems = [
    ...(plan?.errors ?? []),
    ...Object.entries(serverErrors ?? {}).map(([path, message]) => ({ path, message })),
  ];
  const byKey = problems.length > 0 ? fieldsByKey(form, buildDefinition(form)) : new Map<string, NewFieldForm>();
  for (const { path, message } of problems) assignError(errors, byKey, path, message, isSubmitted);
  errors.count =
    [errors.singular, errors.plural, errors.menu, errors.noFields, errors.rest].filter(Boolean).length +
    errors.fields.size;
  return errors;
}

function assignError(
  errors: NewModuleErrors,
  byKey: ReadonlyMap<string, NewFieldForm>,
  path: string,
  message: string,
  isSubmitted: boolean,
): void {
  const [, part, name] = path.split('/');
  const field = part === 'fields' ? byKey.get(name ?? '') : undefined;
  if (field) {
    // A row that is still being filled in is not an error yet.
    const pending = requiredKeys(field.type).length > 0 && !isSubmitted;
    if (!pending && !errors.fields.has(field.id)) errors.fields.set(field.id, message);
  } else if (part === 'name' || path === '/labels/many') errors.plural ??= message;
  else if (path === '/labels/one') errors.singular ??= message;
  else if (part === 'menu') errors.menu ??= message;
  else if (isSubmitted && errors.fields.size === 0) errors.rest ??= message;
}
