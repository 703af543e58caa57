import { isInverse } from '../field-types/inverse';
import { isRelations } from '../field-types/relations';
import { isRows } from '../field-types/rows';
import type { Definition } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';
import { reportProblem, type CheckSubject } from './check-context';
import type { FieldSource } from '../language/source';
import { systemFields } from '../normalise/system-fields';
import { ownProperty } from '../values/lookups';

/** First path segments that the program uses itself. */
const reservedPaths = new Set([
  'login',
  'logout',
  'register',
  'me',
  'health',
  'docs',
  'events',
  'definitions',
  'modules',
  'permissions',
  'module-permissions',
  'module-drafts',
  'grid-configurations',
  'sign-ins',
  'demo-accounts',
  'forgot-password',
  'reset-password',
  'resend-invitation',
  'send-reset-link',
  'profile',
  'notifications',
  'auth',
  'assay',
  'choices',
  'restore',
  'history',
  'constructor',
  'prototype',
  'api',
  'static',
  'export-progress',
  'files',
  'openapi',
  'confirm-address',
  'resend-confirmation',
  'studio',
  'view-as',
  'jobs',
  'outbox',
  'rotate-keys',
  'shared-records',
  'public-forms',
  'form',
  'code-owner',
  'search',
]);

/** Whether the program itself uses paths with this first segment. */
export function isReservedPath(first: string): boolean {
  return reservedPaths.has(first);
}

/** Names that mean something in a query or in the program itself. */
const reservedFields = new Set([
  'filter',
  'sort',
  'sort_by',
  'where',
  'group_by',
  'closed_groups',
  'range',
  'q',
  'fields',
  'envelope',
  'archive',
  'archived_at',
  'archived_with',
  'deleted_at',
  'choices',
  'restore',
  'history',
]);

