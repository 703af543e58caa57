import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isStorable } from '../../../engine/validation/storable';
import { RequestContext } from '../../access/request-context';
import { BadRequest } from '../../errors/errors';
import type { Program } from '../../program';
import { describePerson, visiblePermissions } from '../session/describe-person';
import { accessOf } from '../session/authenticate';
import { viewAsCalls } from './calls';
import { peopleToViewAs, rolesToViewAs, type ViewAsChoice } from './choices';
import { assertCanViewAs } from './viewed-actor';
import { viewAsHeader } from './view-as-header';
import { recordViewingEnd, viewedActorOf } from './viewing-cache';

type Query = { Querystring: Record<string, unknown> };

/**
 * `GET view-as`: who the request's header names, in the form of `me`; `DELETE view-as`: ends viewing; `GET
 * view-as/choices/person` and `role`: who it can name.
 */
export function registerViewAs(app: FastifyInstance, program: Program): void {
  app.get('/view-as', viewAsCalls.viewAs, async (request) => {
    const viewed = await viewedActorOf(program, request, (await accessOf(program, request)).actor);
    if (!viewed) throw new BadRequest('X-View-As must name a user or role, such as "user 5" or "role 4".');
    const { account, actor } = viewed;
    const person = await describePerson(program, account, actor);
    const site = actor.site_id === null ? null : { id: actor.site_id, name: account.site_name };
    // Only the owner of an address is reminded to confirm it.
    const user = { ...person.user, site, confirmed: true };
    return { data: { ...person, user, permissions: visiblePermissions(program, actor) } };
  });

  app.delete<Query>('/view-as', viewAsCalls.stop, async (request) => {
    const { actor } = await accessOf(program, request);
    const { as } = request.query;
    if (typeof as !== 'string')
      throw new BadRequest('as must name the user or role that you viewed as, such as "user 5" or "role 4".');
    recordViewingEnd(program, actor, as, (await viewedActorOf(program, { headers: { [viewAsHeader]: as } }, actor))!);
    return { status: true, message: 'You are back to your own view.' };
  });

  app.get<Query>('/view-as/choices/person', viewAsCalls.people, (request) => answer(request, peopleToViewAs));
  app.get<Query>('/view-as/choices/role', viewAsCalls.roles, (request) => answer(request, rolesToViewAs));

  /** The choices are always those of the viewer, even while viewing as another user. */
  async function answer(
    request: FastifyRequest<Query>,
    choose: (context: RequestContext, q: string) => Promise<readonly ViewAsChoice[]>,
  ) {
    const { actor } = await accessOf(program, request);
    assertCanViewAs(actor);
    const { q = '' } = request.query;
    if (typeof q !== 'string' || q.length > 500 || !isStorable(q)) {
      throw new BadRequest('q must be a text of at most 500 characters.');
    }
    return { data: await choose(new RequestContext(program, actor), q.trim()) };
  }
}
