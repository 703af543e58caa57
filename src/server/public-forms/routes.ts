import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isAnyRelation } from '../../engine/field-types/relation';
import { fileFields } from '../../engine/field-types/stored-files';
import { isKnownZone } from '../access/request-context';
import { requestContextOf } from '../accounts/session/caller-context';
import { networkKey } from '../accounts/session/attempts';
import { NotFound } from '../errors/errors';
import type { Program } from '../program';
import { listChoices } from '../records/choices/choices';
import { closedObject, dataOf, dateTime, defineCall, id, typedApi } from '../routing/define-call';
import { readBody, recordFormPermission, type FormPermission } from '../routing/read-body';
import { createAddress, listAddresses, managesAddresses, revokeAddress } from './addresses';
import { findOpenForm, maxFormFile, maxFormFiles, visitorDefinition, type OpenForm } from './open-form';
import { countSending, honeypot, sendForm } from './send-form';

const tag = 'Public forms';
const address = Type.Object({
  id,
  resource: Type.String(),
  site_id: Type.Integer({ description: 'The company that records of it belong to.' }),
  created_at: dateTime,
  address: Type.String({ description: 'Where the form is, for people without an account.' }),
});
const managed = {
  scope: 'level',
  shownTo: managesAddresses,
  refusal: 'Only owners of a company and administrators open forms for people without an account.',
} as const;
const key = Type.Object({ form: Type.String({ description: 'The key at the end of the address of the form.' }) });

const calls = {
  list: defineCall({
    id: 'public-forms',
    tag,
    summary: 'The open addresses of the public form of a module',
    ...managed,
    querystring: Type.Object({ resource: Type.String({ maxLength: 63 }) }, closedObject),
    answer: dataOf(Type.Array(address)),
  }),
  create: defineCall({
    id: 'create-public-form',
    tag,
    summary: 'Open an address of the public form of a module, for a company',
    ...managed,
    body: Type.Object(
      {
        resource: Type.String({ maxLength: 63, description: 'A module with `public.create` in its definition.' }),
        site_id: Type.Optional(Type.Integer({ description: 'The company; needed from administrators alone.' })),
      },
      closedObject,
    ),
    answer: dataOf(address),
  }),
  revoke: defineCall({
    id: 'revoke-public-form',
    tag,
    summary: 'Revoke an address of a public form: nobody can open it any more',
    ...managed,
    params: Type.Object({ form: id }),
    answer: dataOf(Type.Boolean()),
  }),
  read: defineCall({
    id: 'read-public-form',
    tag,
    summary: 'A public form: the definition of its fields, for people without an account',
    scope: 'public',
    params: key,
    answer: dataOf(Type.Object({ definition: Type.Unknown(), honeypot: Type.String() })),
  }),
  choices: defineCall({
    id: 'public-form-choices',
    tag,
    summary: 'Ids and titles of the records that a field of a public form can refer to',
    scope: 'public',
    params: Type.Object({ form: Type.String(), field: Type.String() }),
    answer: dataOf(Type.Array(Type.Object({ id: Type.Integer(), title: Type.String() }))),
  }),
  send: defineCall({
    id: 'send-public-form',
    tag,
    summary: 'Send a public form, as JSON or with files as multipart/form-data; 429 says when to try again',
    scope: 'public',
    params: key,
    answer: dataOf(Type.Object({ confirmation: Type.String() })),
  }),
};

/** The files of one form together, in bytes. */
const maxFormSize = 10 * 1024 * 1024;

/** The addresses of public forms, and what people without an account do with them. */
export function registerPublicForms(app: FastifyInstance, program: Program): void {
  const api = typedApi(app);
  api.get('/public-forms', calls.list, async (request) => ({
    data: await listAddresses(await requestContextOf(program, request), request.query.resource),
  }));
  api.post('/public-forms', calls.create, async (request, reply) => {
    const { resource, site_id: company } = request.body;
    const data = await createAddress(await requestContextOf(program, request), resource, company);
    reply.code(201);
    return { data };
  });
  api.delete('/public-forms/:form', calls.revoke, async (request) => {
    await revokeAddress(await requestContextOf(program, request), request.params.form);
    return { data: true };
  });

  const openForm = (request: FastifyRequest, form: string) => {
    const zone = request.headers['x-timezone'];
    return findOpenForm(program, form, typeof zone === 'string' && isKnownZone(zone) ? zone : undefined);
  };
  api.get('/public-forms/:form', calls.read, async (request) => {
    const { definition, form } = await openForm(request, request.params.form);
    return { data: { definition: visitorDefinition(definition, form), honeypot } };
  });
  api.get('/public-forms/:form/choices/:field', calls.choices, async (request) => {
    const { context, definition, form } = await openForm(request, request.params.form);
    const field = form.fields.includes(request.params.field) ? definition.fields[request.params.field] : undefined;
    if (!field || !isAnyRelation(field)) throw new NotFound();
    const allowedParameters = new Set(['q', 'range', 'id', ...form.fields]);
    const sentParameters = Object.entries(request.query as Record<string, unknown>);
    const query = Object.fromEntries(sentParameters.filter(([name]) => allowedParameters.has(name)));
    const { records } = await listChoices({ context, definition }, field.name, { ...query, near: '0' });
    return { data: records.map((record) => ({ id: record.id as number, title: String(record.title) })) };
  });
  const { schema, config } = calls.send;
  api.post('/public-forms/:form', { schema, config: { ...config, forms: true } }, async (request, reply) => {
    const open = await openForm(request, request.params.form);
    await countSending(open, request.ip);
    await sendForm(open, await readBody(request, formPermission(open, request.ip)));
    reply.code(201);
    return { data: { confirmation: open.form.confirmation } };
  });
}

/** The permission to send: the files of the form's own fields, few and small ones. Visitors of one network count as one person. */
function formPermission({ context, definition, form, company }: OpenForm, ip: string): FormPermission {
  const formFields = Object.fromEntries(form.fields.map((name) => [name, definition.fields[name]!]));
  const recordPermission = recordFormPermission(context.actor, { ...definition, fields: formFields });
  const sizes = [...(recordPermission.sizes ?? [])].map(([name, size]) => [name, Math.min(size, maxFormFile)] as const);
  return {
    ...recordPermission,
    person: -1 - createHash('sha256').update(networkKey(ip)).digest().readUInt32BE(),
    company,
    files:
      fileFields({ ...definition, fields: formFields }).length === 0
        ? 0
        : Math.min(recordPermission.files, maxFormFiles),
    fileSize: Math.min(recordPermission.fileSize, maxFormFile),
    total: maxFormSize,
    sizes: new Map(sizes),
  };
}
