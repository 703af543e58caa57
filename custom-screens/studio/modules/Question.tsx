import { useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useState } from 'react';
import type { Module } from '../../../src/engine/studio/module';
import { ConfirmDialog } from '../../../src/app/dialogs/ConfirmDialog';
import { ApiError } from '../../../src/app/session/api';
import { createModule, purgeModule, removeModule, room } from '../calls';
import { PurgeDialog } from './PurgeDialog';

/** What may be done with a module from the list. */
export type What = 'return' | 'retire' | 'bringBack' | 'purge';

/** What somebody is about to do. */
export interface Asked {
  readonly what: What;
  readonly module: Module;
}

interface Words {
  title: string;
  question: string;
  confirm: string;
  done: string;
  act: (module: Module, confirm: boolean) => Promise<unknown>;
  destructive?: boolean;
}

const words = (module: Module): Record<What, Words> => {
  const { many } = module.labels;
  return {
    return: {
      title: `Return ${many} to what was shipped?`,
      question:
        'What was changed here goes out of force for everybody at once. It stays among the versions, and no stored value is lost.',
      confirm: 'Return',
      done: `${many} is as it was shipped`,
      act: ({ name }, confirm) => removeModule(name, confirm),
    },
    retire: {
      title: `Retire ${many}?`,
      question:
        'Its list, its forms and its API go away for everybody at once. Its table and all that is in it stay, and it can be brought back.',
      confirm: 'Retire',
      done: `${many} is retired`,
      act: ({ name }) => removeModule(name),
      destructive: true,
    },
    bringBack: {
      title: `Bring ${many} back?`,
      question: 'It appears again for everybody, as it was when it was retired, with all of its records.',
      confirm: 'Bring back',
      done: `${many} is back`,
      act: ({ definition }) => createModule(definition),
    },
    purge: {
      title: '',
      question: '',
      confirm: '',
      done: `The table of ${many} is gone`,
      act: ({ name }) => purgeModule(name),
    },
  };
};

/** Asks before a module is touched, does it, and says so. */
export function Question({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const { what, module } = asked;
  const { done, act, confirm, ...shown } = words(module)[what];
  const queryClient = useQueryClient();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  /** What would be lost, in the server's words, once it has said so. */
  const [losing, setLosing] = useState<string | null>(null);
  const go = async () => {
    setBusy(true);
    try {
      await act(module, losing !== null);
      notify(done, { type: 'success', messageArgs: { _: done } });
      await queryClient.invalidateQueries({ queryKey: [room] });
    } catch (error) {
      const { message } = error as Error;
      if (what === 'return' && losing === null && error instanceof ApiError && error.status === 409) {
        setLosing(message);
        setBusy(false);
        return;
      }
      notify(message, { type: 'error', messageArgs: { _: message } });
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
      confirmLabel={losing === null ? confirm : 'Return, and lose them'}
      busy={busy}
      onConfirm={() => void go()}
      onClose={onClose}
    />
  );
}
