import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { Link, useNavigate } from 'react-router';
import type { Source } from '../../../src/engine/definitions/source';
import { ApiError } from '../../../src/app/session/api';
import { createModule, room } from '../calls';
import { Toast } from '../properties/UndoToast';

/** Creates a module and leads to its list. `refused`: what the server found wrong, by JSON pointer. */
export function useCreating() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotify();
  const [creating, setCreating] = useState(false);
  const [refused, setRefused] = useState<Readonly<Record<string, string>> | null>(null);
  const create = async (source: Source) => {
    setCreating(true);
    setRefused(null);
    try {
      const { name, labels } = await createModule(source);
      // Its list can be shown once its definition and the grants on it are here.
      await Promise.all(
        [['definitions'], ['me'], [room]].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      );
      await navigate(`/${name}`);
      notify(<Ready many={labels.many} name={name} />, { type: 'success', autoHideDuration: 10_000 });
    } catch (error) {
      if (error instanceof ApiError) setRefused(error.errors);
      const { message } = error as Error;
      notify(message, { type: 'error', messageArgs: { _: message } });
      setCreating(false);
    }
  };
  return { creating, refused, create };
}

function Ready({ many, name }: { many: string; name: string }) {
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
