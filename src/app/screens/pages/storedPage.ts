import type { RaRecord } from 'react-admin';
import type { Tile } from '../../../engine/pages/tiles';

/** A page that somebody put together: a record of the system's resource `pages`. */
export interface StoredPage extends RaRecord<number> {
  readonly name: string;
  readonly audience: 'me' | 'role' | 'everyone';
  readonly role_id: number | null;
  readonly is_home: boolean;
  readonly tiles: readonly Tile[] | null;
  readonly created_by: number | null;
  readonly updated_at?: string;
}
