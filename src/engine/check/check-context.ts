import type { Definition, Field } from '../definitions/definition';
import { isEmbedded, isEmbedPath, isSingleValue, maxPathLength, relationAt } from '../registry/path-fields';
import { fieldTypeOf } from '../field-types';
import { isAnyRelation, isStoredRelation } from '../field-types/relation';
import { patternProblem } from '../patterns/compile-pattern';
import { findViolation } from '../validation/find-violation';
import { unknownNameMessage, type Problem } from '../definitions/problems';
import type { Registry } from '../registry/registry';
import type { Source } from '../language/source';
import { lastOf } from '../values/lookups';

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
  definition = subject.definition,
): Field | undefined {
  if (Object.hasOwn(definition.fields, name)) return definition.fields[name];
  const suffix = definition === subject.definition ? '' : ` in ${definition.name}`;
  reportProblem(
    subject,
    path,
    `${unknownNameMessage('field', name, Object.keys(definition.fields)).replace('.', `${suffix}.`)}`,
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
  definition = subject.definition,
): Field | undefined {
  const field = resolveField(subject, path, name, definition);
  if (!field?.secret) return field;
  reportProblem(
    subject,
    path,
    `"${name}" of ${definition.name} is secret: nothing can show it, compare it or depend on it. Use another field.`,
  );
  return undefined;
}

/** The field at the end of a name or of a path through an embed (`user.email`). */
export function resolvePath(subject: CheckSubject, path: string, fieldPath: string): Field | undefined {
  const [first, second, ...extraSteps] = fieldPath.split('.') as [string, string | undefined];
  if (second === undefined) return resolveReadableField(subject, path, first);
  if (extraSteps.length > 0) {
    reportProblem(
      subject,
      path,
      `"${fieldPath}" leads through more than one embed. Name a field of this record or of one embed, or make it a field of type lookup.`,
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

/**
 * The field at the end of a name or path that a list shows: of this record, of an embed, or of a record that several
 * relations lead to. A value that is compared (sorted or filtered by) needs no embed.
 */
export function resolveListPath(
  subject: CheckSubject,
  path: string,
  fieldPath: string,
  use: 'shown' | 'compared' = 'shown',
): Field | undefined {
  const { definition: source, registry } = subject;
  if (!fieldPath.includes('.')) return resolveReadableField(subject, path, fieldPath);
  if (use === 'shown' && isEmbedPath(fieldPath, source, registry.definitions))
    return resolvePath(subject, path, fieldPath);
  const report = (message: string) => {
    reportProblem(subject, path, message);
    return undefined;
  };
  if (fieldPath.length > maxPathLength)
    return report(
      `"${fieldPath}" has more than ${maxPathLength} characters. Make it a field of type lookup, with a shorter name.`,
    );
  const steps = fieldPath.split('.');
  let definition = source;
  for (const step of steps.slice(0, -1)) {
    const relation = relationAt(definition, step);
    const suffix = definition === source ? '' : ` in ${definition.name}`;
    if (!relation) {
      const names = Object.values(definition.fields).flatMap((field) =>
        isAnyRelation(field) ? [field.embed ?? field.name] : [],
      );
      return report(unknownNameMessage('embed', step, names).replace('.', `${suffix}.`));
    }
    if (!isStoredRelation(relation))
      return report(
        `"${step}" in "${fieldPath}" does not lead to one record, but to several, or it is computed. A list has one value for each record: take a rollup instead, or a relation to one record.`,
      );
    const target = registry.get(relation.to);
    if (!target) return undefined;
    definition = target;
  }
  const field = resolveReadableField(subject, path, lastOf(steps), definition);
  if (!field || isSingleValue(field)) return field && (source.fields[fieldPath] ?? field);
  const remedy = isAnyRelation(field) ? ` Name a field of it, such as "${fieldPath}.name".` : '';
  return report(`"${fieldPath}" is of type ${field.type}, which is not a single value.${remedy}`);
}

/** The resource with this name; reports a problem if there is none. */
export function resolveResource(subject: CheckSubject, path: string, name: string): Definition | undefined {
  const definition = subject.registry.get(name);
  if (!definition && !subject.brokenResources.has(name))
    reportProblem(subject, path, unknownNameMessage('resource', name, subject.registry.definitions.keys()));
  return definition;
}

/**
 * Whether a value breaks the rules of a field. A pattern that is no regular expression, which is reported where it is
 * written, breaks none.
 */
export function breaksField(field: Field, value: unknown): boolean {
  if (field.pattern !== undefined && patternProblem(field.pattern) !== undefined) return false;
  const { schema, parse } = fieldTypeOf(field);
  return findViolation(schema(field), parse(value, field)) !== undefined;
}
