import type { ReactNode } from 'react';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { useNewerVersion } from './useNewerVersion';
import type { ResourceFormState } from './useResourceForm';
import type { StaleRecord } from './useSaving';
import { useStaleRecord } from './useStaleRecord';

interface ConcurrentChangesOptions {
  form: ResourceFormState;
  saving: boolean;
  /** Set if a save was rejected because the record had changed. */
  stale: StaleRecord | null;
  settle: () => void;
  /** The stored record as last read. */
  latest: ResourceRecord | undefined;
  isDeleted?: boolean;
}

/**
 * Shows changes made to the record elsewhere: a bar above the fields, and a dialog if a save was rejected.
 *
 * @example const { top, dialog } = useConcurrentChanges({ form, saving, stale, settle, latest, isDeleted });
 */
export function useConcurrentChanges({ form, saving, stale, settle, latest, isDeleted }: ConcurrentChangesOptions) {
  const { dialog, beside: typedValuesBox, loadTheirs, keepEditing } = useStaleRecord(form, stale, settle);
  const newer = useNewerVersion({
    form,
    latest,
    isDeleted,
    isBusy: saving || stale !== null,
    loadTheirs,
    keepEditing,
  });
  const top: ReactNode =
    newer || typedValuesBox ? (
      <>
        {newer}
        {typedValuesBox}
      </>
    ) : undefined;
  return { dialog, top };
}
