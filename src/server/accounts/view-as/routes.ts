import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RequestContext } from '../../access/request-context';
import { BadRequest } from '../../errors/errors';
import type { Program } from '../../program';
import { describePerson, describeRoles, visiblePermissions } from '../session/describe-person';
import { accessOf } from '../session/authenticate';
import { typedApi } from '../../routing/define-call';
import { viewAsCall, viewAsCalls } from './calls';
import { peopleToViewAs, rolesToViewAs, type ViewAsChoice } from './choices';
import { assertCanViewAs } from './viewed-actor';
import { viewAsHeader } from './view-as-header';
import { recordViewingEnd, viewedActorOf } from './viewing-cache';
import { requireValue } from '../../../engine/values/lookups';

/**
 * `GET view-as`: who the request's header names, in the form of `me`; `DELETE view-as`: ends viewing; `GET
 * view-as/choices/person` and `role`: who it can name.
 */
export function registerViewAs(app: FastifyInstance, program: Program): void {
  const calls = typedApi(app);
  calls.get('/view-as', viewAsCall(program.product.signInFacts?.schema), async (request) => {
    const viewedActor = await viewedActorOf(program, request, (await accessOf(program, request)).actor);
    if (!viewedActor) throw new BadRequest('X-View-As must name a user or role, such as "user 5" or "role 4".');
    const { account, actor } = viewedActor;
    const person = await describePerson(program, account, actor);
    const site = actor.site_id === null ? null : { id: actor.site_id, name: account.site_name };
    // Only the owner of an address is reminded to confirm it.
    const user = { ...person.user, site, confirmed: true };
    const { viewer: _viewer, ...viewerFields } = actor;
    const permissions = visiblePermissions(program, actor);
    return {
      data: {
        ...person,
        user,
        ...describeRoles(account, actor),
        permissions,
        held: visiblePermissions(program, viewerFields),
      },
    };
  });

  calls.delete('/view-as', viewAsCalls.stop, async (request) => {
    const { actor } = await accessOf(program, request);
    const { as: viewedName } = request.query;
    const viewedActor = await viewedActorOf(program, { headers: { [viewAsHeader]: viewedName } }, actor);
    recordViewingEnd(program, actor, viewedName, requireValue(viewedActor, 'the viewed person or role'));
    return { status: true, message: 'You are back to your own view.' };
  });

  calls.get('/view-as/choices/person', viewAsCalls.people, (request) => answer(request, peopleToViewAs));
  calls.get('/view-as/choices/role', viewAsCalls.roles, (request) => answer(request, rolesToViewAs));

  /** The choices are always those of the viewer, even while viewing as another user. */
  async function answer(
    request: FastifyRequest<{ Querystring: { q?: string } }>,
    choose: (context: RequestContext, q: string) => Promise<readonly ViewAsChoice[]>,
  ) {
    const { actor } = await accessOf(program, request);
    assertCanViewAs(actor);
    const { q = '' } = request.query;
    return { data: await choose(new RequestContext(program, actor), q.trim()) };
  }
}
