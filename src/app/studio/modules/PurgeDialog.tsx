import { tableOf } from '../../../engine/definitions/labels';
import type { Module } from '../../../engine/studio/module';
import { TypedDialog } from '../../screens/lists/TypedDialog';
import * as styles from './modules.module.css';

interface PurgeDialogProps {
  module: Module;
  isBusy: boolean;
  onPurge: () => void;
  onClose: () => void;
}

/** A confirmation before a retired module's table is dropped: its name has to be typed. */
export function PurgeDialog({ module: { name, labels }, isBusy, onPurge, onClose }: PurgeDialogProps) {
  return (
    <TypedDialog
      title={`Purge the table of ${labels.many}?`}
      text={`All records of ${labels.many} are deleted in every company, with their history and the module’s versions. This cannot be undone.`}
      word={name}
      hint="Or leave it retired: its table and records stay."
      confirmLabel="Purge the table"
      isBusy={isBusy}
      onConfirm={onPurge}
      onClose={onClose}
    >
      <p className={styles.studioStatement}>drop table {tableOf(name)}</p>
    </TypedDialog>
  );
}
