import { useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useState } from 'react';
import type { Module } from '../../../engine/studio/module';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { ApiError } from '../../session/api';
import { createModule, purgeModule, removeModule, modulesKey } from '../api';
import { tableOf } from '../../../engine/definitions/labels';
import { TypedDialog } from '../../screens/lists/TypedDialog';
import * as styles from './modules.module.css';

/** The actions of a module in the list. */
export type ModuleAction = 'return' | 'retire' | 'bringBack' | 'purge';

/** An action to confirm. */
export interface PendingAction {
  readonly action: ModuleAction;
  readonly module: Module;
}

interface Confirmation {
  title: string;
  question: string;
  confirm: string;
  successText: string;
  act: (module: Module, confirm: boolean) => Promise<unknown>;
  destructive?: boolean;
}

const confirmations = (module: Module): Record<ModuleAction, Confirmation> => {
  const { many: plural } = module.labels;
  return {
    return: {
      title: `Reset ${plural} to the shipped definition?`,
      question:
        'Your changes no longer apply, for everybody at once. They stay in the versions, and no stored value is lost.',
      confirm: 'Reset',
      successText: `${plural} was reset to the shipped definition`,
      act: (shownModule, confirm) => removeModule(shownModule, confirm),
    },
    retire: {
      title: `Retire ${plural}?`,
      question:
        'Its list, forms and API are removed for everybody at once. Its table and records stay, and it can be restored.',
      confirm: 'Retire',
      successText: `${plural} was retired`,
      act: (shownModule) => removeModule(shownModule),
      destructive: true,
    },
    bringBack: {
      title: `Restore ${plural}?`,
      question: 'It is available to everybody again, as it was when it was retired, with all of its records.',
      confirm: 'Restore',
      successText: `${plural} was restored`,
      act: ({ definition }) => createModule(definition),
    },
    purge: {
      title: '',
      question: '',
      confirm: '',
      successText: `The table of ${plural} was purged`,
      act: ({ name }) => purgeModule(name),
    },
  };
};

/** Confirms an action on a module, runs it, and notifies the user. */
export function ModuleActionDialog({ pendingAction, onClose }: { pendingAction: PendingAction; onClose: () => void }) {
  const { action, module } = pendingAction;
  const { successText, act, confirm, ...dialogProps } = confirmations(module)[action];
  const queryClient = useQueryClient();
  const notify = useNotify();
  const [isBusy, setIsBusy] = useState(false);
  /** The server's message about values that would be lost, once it has refused. */
  const [losing, setLosing] = useState<string | null>(null);
  const go = async () => {
    setIsBusy(true);
    try {
      await act(module, losing !== null);
      notify(successText, { type: 'success', messageArgs: { _: successText } });
      await queryClient.invalidateQueries({ queryKey: [modulesKey] });
    } catch (error) {
      const { message } = error as Error;
      if (action === 'return' && losing === null && error instanceof ApiError && error.code === 'CONFLICT') {
        setLosing(message);
        setIsBusy(false);
        return;
      }
      notify(message, { type: 'error', messageArgs: { _: message } });
      // Another user published meanwhile: the list shows the new version.
      void queryClient.invalidateQueries({ queryKey: [modulesKey] });
    }
    onClose();
  };
  if (action === 'purge')
    return <PurgeDialog module={module} isBusy={isBusy} onPurge={() => void go()} onClose={onClose} />;
  return (
    <ConfirmDialog
      open
      width={400}
      {...dialogProps}
      {...(losing !== null && { question: losing, destructive: true })}
      confirmLabel={losing === null ? confirm : 'Reset and lose them'}
      isBusy={isBusy}
      onConfirm={() => void go()}
      onClose={onClose}
    />
  );
}

interface PurgeDialogProps {
  module: Module;
  isBusy: boolean;
  onPurge: () => void;
  onClose: () => void;
}

/** A confirmation before a retired module's table is dropped: its name has to be typed. */
function PurgeDialog({ module: { name, labels }, isBusy, onPurge, onClose }: PurgeDialogProps) {
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
