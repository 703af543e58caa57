import type { AnyRelationField, Definition, Field } from './definition';
import { isAnyRelation } from '../field-types/relation';
import { templateFields } from './labels';
import { joinPointer, unknownNameMessage, type Problem } from './problems';
import type { Registry } from './registry';
import type { Source } from './source';

/** One definition under examination, among all of them. */
export interface CheckSubject {
  readonly source: Source;
  readonly definition: Definition;
  readonly registry: Registry;
  /** Resources whose own files are broken: references to them are not reported. */
  readonly brokenResources: ReadonlySet<string>;
  readonly problems: Problem[];
}

/** Adds a problem. */
export function reportProblem(subject: CheckSubject, path: string, message: string): void {
  subject.problems.push({ path, message });
}

/** The field with this name; reports a problem if there is none. */
export function resolveField(
  subject: CheckSubject,
  path: string,
  name: string,
  of = subject.definition,
): Field | undefined {
  if (Object.hasOwn(of.fields, name)) return of.fields[name];
  const where = of === subject.definition ? '' : ` in ${of.name}`;
  reportProblem(
    subject,
    path,
    `${unknownNameMessage('field', name, Object.keys(of.fields)).replace('.', `${where}.`)}`,
  );
  return undefined;
}

/**
 * Like the above, for a place that shows a value or reveals it by comparing, sorting or joining: a secret field is a
 * problem there.
 */
export function resolveReadableField(
  subject: CheckSubject,
  path: string,
  name: string,
  of = subject.definition,
): Field | undefined {
  const field = resolveField(subject, path, name, of);
  if (!field?.secret) return field;
  reportProblem(
    subject,
    path,
    `"${name}" of ${of.name} is secret: nothing can show it, compare it or depend on it. Use another field.`,
  );
  return undefined;
}

/** The field at the end of a name or of a path through an embed (`user.email`). */
export function resolvePath(subject: CheckSubject, path: string, written: string): Field | undefined {
  const [first, second, ...further] = written.split('.') as [string, string | undefined];
  if (second === undefined) return resolveReadableField(subject, path, first);
  if (further.length > 0) {
    reportProblem(
      subject,
      path,
      `"${written}" leads through more than one embed. Name a field of this record or of one embed.`,
    );
    return undefined;
  }
  const { fields } = subject.definition;
  const relation = Object.values(fields)
    .filter(isAnyRelation)
    .find((field) => field.embed === first);
  if (!relation) {
    const embeds = Object.values(fields).flatMap((field) => field.embed ?? []);
    reportProblem(subject, path, unknownNameMessage('embed', first, embeds));
    return undefined;
  }
  const target = subject.registry.get(relation.to);
  if (!target) return undefined;
  const field = resolveReadableField(subject, path, second, target);
  if (field && !isEmbedded(relation, target, second)) {
    reportProblem(
      subject,
      path,
      `The embed "${first}" does not contain "${second}": add it to embedFields of ${relation.name}.`,
    );
  }
  return field;
}

/** Whether the embed of a relation contains this field of its target. */
export function isEmbedded(relation: AnyRelationField, target: Definition, name: string): boolean {
  return name === 'id' || templateFields(target.recordTitle).includes(name) || relation.embedFields.includes(name);
}

/** The resource with this name; reports a problem if there is none. */
export function resolveResource(subject: CheckSubject, path: string, name: string): Definition | undefined {
  const found = subject.registry.get(name);
  if (!found && !subject.brokenResources.has(name))
    reportProblem(subject, path, unknownNameMessage('resource', name, subject.registry.definitions.keys()));
  return found;
}

/** The row actions that a card's menu can contain. */
export function menuActionNames({ definition }: CheckSubject): string[] {
  return [...definition.list.actions.map((action) => action.name), 'edit', 'view', 'copy', 'delete'];
}

/** Reports a problem for every name in a list that is not a field. */
export function checkFieldNames(
  subject: CheckSubject,
  path: string,
  names: readonly string[],
  of = subject.definition,
): void {
  names.forEach((name, index) => resolveField(subject, joinPointer(path, index), name, of));
}
