import { parseId } from '../../../engine/field-types/relation';
import { BadRequest, NotFound } from '../../errors/errors';

/** The request header that names the user or role to view as. */
export const viewAsHeader = 'x-view-as';

/** Who to view as: a user, or a role, which an administrator of the installation combines with a company. */
export type ViewAsTarget =
  | { readonly kind: 'user'; readonly id: number }
  | { readonly kind: 'role'; readonly id: number; readonly site?: number };

/** Parses the header. Throws BadRequest for an invalid value, NotFound for an impossible id. */
export function parseViewAsHeader(text: string): ViewAsTarget {
  const [, kind, id = '', site] = /^(user|role) (\S+)(?: site (\S+))?$/.exec(text.trim()) ?? [];
  if (kind === undefined || (kind === 'user' && site !== undefined)) {
    throw new BadRequest('X-View-As must look like "user 5", "role 4" or "role 4 site 2".');
  }
  if (kind === 'user') return { kind, id: idOf(id) };
  return { kind: 'role', id: idOf(id), ...(site !== undefined && { site: idOf(site) }) };
}

function idOf(text: string): number {
  const id = parseId(text);
  if (id === undefined) throw new NotFound();
  return id;
}
