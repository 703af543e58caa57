import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { isGranted } from '../../engine/access/access-decision';
import type { Actor } from '../../engine/access/actor';
import { commentFiles } from '../../engine/comments/comment-files';
import type { Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import type { RequestContext } from '../access/request-context';
import { requestContextOf } from '../accounts/session/caller-context';
import { NotFound } from '../errors/errors';
import { idempotencyHeader } from '../idempotency/header';
import { runIdempotent } from '../idempotency/run-idempotent';
import type { Program } from '../program';
import { readBody } from '../routing/read-body';
import { contentRange } from '../routing/content-range';
import {
  closedObject,
  dataOf,
  dateTime,
  defineCall,
  file,
  id,
  nullable,
  rangeParameter,
  typedApi,
} from '../routing/define-call';
import {
  addComment,
  changeComment,
  deleteComment,
  getWatch,
  listComments,
  listCommentVersions,
  listMentionable,
  restoreComment,
  setWatch,
  uploadCommentFile,
} from './comments';

const maxTextLength = 20_000;
const maxMentions = 50;

const type = Type.String({ maxLength: 63 });
const ofRecord = Type.Object({ type, id });
const ofComment = Type.Object({ type, id, comment: id });
const person = Type.Object({ id, name: Type.String() });
const storedFile = Type.Object({
  name: Type.String(),
  size: Type.Integer({ description: 'Bytes.' }),
  type: Type.String({ description: 'By its content, such as image/png.' }),
  url: Type.String({ description: 'It expires soon.' }),
});
const comment = Type.Object({
  id,
  text: Type.String({ description: 'Sanitized markup.' }),
  user: person,
  mentions: Type.Array(person),
  files: Type.Array(storedFile),
  internal: Type.Boolean({ description: 'Only those read it who read internal comments of the module.' }),
  created_at: dateTime,
  edited_at: nullable(dateTime),
  may_edit: Type.Boolean(),
  may_delete: Type.Boolean(),
});
const bodyKeys = {
  text: Type.String({
    title: 'Comment',
    maxLength: maxTextLength,
    description:
      'Markup: paragraphs, lists, links and emphasis. Anything else is removed. It can be empty if there are files.',
  }),
  mentions: Type.Optional(
    Type.Array(id, {
      title: 'Mentions',
      maxItems: maxMentions,
      description: 'The ids of those who are mentioned and notified; they must be able to see the record.',
      errorMessage: `Mentions must be a list of at most ${maxMentions} ids of users.`,
    }),
  ),
  files: Type.Optional(
    Type.Array(
      Type.Object({
        url: Type.String({ maxLength: 1000 }),
        name: Type.Optional(Type.String()),
        size: Type.Optional(Type.Number()),
        type: Type.Optional(Type.String()),
      }),
      {
        title: 'Files',
        maxItems: commentFiles.maxItems,
        description:
          'All files of the comment: as `…/comments/files` returned them, or as they are in it. Left out: unchanged.',
        errorMessage: `Files must be a list of at most ${commentFiles.maxItems} files as they were uploaded.`,
      },
    ),
  ),
};
const body = Type.Object(bodyKeys, closedObject);
const newBody = Type.Object(
  {
    ...bodyKeys,
    internal: Type.Optional(
      Type.Boolean({
        title: 'Internal',
        description:
          'Only those read it who read internal comments of the module (`comments.internal` of its definition). It stays so.',
      }),
    ),
  },
  closedObject,
);
const watch = dataOf(
  Type.Object({
    state: nullable(Type.Enum(['watching', 'muted']), {
      description: 'What you chose: watching is told of changes too; null: nothing.',
    }),
    watching: Type.Boolean({ description: 'Whether you are notified of new comments.' }),
    watchers: Type.Array(person, { description: 'Who is, by name; at most 50.' }),
  }),
);

/** The modules whose comments the caller may read. */
const variantsOf =
  (summary: (one: string) => string) =>
  (actor: Actor, { definitions }: Registry) =>
    [...definitions.values()]
      .filter(({ name, comments }) => comments && isGranted(actor, name, 'view'))
      .map(({ name, labels }) => ({ type: name, summary: summary(labels.one) }));

/** Calls on the records of each module whose comments the caller may read; `summary` follows from its name for one. */
const describeCall = (summary: (one: string) => string) => ({
  tag: 'Comments',
  summary: summary('record'),
  variants: variantsOf(summary),
});
const recordCall = (summary: (one: string) => string) => ({ ...describeCall(summary), params: ofRecord });
const aboutOne = (summary: (one: string) => string) => ({ ...describeCall(summary), params: ofComment });
const writes = { atomic: true, headers: idempotencyHeader } as const;

const uploadSummary = (singular: string) => `Upload a file for a comment on a ${singular}, within a day`;

const calls = {
  list: defineCall({
    ...recordCall((singular) => `The comments of a ${singular}, newest first`),
    id: 'list-comments',
    scope: [':type.view'],
    querystring: Type.Object({ range: rangeParameter }, closedObject),
    answer: dataOf(Type.Array(comment)),
  }),
  add: defineCall({
    ...recordCall(
      (singular) => `Comment on a ${singular}; those who are mentioned and those who watch it are notified`,
    ),
    ...writes,
    id: 'add-comment',
    scope: [':type.edit'],
    body: newBody,
    created: true,
    answer: dataOf(comment),
  }),
  upload: defineCall({
    ...recordCall(uploadSummary),
    id: 'upload-comment-file',
    scope: [':type.edit'],
    bodyType: 'multipart/form-data',
    variants: (actor, registry) =>
      variantsOf(uploadSummary)(actor, registry).map((variant) => ({
        ...variant,
        body: Type.Object({ file }),
      })),
    created: true,
    answer: dataOf(storedFile),
  }),
  change: defineCall({
    ...aboutOne((singular) => `Change your own comment on a ${singular}; its former text is kept`),
    ...writes,
    id: 'change-comment',
    scope: [':type.edit'],
    body,
    answer: dataOf(comment),
  }),
  remove: defineCall({
    ...aboutOne((singular) => `Delete your own comment on a ${singular}, or as an administrator that of somebody else`),
    ...writes,
    id: 'delete-comment',
    scope: [':type.edit'],
    answer: dataOf(comment),
  }),
  restore: defineCall({
    ...aboutOne((singular) => `Take back that you deleted a comment on a ${singular}`),
    ...writes,
    id: 'restore-comment',
    scope: [':type.edit'],
    answer: dataOf(comment),
  }),
  versions: defineCall({
    ...aboutOne((singular) => `The former texts of a comment on a ${singular}, newest first`),
    id: 'list-comment-versions',
    scope: [':type.view'],
    answer: dataOf(Type.Array(Type.Object({ text: Type.String(), written_at: dateTime }))),
  }),
  mentionable: defineCall({
    ...recordCall(
      (singular) => `Up to ten colleagues who can see a ${singular}, by name, to mention them in a comment`,
    ),
    id: 'list-mentionable',
    scope: [':type.edit'],
    querystring: Type.Object(
      {
        q: Type.Optional(Type.String({ maxLength: 255, description: 'The beginning of a word of the name.' })),
        internal: Type.Optional(Type.Enum(['1'], { description: '1: in an internal comment.' })),
      },
      closedObject,
    ),
    answer: dataOf(Type.Array(person)),
  }),
  watch: defineCall({
    ...recordCall((singular) => `Whether you watch a ${singular}`),
    id: 'read-watch',
    scope: 'person',
    answer: watch,
  }),
  setWatch: defineCall({
    ...recordCall(
      (singular) =>
        `Watch the comments on a ${singular} and its changes, mute it, or neither (null): then those whom it names hear of comments`,
    ),
    ...writes,
    id: 'change-watch',
    scope: 'person',
    body: Type.Object({ state: nullable(Type.Enum(['watching', 'muted']), { title: 'State' }) }, closedObject),
    answer: watch,
  }),
};

/** Comments on records of every module that has them, mentions, and who watches what. */
export function registerComments(app: FastifyInstance, program: Program): void {
  const api = typedApi(app);
  type OfRecord = FastifyRequest<{ Params: { type: string; id: number } }>;
  const read = async <T>(request: OfRecord, run: (context: RequestContext, definition: Definition) => Promise<T>) => {
    const context = await requestContextOf(program, request);
    return run(context, commentedDefinition(context, request.params.type));
  };
  /** Answers what a write returns; a request that is sent again with its key is not done again. */
  const write = async (
    request: FastifyRequest,
    reply: FastifyReply,
    run: (context: RequestContext, definition: Definition) => Promise<unknown>,
  ) => {
    const context = await requestContextOf(program, request);
    const definition = commentedDefinition(context, (request.params as { type: string }).type);
    const sentBody = { values: (request.body ?? {}) as Readonly<Record<string, unknown>>, text: false };
    const answer = async (idempotentContext: RequestContext) => ({ data: await run(idempotentContext, definition) });
    return (await runIdempotent(context, request, reply, sentBody, answer)) as never;
  };

  api.get('/:type/:id/comments', calls.list, async (request, reply) => {
    const page = await read(request, (context, definition) =>
      listComments({ context, definition }, request.params.id, request.query.range),
    );
    reply.header('Content-Range', contentRange('comments', page));
    return { data: page.records as never };
  });
  api.post('/:type/:id/comments', calls.add, (request, reply) => {
    reply.code(201);
    return write(request, reply, (context, definition) =>
      addComment({ context, definition }, request.params.id, request.body),
    );
  });
  api.post('/:type/:id/comments/files', calls.upload, async (request, reply) => {
    const data = await read(request, (context, definition) => {
      const limits = {
        person: context.actor.id,
        company: context.actor.site_id,
        files: 1,
        fileSize: commentFiles.maxBytes,
      };
      return uploadCommentFile({ context, definition }, request.params.id, () => readBody(request, limits));
    });
    reply.code(201);
    return { data };
  });
  api.put('/:type/:id/comments/:comment', calls.change, (request, reply) =>
    write(request, reply, (context, definition) =>
      changeComment({ context, definition }, request.params.id, request.params.comment, request.body),
    ),
  );
  api.delete('/:type/:id/comments/:comment', calls.remove, (request, reply) =>
    write(request, reply, (context, definition) =>
      deleteComment({ context, definition }, request.params.id, request.params.comment),
    ),
  );
  api.patch('/:type/:id/comments/:comment/restore', calls.restore, (request, reply) =>
    write(request, reply, (context, definition) =>
      restoreComment({ context, definition }, request.params.id, request.params.comment),
    ),
  );
  api.get('/:type/:id/comments/:comment/versions', calls.versions, async (request) => ({
    data: (await read(request, (context, definition) =>
      listCommentVersions({ context, definition }, request.params.id, request.params.comment),
    )) as never,
  }));
  api.get('/:type/:id/mentionable', calls.mentionable, async (request) => ({
    data: (await read(request, (context, definition) =>
      listMentionable({ context, definition }, request.params.id, {
        q: request.query.q,
        internal: request.query.internal === '1',
      }),
    )) as never,
  }));
  api.get('/:type/:id/watch', calls.watch, async (request) => ({
    data: await read(request, (context, definition) => getWatch(context, definition, request.params.id)),
  }));
  api.put('/:type/:id/watch', calls.setWatch, (request, reply) =>
    write(request, reply, (context, definition) =>
      setWatch({ context, definition }, request.params.id, request.body.state),
    ),
  );
}

/** The definition that a path names, if its records have comments. Throws NotFound. */
function commentedDefinition({ registry }: RequestContext, name: string): Definition {
  const definition = registry.get(name);
  if (!definition?.comments) throw new NotFound();
  return definition;
}
