import type { Identifier } from 'react-admin';
import { fetchApi, fileLimit } from '../../session/api';
import type { ApiClient } from '../../session/apiClient';

/** A record that stays with the deleted one that it is assigned to, and the reason. */
export interface UnchangedRecord {
  readonly resource: string;
  readonly id: number;
  readonly title: string;
  readonly message: string;
}

/** The records that could not be handed over: how many, and the first of them. */
export interface Unchanged {
  readonly count: number;
  readonly records: readonly UnchangedRecord[];
}

/** Deletes a record and hands over what is assigned to it; returns what could not be handed over. */
export async function deleteWithSuccessor(
  resource: string,
  id: Identifier,
  successor: number,
  ask: ApiClient,
): Promise<Unchanged> {
  const path = `/${resource}/${id}?successor=${successor}`;
  const { handover } = await fetchApi<{ handover: { unchanged: Unchanged } }>(
    path,
    { method: 'DELETE', limit: fileLimit },
    ask,
  );
  return handover.unchanged;
}
