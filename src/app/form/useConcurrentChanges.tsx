import type { ReactNode } from 'react';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { useNewer } from './useNewer';
import type { ResourceFormState } from './useResourceForm';
import type { Stale } from './useSaving';
import { useStale } from './useStale';

interface Concurrent {
  form: ResourceFormState;
  saving: boolean;
  /** Set where a save was refused, because the record had been changed. */
  stale: Stale | null;
  settle: () => void;
  /** The stored record as it was read last. */
  latest: ResourceRecord | undefined;
  gone?: boolean;
}

/** What a form shows of changes that are made to its record elsewhere: above its fields, and as a dialog where a save was refused. */
export function useConcurrentChanges({ form, saving, stale, settle, latest, gone }: Concurrent) {
  const { dialog, beside, loadTheirs, keepEditing } = useStale(form, stale, settle);
  const newer = useNewer({ form, latest, gone, busy: saving || stale !== null, loadTheirs, keepEditing });
  const top: ReactNode =
    newer || beside ? (
      <>
        {newer}
        {beside}
      </>
    ) : undefined;
  return { dialog, top };
}
