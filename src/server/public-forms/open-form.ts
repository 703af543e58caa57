import { Level } from '../../engine/definitions/level';
import { placeholderUserId, type Actor } from '../../engine/access/actor';
import type { Action, Definition, Field, PublicForm } from '../../engine/definitions/definition';
import { normalise } from '../../engine/normalise/normalise';
import { isFiles } from '../../engine/field-types/files';
import { isAnyRelation } from '../../engine/field-types/relation';
import { RequestContext } from '../access/request-context';
import { onEngineTables } from '../database/engine-tables';
import { NotFound } from '../errors/errors';
import type { Program } from '../program';
import { propertyOf } from '../../engine/values/lookups';

/** How many files a visitor can send with a form. */
export const maxFormFiles = 5;
/** The size of each of them at most, in bytes. */
export const maxFormFile = 5 * 1024 * 1024;

/** An open public form: its address, and the context in which whoever has the address acts. */
export interface OpenForm {
  readonly id: number;
  readonly company: number;
  readonly definition: Definition;
  readonly form: PublicForm;
  readonly context: RequestContext;
}

/** The form at a key. Throws NotFound for one that is unknown or revoked, or that the definition no longer has. */
export async function findOpenForm(program: Program, key: string, zone?: string): Promise<OpenForm> {
  if (!/^[\w-]{20,100}$/.test(key)) throw new NotFound();
  const row = await onEngineTables(program.database.kysely)
    .selectFrom('public_forms')
    .select(['id', 'resource', 'site_id'])
    .where('key', '=', key)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  const definition = row && program.definitions.registry().get(row.resource);
  const form = definition?.public?.create;
  if (!row || !definition || !form) throw new NotFound();
  const context = new RequestContext(program, visitorOf(definition, form, row.site_id), zone);
  return { id: row.id, company: row.site_id, definition, form, context };
}

/**
 * A visitor without an account: of the level that sees least, in the company of the form, with the grant to create its
 * records and to choose what the form and its fixed values name.
 */
function visitorOf(definition: Definition, form: PublicForm, company: number): Actor {
  const names = [...form.fields, ...Object.keys(form.values)];
  const targets = names.flatMap((name) => {
    const field = definition.fields[name];
    return field && isAnyRelation(field) ? [field.to] : [];
  });
  const listGrants = targets.map((name): [string, readonly Action[]] => [name, ['list']]);
  const permissions = { ...Object.fromEntries(listGrants), [definition.name]: ['create'] as const };
  return { id: placeholderUserId, role_id: 0, level: Level.External, site_id: company, permissions };
}

/** The definition that a visitor's browser gets: the fields of the form, and nothing else of the resource. */
export function visitorDefinition(definition: Definition, form: PublicForm): Definition {
  const { name, labels, description, fields } = definition;
  const emptyDefinition = normalise({
    name,
    labels,
    scope: 'company',
    history: false,
    recordTitle: '{id}',
    fields: {},
  });
  const title = form.title ?? definition.titles.create;
  return {
    ...emptyDefinition,
    titles: { ...emptyDefinition.titles, create: title },
    fields: {
      ...emptyDefinition.fields,
      ...Object.fromEntries(form.fields.map((fieldName) => [fieldName, visitorField(propertyOf(fields, fieldName))])),
    },
    form: {
      sections: [{ label: title, description: form.text ?? description, fields: form.fields }],
      tabs: [],
      redirects: [],
    },
  };
}

/** A field as visitors fill it in: with fewer and smaller files than people who are signed in. */
function visitorField(field: Field): Field {
  if (!isFiles(field)) return field;
  return {
    ...field,
    maxItems: Math.min(field.maxItems, maxFormFiles),
    maxBytes: Math.min(field.maxBytes, maxFormFile),
  };
}
