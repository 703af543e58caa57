import { fieldTypeOf } from '../field-types';
import { isInverse } from '../field-types/inverse';
import { isAnyRelation } from '../field-types/relation';
import { isRows } from '../field-types/rows';
import { resolveTemplateName } from '../print/resolve-name';
import { parseTemplate, type TemplatePart } from '../print/template';
import { reportProblem, type CheckSubject } from './check-context';
import { isEmbedded } from '../registry/path-fields';
import type { Definition, Field } from '../definitions/definition';
import { templateFields } from '../definitions/labels';
import { joinPointer, unknownNameMessage } from '../definitions/problems';
import { itemAt } from '../values/lookups';

/** A definition whose fields a part of the template can name, how its records come into the response, and what is around it. */
interface Scope {
  readonly definition: Definition;
  readonly containerField?: Field;
  readonly outer?: Scope;
}

/** Checks the printed page: its template must be well formed, and its names must be in the response of a record. */
export function checkPrint(subject: CheckSubject): void {
  const { print } = subject.definition;
  if (!print) return;
  const report = (name: string, message: string) => reportProblem(subject, pointerTo(print.template, name), message);
  let parts: readonly TemplatePart[];
  try {
    parts = parseTemplate(print.template);
  } catch (error) {
    return reportProblem(
      subject,
      '/print/template',
      `${(error as Error).message} A section begins with {#name} or {^name} and ends with {/name}.`,
    );
  }
  checkParts(subject, parts, { definition: subject.definition }, report);
}

type Report = (name: string, message: string) => void;

function checkParts(subject: CheckSubject, parts: readonly TemplatePart[], scope: Scope, report: Report): void {
  for (const part of parts) {
    if (part.kind === 'text') continue;
    const inner = checkPath(subject, part.path, scope, report);
    if (part.kind === 'section') checkParts(subject, part.parts, part.isMissing ? scope : (inner ?? scope), report);
  }
}

/** Checks a path; returns the scope of a section over it, if it leads to records. */
function checkPath(subject: CheckSubject, path: string, scope: Scope, report: Report): Scope | undefined {
  const { registry } = subject;
  const [first, ...rest] = path.split('.') as [string, ...string[]];
  let current: Scope | undefined = scope;
  while (current && !resolveTemplateName(current.definition, first, registry)) current = current.outer;
  if (!current) {
    const names = Object.values(scope.definition.fields).flatMap(({ name, embed }) => (embed ? [name, embed] : name));
    report(path, unknownNameMessage('field or embed', first, names));
    return undefined;
  }
  for (const [index, name] of [first, ...rest].entries()) {
    const templateName = resolveTemplateName(current.definition, name, registry);
    if (!templateName) {
      report(path, unknownNameMessage('field', name, Object.keys(current.definition.fields)));
      return undefined;
    }
    const { field, records } = templateName;
    const problem = problemOf(field, current);
    if (problem !== undefined) report(path, problem);
    if (!records) {
      if (index < rest.length)
        report(path, `"${name}" has no fields of its own: name an embed before "${itemAt(rest, index)}".`);
      return undefined;
    }
    current = { definition: records, containerField: field, outer: scope };
  }
  return current;
}

/** The reason why a field is not in the response of a record, with the remedy. */
function problemOf(field: Field, { definition, containerField }: Scope): string | undefined {
  const { name } = field;
  if (field.secret || fieldTypeOf(field).isPrivate)
    return `"${name}" of ${definition.name} is never shown: use another field.`;
  if (!containerField || isRows(containerField)) return undefined;
  if (isAnyRelation(containerField))
    return isEmbedded(containerField, definition, name)
      ? undefined
      : `The embed "${containerField.embed}" does not contain "${name}": add it to embedFields of ${containerField.name}.`;
  if (!isInverse(containerField)) return undefined;
  const shownNames = [...containerField.showFields, ...templateFields(definition.recordTitle), 'id'];
  return shownNames.includes(name) || (field.embed !== undefined && shownNames.includes(field.embed))
    ? undefined
    : `"${containerField.name}" does not contain "${name}": add it to show of ${containerField.name}.`;
}

/** The place of the first line that has a name. */
function pointerTo(template: string, name: string): string {
  const line = template
    .split('\n')
    .findIndex((text) => new RegExp(`\\{[#^]?${name.replaceAll('.', '\\.')}\\}`).test(text));
  return joinPointer('/print/template', Math.max(line, 0));
}
