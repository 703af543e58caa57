import { fault, needReadable, type Subject } from './check-subject';
import type { Definition, Field, FieldTypeName } from './definition';
import { at } from './paths';

/** Paths of the program itself. */
const reserved: ReadonlySet<string> = new Set(['api', 'assets', 'auth']);
/** Field types that are only useful to signed-in users. */
const closed: ReadonlySet<FieldTypeName> = new Set(['password', 'permissions', 'json', 'inverse', 'shareLink', 'icon']);

/** Whether a field of this type can be shown to visitors. */
export const isSharable = (type: FieldTypeName): boolean => !closed.has(type);

/** The share-link field of a resource; undefined if it has none. */
export function shareLinkOf({ fields }: Definition): Field | undefined {
  return Object.values(fields).find(({ type }) => type === 'shareLink');
}

/** Checks a share link: one per record, a path of its own, and the fields shown to visitors. */
export function checkShares(subject: Subject, path: string, field: Field): void {
  const { definition, registry, source } = subject;
  if (field.type !== 'shareLink') {
    const { path: written, shares } = source.fields[field.name] ?? {};
    if (written !== undefined) fault(subject, at(path, 'path'), 'Only a shareLink has a path.');
    if (shares !== undefined) fault(subject, at(path, 'shares'), 'Only a shareLink can share fields.');
    return;
  }
  const first = shareLinkOf(definition)!;
  if (first !== field)
    return fault(subject, path, `"${first.name}" is already a share link; a record can have only one.`);
  if (reserved.has(field.path!))
    fault(subject, at(path, 'path'), `The path "${field.path}" is reserved by the program. Choose another path.`);
  const owner = [...registry.definitions.values()].find((one) => shareLinkOf(one)?.path === field.path);
  if (owner && owner.name !== definition.name)
    fault(subject, at(path, 'path'), `Links of ${owner.name} already start with "${field.path}". Choose another path.`);
  field.shares.forEach((name, index) => {
    const shared = needReadable(subject, at(path, 'shares', index), name);
    if (!shared) return;
    if (!isSharable(shared.type))
      fault(subject, at(path, 'shares', index), `A visitor cannot read "${name}": it is of type ${shared.type}.`);
    else if (shared.virtual || typeof shared.computed === 'object')
      fault(
        subject,
        at(path, 'shares', index),
        `A visitor cannot read "${name}": its value depends on who is signed in.`,
      );
  });
}
