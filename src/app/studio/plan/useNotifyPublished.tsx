import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Module } from '../../../engine/studio/module';
import { moduleKeys, restoreVersion } from '../api';
import { Toast, UndoToast } from '../properties/UndoToast';

/** Notifies the user that a module was published, with Undo; for a new module, with a link to its list. */
export function useNotifyPublished(): (module: Module, before: number) => void {
  const notify = useNotify();
  const queryClient = useQueryClient();
  const undo = async (name: string, version: number) => {
    try {
      const storedModule = await restoreVersion(name, version);
      queryClient.setQueryData(moduleKeys.one(name), storedModule);
      notify(`Version ${version} is published again`, { type: 'success' });
    } catch (error) {
      notify((error as Error).message, { type: 'error' });
    }
  };
  return ({ name, labels, version }, versionBefore) =>
    notify(
      versionBefore === 0 ? (
        <ListToast text={`${labels.many} were published`} list={`/${name}`} />
      ) : (
        <UndoToast text={`Version ${version} was published`} onUndo={() => void undo(name, versionBefore)} />
      ),
      { type: 'success', autoHideDuration: 10_000 },
    );
}

function ListToast({ text, list }: { text: string; list: string }) {
  return (
    <Toast text={text}>
      {(close) => (
        <Button component={Link} to={list} size="small" variant="text" color="info" onClick={close}>
          Open the list
        </Button>
      )}
    </Toast>
  );
}
