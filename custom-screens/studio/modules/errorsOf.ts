import type { Module, ModulePlan } from '../../../src/engine/studio/module';
import { keyOf, labelled, sourceOf, wishesByKey, type FieldWish, type Wish } from './wish';

interface Known {
  plan: ModulePlan | null;
  /** What the server refused, by JSON pointer. */
  refused: Readonly<Record<string, string>> | null;
  /** The module that has the key already. */
  taken: Module | undefined;
  /** Whether it was tried to create it: only then is what is missing an error. */
  tried: boolean;
}

/** What is wrong with a wish, each at its input. */
export interface WishErrors {
  one?: string;
  many?: string;
  menu?: string;
  /** By the rows' ids. */
  fields: Map<number, string>;
  noFields?: string;
  /** What has no input here. */
  rest?: string;
  /** How many there are. */
  count: number;
}

/** What is wrong with a wish: what is missing, what is taken, and what the server found. */
export function errorsOf(wish: Wish, { plan, refused, taken, tried }: Known): WishErrors {
  const errors: WishErrors = { fields: new Map(), count: 0 };
  const named = labelled(wish.fields);
  if (tried) {
    if (wish.one.trim() === '') errors.one = 'One of them needs a name.';
    if (wish.many.trim() === '') errors.many = 'Many of them need a name.';
    else if (keyOf(wish.many) === '') errors.many = 'Its key is made of the letters a to z: write it with some.';
    if (named.length === 0) errors.noFields = 'It needs a field.';
    for (const field of named) {
      if (field.type === 'select' && field.options.trim() === '')
        errors.fields.set(field.id, 'It needs options to choose from.');
      if ((field.type === 'relation' || field.type === 'relations') && field.to === '')
        errors.fields.set(field.id, 'It needs the module that it points to.');
    }
  }
  if (taken)
    errors.many ??= taken.retired
      ? `${taken.labels.many} has this key and is retired: bring it back, or purge it first.`
      : `There is a module ${taken.name} already.`;
  const found = [
    ...(plan?.errors ?? []),
    ...Object.entries(refused ?? {}).map(([path, message]) => ({ path, message })),
  ];
  const byKey = found.length > 0 ? wishesByKey(wish, sourceOf(wish)) : new Map<string, FieldWish>();
  for (const { path, message } of found) place(errors, byKey, path, message, tried);
  errors.count =
    [errors.one, errors.many, errors.menu, errors.noFields, errors.rest].filter(Boolean).length + errors.fields.size;
  return errors;
}

function place(
  errors: WishErrors,
  byKey: ReadonlyMap<string, FieldWish>,
  path: string,
  message: string,
  tried: boolean,
): void {
  const [, part, name] = path.split('/');
  const field = part === 'fields' ? byKey.get(name ?? '') : undefined;
  if (field) {
    // A row that is still being filled in is no error yet.
    const pending = ['select', 'relation', 'relations'].includes(field.type) && !tried;
    if (!pending && !errors.fields.has(field.id)) errors.fields.set(field.id, message);
  } else if (part === 'name' || path === '/labels/many') errors.many ??= message;
  else if (path === '/labels/one') errors.one ??= message;
  else if (part === 'menu') errors.menu ??= message;
  else if (tried && errors.fields.size === 0) errors.rest ??= message;
}
