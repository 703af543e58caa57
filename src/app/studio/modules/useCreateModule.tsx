import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNotify } from 'react-admin';
import { Link, useNavigate } from 'react-router-dom';
import { useDefinitions } from '../../data/DefinitionsContext';
import type { Source } from '../../../engine/language/source';
import type { Module } from '../../../engine/studio/module';
import { ApiError } from '../../session/api';
import { createModule, modulesKey } from '../api';
import { Toast } from '../properties/UndoToast';

/** Creates a module and opens its list. `refused`: the server's errors, by JSON pointer. */
export function useCreateModule() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotify();
  const { registry } = useDefinitions();
  const [creating, setCreating] = useState(false);
  const [createdModule, setCreatedModule] = useState<Module | null>(null);
  const [serverErrors, setServerErrors] = useState<Readonly<Record<string, string>> | null>(null);
  const create = async (source: Source) => {
    setCreating(true);
    setServerErrors(null);
    try {
      setCreatedModule(await createModule(source));
      for (const queryKey of [['definitions'], ['me'], [modulesKey]]) void queryClient.invalidateQueries({ queryKey });
    } catch (error) {
      if (error instanceof ApiError) setServerErrors(error.errors);
      const { message } = error as Error;
      notify(message, { type: 'error', messageArgs: { _: message } });
      setCreating(false);
    }
  };

  const lead = useEffectEvent(({ name, labels }: Module) => {
    void navigate(`/${name}`);
    notify(<ReadyToast plural={labels.many} name={name} />, { type: 'success', autoHideDuration: 10_000 });
  });
  // The list can only be opened once the new definition has been loaded.
  const isHere = createdModule !== null && registry.get(createdModule.name) !== undefined;
  useEffect(() => {
    if (createdModule && isHere) lead(createdModule);
  }, [createdModule, isHere]);
  return { creating, refused: serverErrors, create };
}

function ReadyToast({ plural, name }: { plural: string; name: string }) {
  return (
    <Toast text={`The module ${plural} is ready`}>
      {(close) => (
        <Button component={Link} to={`/studio/${name}`} size="small" variant="text" color="info" onClick={close}>
          Open in the studio
        </Button>
      )}
    </Toast>
  );
}
