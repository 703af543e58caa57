import type { FastifyRequest } from 'fastify';
import type { Definition } from '../../engine/definitions/definition';
import { BadRequest } from '../errors/errors';

/** Refuses `?envelope=` with another value than `none` before anything is stored. Throws BadRequest. */
export async function checkEnvelope({ query }: FastifyRequest): Promise<void> {
  const { envelope } = query as Record<string, unknown>;
  if (envelope !== undefined && envelope !== 'none')
    throw new BadRequest('envelope can only be none, which returns records without an envelope.');
}

/**
 * The property of a response that has its records: that of the definition, or none with `?envelope=none`, for clients
 * that expect the same of every resource.
 */
export function envelopeOf({ query }: FastifyRequest, { envelope }: Definition): string | undefined {
  const declined = (query as Record<string, unknown>).envelope === 'none';
  return declined || envelope === null ? undefined : envelope;
}