/** Columns that PostgreSQL gives every table, and one that it once did. */
const postgresColumns = new Set(['tableoid', 'ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'oid']);

/** The longest name that PostgreSQL does not truncate. */
const maxNameLength = 63;

/** Checks names against those that the program, JavaScript and PostgreSQL keep for themselves. */
export function checkNames(subject: CheckSubject): void {
  const { source, definition } = subject;
  if (reservedPaths.has(source.name)) reportProblem(subject, '/name', `"${source.name}" is reserved by the program.`);
  else if (isReservedResource(source.name))
    reportProblem(subject, '/name', `"${source.name}" is reserved by the database.`);
  checkFormerNames(subject);
  const system = systemFields(source);
  for (const [name, field] of Object.entries(source.fields)) {
    const path = joinPointer('/fields', name);
    if (Object.hasOwn(system, name)) checkSystemField(subject, path, field);
    else if (postgresColumns.has(name)) reportProblem(subject, path, `"${name}" is reserved by the database.`);
    else if (isReservedName(name)) reportProblem(subject, path, `"${name}" is reserved by the program.`);
    const bound = /^(.+)_(from|to)$/.exec(name)?.[1];
    if (bound !== undefined && Object.hasOwn(source.fields, bound)) {
      reportProblem(subject, path, `"${name}" is reserved for range filters on "${bound}". Choose another name.`);
    }
    // A field whose name is refused may be missing.
    const storedField = ownProperty(definition.fields, name);
    if (
      storedField &&
      (isRelations(storedField) || isRows(storedField)) &&
      `${definition.table}__${name}`.length > maxNameLength
    ) {
      reportProblem(
        subject,
        path,
        `The names of the resource and of this field are too long together: at most ${maxNameLength - 2} characters.`,
      );
    }
    if (field.formerName !== undefined && Object.hasOwn(source.fields, field.formerName)) {
      reportProblem(subject, joinPointer(path, 'formerName'), `A field "${field.formerName}" still exists.`);
    } else if (
      field.formerName !== undefined &&
      (Object.hasOwn(system, field.formerName) || postgresColumns.has(field.formerName))
    ) {
      reportProblem(
        subject,
        joinPointer(path, 'formerName'),
        `"${field.formerName}" is not a field of this definition.`,
      );
    }
  }
  for (const kind of ['parameters', 'requests'] as const) {
    for (const name of Object.keys(source[kind] ?? {})) {
      if (isReservedName(name))
        reportProblem(subject, joinPointer(`/${kind}`, name), `"${name}" is reserved by the program.`);
    }
  }
  checkSimilarNames(subject);
  checkEmbedNames(subject, definition);
}

/**
 * A table follows the name that it had, so nobody else may claim that name while a definition still states it. The
 * fault is reported on both sides: only the one who knows which text is new can tell which one gives way.
 */
function checkFormerNames(subject: CheckSubject): void {
  const { source, registry } = subject;
  const otherDefinitions = [...registry.definitions.values()].filter(({ name }) => name !== source.name);
  const successor = otherDefinitions.find(({ formerName }) => formerName === source.name);
  if (successor)
    reportProblem(
      subject,
      '/name',
      `"${source.name}" is the former name of "${successor.name}". Choose another name, or remove "formerName" from "${successor.name}" first.`,
    );
  if (source.formerName === undefined) return;
  const rival = otherDefinitions.find(({ formerName }) => formerName === source.formerName);
  if (source.formerName === source.name) reportProblem(subject, '/formerName', 'This is already the current name.');
  else if (registry.get(source.formerName))
    reportProblem(subject, '/formerName', `A resource "${source.formerName}" still exists.`);
  else if (rival)
    reportProblem(subject, '/formerName', `"${source.formerName}" is already the former name of "${rival.name}".`);
}

/** Whether a resource name is reserved by the program's own paths or by the database. */
export function isReservedResource(name: string): boolean {
  return reservedPaths.has(name) || /^(pg|sql)-|^information-schema$/.test(name);
}

/** Names that differ only in upper and lower case are distinct for the program, but confusing for people. */
function checkSimilarNames(subject: CheckSubject): void {
  const namesByLowerCase = new Map<string, string>();
  for (const name of Object.keys(subject.source.fields)) {
    const similarName = namesByLowerCase.get(name.toLowerCase());
    if (similarName !== undefined)
      reportProblem(
        subject,
        joinPointer('/fields', name),
        `"${name}" and "${similarName}" differ only in upper and lower case.`,
      );
    namesByLowerCase.set(name.toLowerCase(), name);
  }
}

/** Whether a name means something in a query, in the database or in the program itself. */
export function isReservedName(name: string): boolean {
  return reservedFields.has(name) || postgresColumns.has(name) || name in Object.prototype;
}

const presentation = new Set([
  'label',
  'help',
  'embed',
  'embedFields',
  'sortable',
  'filterable',
  'width',
  'secret',
  'required',
]);

function checkSystemField(subject: CheckSubject, path: string, field: FieldSource): void {
  for (const key of Object.keys(field)) {
    if (presentation.has(key)) continue;
    reportProblem(
      subject,
      joinPointer(path, key),
      `This is a system field; only its presentation can be changed (${[...presentation].join(', ')}).`,
    );
  }
}

/** Embeds and counts are properties of the response beside fields, so their names must be unique. */
function checkEmbedNames(subject: CheckSubject, definition: Definition): void {
  const owners = new Map(Object.keys(definition.fields).map((name) => [name, name]));
  for (const field of Object.values(definition.fields)) {
    const extraNames: (readonly [key: string, name: string | undefined])[] =
      isInverse(field) || isRows(field)
        ? [
            ['countName', field.countName],
            ['sum', field.sum?.name],
          ]
        : [['embed', field.embed]];
    for (const [key, name] of extraNames) {
      if (name === undefined || name === field.name) continue;
      const owner = owners.get(name);
      if (owner !== undefined) {
        reportProblem(
          subject,
          joinPointer('/fields', field.name, key),
          `"${name}" is already used by the field "${owner}".`,
        );
      }
      owners.set(name, field.name);
    }
  }
}
