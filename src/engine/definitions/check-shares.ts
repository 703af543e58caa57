import { fault, needReadable, type Subject } from './check-subject';
import type { Definition, Field, FieldTypeName } from './definition';
import { at } from './paths';

/** Paths of the program itself. */
const reserved: ReadonlySet<string> = new Set(['api', 'assets', 'auth']);
/** What means something to the signed-in application alone. */
const closed: ReadonlySet<FieldTypeName> = new Set(['password', 'permissions', 'json', 'inverse', 'shareLink', 'icon']);

/** Whether a field of a type may be shown to visitors. */
export const isSharable = (type: FieldTypeName): boolean => !closed.has(type);

/** The share link of a resource's records; undefined where they have none. */
export function shareLinkOf({ fields }: Definition): Field | undefined {
  return Object.values(fields).find(({ type }) => type === 'shareLink');
}

/** Checks a share link: one a record, at a path of its own, and what a visitor reads there. */
export function checkShares(subject: Subject, path: string, field: Field): void {
  const { definition, registry, source } = subject;
  if (field.type !== 'shareLink') {
    const { path: written, shares } = source.fields[field.name] ?? {};
    if (written !== undefined) fault(subject, at(path, 'path'), 'Only a shareLink has a path.');
    if (shares !== undefined) fault(subject, at(path, 'shares'), 'Only a shareLink shares fields.');
    return;
  }
  const first = shareLinkOf(definition)!;
  if (first !== field) return fault(subject, path, `"${first.name}" is a share link already; a record has one.`);
  if (reserved.has(field.path!))
    fault(subject, at(path, 'path'), `"${field.path}" is a path of the program itself. Choose another one.`);
  const owner = [...registry.definitions.values()].find((one) => shareLinkOf(one)?.path === field.path);
  if (owner && owner.name !== definition.name)
    fault(subject, at(path, 'path'), `Links of ${owner.name} begin with "${field.path}" already. Choose another path.`);
  field.shares.forEach((name, index) => {
    const shared = needReadable(subject, at(path, 'shares', index), name);
    if (!shared) return;
    if (!isSharable(shared.type))
      fault(subject, at(path, 'shares', index), `A visitor cannot read "${name}": it is of type ${shared.type}.`);
    else if (shared.virtual || typeof shared.computed === 'object')
      fault(
        subject,
        at(path, 'shares', index),
        `A visitor cannot read "${name}": it is made for whoever is signed in.`,
      );
  });
}
