import type { ReactNode } from 'react';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { useNewer } from './useNewer';
import type { ResourceFormState } from './useResourceForm';
import type { Stale } from './useSaving';
import { useStale } from './useStale';

interface Concurrent {
  form: ResourceFormState;
  saving: boolean;
  /** Set if a save was rejected because the record had changed. */
  stale: Stale | null;
  settle: () => void;
  /** The stored record as last read. */
  latest: ResourceRecord | undefined;
  gone?: boolean;
}

/** Shows changes made to the record elsewhere: a bar above the fields, and a dialog if a save was rejected. */
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
