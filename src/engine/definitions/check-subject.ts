import type { Definition, Field } from './definition';
import { templateFields } from './labels';
import { at, unknownName, type Fault } from './paths';
import type { Registry } from './registry';
import type { Source } from './source';

/** One definition under examination, among all of them. */
export interface Subject {
  readonly source: Source;
  readonly definition: Definition;
  readonly registry: Registry;
  /** Resources whose own files are broken: references to them are not reported. */
  readonly unread: ReadonlySet<string>;
  readonly faults: Fault[];
}

/** Adds a problem. */
export function fault(subject: Subject, path: string, message: string): void {
  subject.faults.push({ path, message });
}

/** The field with this name; reports a problem if there is none. */
export function needField(subject: Subject, path: string, name: string, of = subject.definition): Field | undefined {
  if (Object.hasOwn(of.fields, name)) return of.fields[name];
  const where = of === subject.definition ? '' : ` in ${of.name}`;
  fault(subject, path, `${unknownName('field', name, Object.keys(of.fields)).replace('.', `${where}.`)}`);
  return undefined;
}

/**
 * Like the above, for a place that shows a value or reveals it by comparing, sorting or joining: a secret field is a
 * problem there.
 */
export function needReadable(subject: Subject, path: string, name: string, of = subject.definition): Field | undefined {
  const field = needField(subject, path, name, of);
  if (!field?.secret) return field;
  fault(
    subject,
    path,
    `"${name}" of ${of.name} is secret: nothing can show it, compare it or depend on it. Use another field.`,
  );
  return undefined;
}

/** The field at the end of a name or of a path through an embed (`user.email`). */
export function needPath(subject: Subject, path: string, written: string): Field | undefined {
  const [first, second] = written.split('.', 2) as [string, string | undefined];
  if (second === undefined) return needReadable(subject, path, first);
  const { fields } = subject.definition;
  const relation = Object.values(fields).find((field) => field.embed === first);
  if (!relation) {
    const embeds = Object.values(fields).flatMap((field) => field.embed ?? []);
    fault(subject, path, unknownName('embed', first, embeds));
    return undefined;
  }
  const target = subject.registry.get(relation.to ?? '');
  if (!target) return undefined;
  const field = needReadable(subject, path, second, target);
  if (field && !isEmbedded(relation, target, second)) {
    fault(
      subject,
      path,
      `The embed "${first}" does not contain "${second}": add it to embedFields of ${relation.name}.`,
    );
  }
  return field;
}

function isEmbedded(relation: Field, target: Definition, name: string): boolean {
  return name === 'id' || templateFields(target.recordTitle).includes(name) || relation.embedFields.includes(name);
}

/** The resource with this name; reports a problem if there is none. */
export function needResource(subject: Subject, path: string, name: string): Definition | undefined {
  const found = subject.registry.get(name);
  if (!found && !subject.unread.has(name))
    fault(subject, path, unknownName('resource', name, subject.registry.definitions.keys()));
  return found;
}

/** The row actions that a card's menu can contain. */
export function knownMenu({ definition }: Subject): string[] {
  return [...definition.list.actions.map((action) => action.name), 'edit', 'view', 'copy', 'delete'];
}

/** Reports a problem for every name in a list that is not a field. */
export function needFields(subject: Subject, path: string, names: readonly string[], of = subject.definition): void {
  names.forEach((name, index) => needField(subject, at(path, index), name, of));
}
