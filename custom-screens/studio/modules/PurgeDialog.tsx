import { tableOf } from '../../../src/engine/definitions/labels';
import type { Module } from '../../../src/engine/studio/module';
import { TypedDialog } from '../../lists/TypedDialog';

interface PurgeDialogProps {
  module: Module;
  busy: boolean;
  onPurge: () => void;
  onClose: () => void;
}

/** Asks for the name of a retired module before its table is dropped. */
export function PurgeDialog({ module: { name, labels }, busy, onPurge, onClose }: PurgeDialogProps) {
  return (
    <TypedDialog
      title={`Purge the table of ${labels.many}?`}
      text={`Every record of ${labels.many} goes away in every company, with its history and its versions. Nothing brings them back.`}
      word={name}
      hint="Or leave it retired: its table and its records stay."
      confirmLabel="Purge the table"
      busy={busy}
      onConfirm={onPurge}
      onClose={onClose}
    >
      <p className="studio-statement">drop table {tableOf(name)}</p>
    </TypedDialog>
  );
}
