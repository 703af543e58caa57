import { useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useState } from 'react';
import type { Module } from '../../../../engine/studio/module';
import { ConfirmDialog } from '../../../dialogs/ConfirmDialog';
import { ApiError } from '../../../session/api';
import { createModule, purgeModule, removeModule, modulesKey } from '../api';
import { PurgeDialog } from './PurgeDialog';

/** The actions of a module in the list. */
export type ModuleAction = 'return' | 'retire' | 'bringBack' | 'purge';

/** An action to confirm. */
export interface PendingAction {
  readonly what: ModuleAction;
  readonly module: Module;
}

interface Confirmation {
  title: string;
  question: string;
  confirm: string;
  done: string;
  act: (module: Module, confirm: boolean) => Promise<unknown>;
  destructive?: boolean;
}

const confirmations = (module: Module): Record<ModuleAction, Confirmation> => {
  const { many } = module.labels;
  return {
    return: {
      title: `Reset ${many} to the shipped definition?`,
      question:
        'Your changes no longer apply, for everybody at once. They stay in the versions, and no stored value is lost.',
      confirm: 'Reset',
      done: `${many} was reset to the shipped definition`,
      act: (seen, confirm) => removeModule(seen, confirm),
    },
    retire: {
      title: `Retire ${many}?`,
      question:
        'Its list, forms and API are removed for everybody at once. Its table and records stay, and it can be restored.',
      confirm: 'Retire',
      done: `${many} was retired`,
      act: (seen) => removeModule(seen),
      destructive: true,
    },
    bringBack: {
      title: `Restore ${many}?`,
      question: 'It is available to everybody again, as it was when it was retired, with all of its records.',
      confirm: 'Restore',
      done: `${many} was restored`,
      act: ({ definition }) => createModule(definition),
    },
    purge: {
      title: '',
      question: '',
      confirm: '',
      done: `The table of ${many} was purged`,
      act: ({ name }) => purgeModule(name),
    },
  };
};

/** Confirms an action on a module, runs it, and notifies the user. */
export function ModuleActionDialog({ asked, onClose }: { asked: PendingAction; onClose: () => void }) {
  const { what, module } = asked;
  const { done, act, confirm, ...shown } = confirmations(module)[what];
  const queryClient = useQueryClient();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  /** The server's message about values that would be lost, once it has refused. */
  const [losing, setLosing] = useState<string | null>(null);
  const go = async () => {
    setBusy(true);
    try {
      await act(module, losing !== null);
      notify(done, { type: 'success', messageArgs: { _: done } });
      await queryClient.invalidateQueries({ queryKey: [modulesKey] });
    } catch (error) {
      const { message } = error as Error;
      if (what === 'return' && losing === null && error instanceof ApiError && error.code === 'CONFLICT') {
        setLosing(message);
        setBusy(false);
        return;
      }
      notify(message, { type: 'error', messageArgs: { _: message } });
      // Somebody published meanwhile: the list shows what.
      void queryClient.invalidateQueries({ queryKey: [modulesKey] });
    }
    onClose();
  };
  if (what === 'purge') return <PurgeDialog module={module} busy={busy} onPurge={() => void go()} onClose={onClose} />;
  return (
    <ConfirmDialog
      open
      width={400}
      {...shown}
      {...(losing !== null && { question: losing, destructive: true })}
      confirmLabel={losing === null ? confirm : 'Reset and lose them'}
      busy={busy}
      onConfirm={() => void go()}
      onClose={onClose}
    />
  );
}
