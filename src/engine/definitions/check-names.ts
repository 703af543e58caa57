import type { Definition } from './definition';
import { at } from './paths';
import { fault, type Subject } from './check-subject';
import type { FieldSource } from './source';
import { systemFields } from './system-fields';

/** First steps of paths that the program answers itself. */
const takenResources = new Set([
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
  'grid-configurations',
  'sign-ins',
  'demo-accounts',
  'forgot-password',
  'reset-password',
  'resend-invitation',
  'send-reset-link',
  'profile',
  'notifications',
  'dashboard',
  'timesheet',
  'auth',
  'testcase',
  'flow-setup-steps',
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
  'sharable-test-case',
  'task-analytics',
  'test-case-analytics',
  'test-case-history',
  'studio',
  'view-as',
  'jobs',
  'outbox',
  'rotate-keys',
  'shared-records',
  'code-owner',
]);

/** Whether the program answers paths that begin so itself. */
export function isTakenPath(first: string): boolean {
  return takenResources.has(first);
}

/** Names that mean something in a query or in the program itself. */
const takenFields = new Set([
  'filter',
  'sort',
  'sort_by',
  'range',
  'q',
  'fields',
  'archive',
  'archived_at',
  'archived_with',
  'deleted_at',
  'choices',
  'restore',
  'history',
]);

/** Columns that PostgreSQL gives every table, and one that it once did. */
const tableOwn = new Set(['tableoid', 'ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'oid']);

/** Longest name that PostgreSQL keeps whole. */
const longestName = 63;

/** Checks names against those that the program, JavaScript and PostgreSQL keep for themselves. */
export function checkNames(subject: Subject): void {
  const { source, definition } = subject;
  if (takenResources.has(source.name))
    fault(subject, '/name', `"${source.name}" is a name that the program keeps for itself.`);
  else if (isTakenResource(source.name))
    fault(subject, '/name', `"${source.name}" is a name that the database keeps for itself.`);
  if (source.was === source.name) fault(subject, '/was', 'This is the present name.');
  else if (source.was !== undefined && subject.registry.get(source.was))
    fault(subject, '/was', `There still is a resource "${source.was}".`);
  const system = systemFields(source);
  for (const [name, field] of Object.entries(source.fields)) {
    const path = at('/fields', name);
    if (Object.hasOwn(system, name)) checkSystemField(subject, path, field);
    else if (tableOwn.has(name)) fault(subject, path, `"${name}" is a name that the database keeps for itself.`);
    else if (isTaken(name)) fault(subject, path, `"${name}" is a name that the program keeps for itself.`);
    const bound = /^(.+)_(from|to)$/.exec(name)?.[1];
    if (bound !== undefined && Object.hasOwn(source.fields, bound)) {
      fault(subject, path, `"${name}" is how filters ask for a range of "${bound}"; choose another name.`);
    }
    if (field.type === 'relations' && `${definition.table}__${name}`.length > longestName) {
      fault(
        subject,
        path,
        `The names of the resource and of this field are too long together (${longestName - 2} at most).`,
      );
    }
    if (field.was !== undefined && Object.hasOwn(source.fields, field.was)) {
      fault(subject, at(path, 'was'), `There still is a field "${field.was}".`);
    } else if (field.was !== undefined && (Object.hasOwn(system, field.was) || tableOwn.has(field.was))) {
      fault(subject, at(path, 'was'), `"${field.was}" is no field of yours.`);
    }
  }
  for (const kind of ['parameters', 'requests'] as const) {
    for (const name of Object.keys(source[kind] ?? {})) {
      if (isTaken(name)) fault(subject, at(`/${kind}`, name), `"${name}" is a name that the program keeps for itself.`);
    }
  }
  checkLookalikes(subject);
  checkEmbedNames(subject, definition);
}

/** Whether the program, which answers some paths itself, or the database keeps a resource's name for itself. */
export function isTakenResource(name: string): boolean {
  return takenResources.has(name) || /^(pg|sql)-|^information-schema$/.test(name);
}

/** Names that differ in the case of letters alone are told apart by the program, and by nobody else. */
function checkLookalikes(subject: Subject): void {
  const seen = new Map<string, string>();
  for (const name of Object.keys(subject.source.fields)) {
    const other = seen.get(name.toLowerCase());
    if (other !== undefined)
      fault(subject, at('/fields', name), `"${name}" and "${other}" differ in the case of letters alone.`);
    seen.set(name.toLowerCase(), name);
  }
}

/** Whether a name means something in a query, in the database or in the program itself. */
export function isTaken(name: string): boolean {
  return takenFields.has(name) || tableOwn.has(name) || name in Object.prototype;
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

function checkSystemField(subject: Subject, path: string, field: FieldSource): void {
  for (const key of Object.keys(field)) {
    if (presentation.has(key)) continue;
    fault(
      subject,
      at(path, key),
      `This field is always there; only how it shows can be changed (${[...presentation].join(', ')}).`,
    );
  }
}

/** Embeds and counts stand beside fields in answers, so that no two may share a name. */
function checkEmbedNames(subject: Subject, definition: Definition): void {
  const owners = new Map(Object.keys(definition.fields).map((name) => [name, name]));
  for (const field of Object.values(definition.fields)) {
    const beside: (readonly [key: string, name: string | undefined])[] =
      field.type === 'inverse'
        ? [
            ['countAs', field.countAs],
            ['sum', field.sum?.name],
          ]
        : [['embed', field.embed]];
    for (const [key, name] of beside) {
      if (name === undefined || name === field.name) continue;
      const owner = owners.get(name);
      if (owner !== undefined) {
        fault(
          subject,
          at('/fields', field.name, key),
          `"${name}" is already the name of, or beside, the field "${owner}".`,
        );
      }
      owners.set(name, field.name);
    }
  }
}
