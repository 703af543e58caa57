import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNotify } from 'react-admin';
import { Link, useNavigate } from 'react-router';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import type { Source } from '../../../../engine/definitions/source';
import type { Module } from '../../../../engine/studio/module';
import { ApiError } from '../../../session/api';
import { createModule, modulesKey } from '../api';
import { Toast } from '../properties/UndoToast';

/** Creates a module and opens its list. `refused`: the server's errors, by JSON pointer. */
export function useCreateModule() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotify();
  const { registry } = useDefinitions();
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<Module | null>(null);
  const [refused, setRefused] = useState<Readonly<Record<string, string>> | null>(null);
  const create = async (source: Source) => {
    setCreating(true);
    setRefused(null);
    try {
      setMade(await createModule(source));
      for (const queryKey of [['definitions'], ['me'], [modulesKey]]) void queryClient.invalidateQueries({ queryKey });
    } catch (error) {
      if (error instanceof ApiError) setRefused(error.errors);
      const { message } = error as Error;
      notify(message, { type: 'error', messageArgs: { _: message } });
      setCreating(false);
    }
  };

  const lead = useEffectEvent(({ name, labels }: Module) => {
    void navigate(`/${name}`);
    notify(<ReadyToast many={labels.many} name={name} />, { type: 'success', autoHideDuration: 10_000 });
  });
  // The list can only be opened once the new definition has been loaded.
  const isHere = made !== null && registry.get(made.name) !== undefined;
  useEffect(() => {
    if (made && isHere) lead(made);
  }, [made, isHere]);
  return { creating, refused, create };
}

function ReadyToast({ many, name }: { many: string; name: string }) {
  return (
    <Toast text={`The module ${many} is ready`}>
      {(close) => (
        <Button component={Link} to={`/studio/${name}`} size="small" variant="text" color="info" onClick={close}>
          Open in the studio
        </Button>
      )}
    </Toast>
  );
}
