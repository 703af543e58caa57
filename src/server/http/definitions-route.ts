import { Level } from '../../engine/definitions/level';
import { Type } from 'typebox';
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { isGranted } from '../../engine/access/access-decision';
import { actions, type Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import type { Actor } from '../../engine/access/actor';
import type { Program } from '../program';
import { anyScope } from '../routing/call-scope';
import { dataOf, defineCall } from '../routing/define-call';
import { requestContextOf } from '../accounts/session/caller-context';

const definitionsCall = defineCall({
  id: 'definitions',
  scope: anyScope,
  tag: 'Screens',
  summary: 'The definitions of your screens',
  answer: dataOf(Type.Array(Type.Object({}))),
});

/** `GET definitions`: the normalised definitions that the caller's screens need, with an ETag. */
export function registerDefinitions(api: FastifyInstance, program: Program): void {
  api.get('/definitions', definitionsCall, async (request, reply) => {
    const { actor, registry } = await requestContextOf(program, request);
    const text = JSON.stringify(
      { data: definitionsFor(actor, registry) },
      actor.level === Level.External ? ownRole(actor) : undefined,
    );
    const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
    reply.header('ETag', tag).header('Cache-Control', 'private, no-cache');
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });
}

/**
 * The modules on which the actor has a grant, and those that their relations refer to: cells need their titles and
 * chips.
 */
function definitionsFor(actor: Actor, registry: Registry): Definition[] {
  const definitions = [...registry.definitions.values()];
  const open = definitions.filter(({ name }) => actions.some((action) => isGranted(actor, name, action)));
  const relatedNames = new Set(open.flatMap(relatedResources));
  return definitions
    .filter((definition) => open.includes(definition) || relatedNames.has(definition.name))
    .map(withoutServerParts);
}

/**
 * A replacer that leaves only the actor's own role among those that rules, requests, transitions and conditions name by
 * their keys. Their meaning for the actor stays the same.
 */
function ownRole({ role: roleKey }: Actor): (name: string, value: unknown) => unknown {
  const isOwn = (key: unknown) => key === roleKey;
  const hideOthers = (value: unknown): unknown => {
    if (typeof value === 'string') return isOwn(value) ? value : '';
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(hideOthers);
    return Object.fromEntries(Object.entries(value).map(([operator, right]) => [operator, hideOthers(right)]));
  };
  return (name, value) => {
    if (name === '$actor.role') return hideOthers(value);
    return name === 'roles' && Array.isArray(value) ? value.filter(isOwn) : value;
  };
}

function relatedResources({ name, fields }: Definition): string[] {
  return [name, ...Object.values(fields).flatMap(({ to: target, inverse }) => [target ?? '', inverse?.resource ?? ''])];
}

/** Removes what only the server uses. */
function withoutServerParts(definition: Definition): Definition {
  return { ...definition, hooks: {}, rows: null, indexes: [] };
}
