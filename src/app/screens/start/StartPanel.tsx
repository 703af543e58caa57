import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useNotify } from 'react-admin';
import { Link, useLocation } from 'react-router-dom';
import { isGranted } from '../../../engine/access/access-decision';
import { useDefinitions } from '../../data/DefinitionsContext';
import { reportError } from '../../data/ErrorToasts';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { Icon } from '../../icons/Icon';
import { AddButton } from '../../list/AddButton';
import { canOpenImports } from '../../data/importAccess';
import { useApi } from '../../session/apiClient';
import { fetchApi } from '../../session/api';
import * as styles from './start.module.css';

interface Start {
  steps: { resource: string; text: string | null; done: boolean }[];
  sample: { label: string; text: string; created: boolean } | null;
  hasColleagues: boolean;
}

interface StartPanelProps {
  /** Only what can be done instead of the steps. */
  isShort: boolean;
  /** The steps are done, or the user does not want to see them. */
  onOver: () => void;
}

/** Read again whenever a record of any module is changed. */
function useStartKey(): readonly [string, 'start'] {
  const { registry } = useDefinitions();
  return [[...registry.definitions.keys()].join(), 'start'];
}

/** The page that the steps lead back to. */
function useHere(): { from: string; label: string } {
  return { from: useLocation().pathname, label: 'Get started' };
}

/** The first steps, which tick off by what exists, and other ways to begin: a sample, an import, colleagues. */
export default function StartPanel({ isShort, onOver }: StartPanelProps) {
  const id = useId();
  const ask = useApi();
  const { registry } = useDefinitions();
  const cameFrom = useHere();
  const { data } = useQuery({
    queryKey: useStartKey(),
    queryFn: async () => (await fetchApi<{ data: Start }>('/start', {}, ask)).data,
    retry: false,
    meta: { quiet: true },
  });
  const steps = (data?.steps ?? []).flatMap((step) => {
    const definition = registry.get(step.resource);
    return definition ? [{ ...step, definition }] : [];
  });
  const next = steps.find(({ done: isDone }) => !isDone);
  const isFinished = data !== undefined && !next && !data.sample?.created;
  useEffect(() => {
    if (isFinished && !isShort) onOver();
  }, [isFinished, isShort, onOver]);
  if (!data || isFinished) return null;
  if (!next) return data.sample ? <SampleBar sample={data.sample} /> : null;
  const otherWays = <Ways start={data} />;
  if (isShort) return otherWays;
  const doneCount = steps.filter((step) => step.done).length;
  return (
    <section className={styles.start} aria-labelledby={id}>
      <div className={styles.startHead}>
        <h2 id={id}>Get started</h2>
        <span className="num">
          {doneCount} of {steps.length} done
        </span>
        {/* A sample can only be removed here. */}
        {!data.sample?.created && (
          <IconButton size="small" aria-label="Hide the first steps" onClick={onOver}>
            <Icon name="close" />
          </IconButton>
        )}
      </div>
      <ol className={styles.startSteps}>
        {steps.map(({ resource, text, done: isDone, definition }) => {
          const isNext = resource === next.resource;
          return (
            <li key={resource} data-done={isDone || undefined} aria-current={isNext ? 'step' : undefined}>
              <span className={styles.startMark}>
                {isDone && <Icon name="check" size={14} />}
                <span className="unseen">{isDone ? 'Done:' : 'To do:'}</span>
              </span>
              <div>
                <b>{isDone ? definition.labels.many : `Add the first ${definition.labels.one.toLowerCase()}`}</b>
                {text && <p>{text}</p>}
              </div>
              {isNext && <AddButton {...{ definition, cameFrom }} />}
            </li>
          );
        })}
      </ol>
      {otherWays}
    </section>
  );
}

/** The actions besides the steps. */
function Ways({ start: { sample, hasColleagues } }: { start: Start }) {
  const definitions = useDefinitions();
  const { actor, registry } = definitions;
  const origin = useHere();
  const { mutate, isPending } = useSampleChange('POST', 'The sample is there. Look around.');
  const mayInvite = !hasColleagues && registry.get('users') && isGranted(actor, 'users', 'create');
  const mayImport = canOpenImports(definitions);
  const isOffered = sample && !sample.created;
  if (!isOffered && !mayInvite && !mayImport && !sample) return null;
  return (
    <div className={styles.startWays} role="group" aria-label="Other ways to begin">
      {isOffered && (
        <Button
          variant="outlined"
          startIcon={<Icon name="copy" />}
          title={sample.text}
          aria-disabled={isPending}
          onClick={() => !isPending && mutate()}
        >
          {sample.label}
        </Button>
      )}
      {sample?.created && <RemoveSample />}
      {mayImport && (
        <Button component={Link} to="/imports" variant="outlined" startIcon={<Icon name="upload" />}>
          Import from a file
        </Button>
      )}
      {mayInvite && (
        <Button component={Link} to="/users/create" state={origin} variant="outlined" startIcon={<Icon name="users" />}>
          Invite a colleague
        </Button>
      )}
    </div>
  );
}

/** Says that there is a sample, until it is removed. */
function SampleBar({ sample }: { sample: NonNullable<Start['sample']> }) {
  return (
    <section className={styles.startBar} aria-label="Sample">
      <Icon name="info" />
      <p>
        <b>Your company has sample data.</b> {sample.text}
      </p>
      <RemoveSample />
    </section>
  );
}

function RemoveSample() {
  const [isAsked, setAsked] = useState(false);
  const { mutate } = useSampleChange('DELETE', 'The sample was removed.');
  return (
    <>
      <Button variant="outlined" startIcon={<Icon name="trash" />} onClick={() => setAsked(true)}>
        Remove the sample
      </Button>
      {isAsked && (
        <ConfirmDialog
          open
          title="Remove the sample?"
          question="All records of the sample are deleted for good, with your changes to them. What you created yourself stays."
          confirmLabel="Remove"
          destructive
          onClose={() => setAsked(false)}
          onConfirm={() => {
            setAsked(false);
            mutate();
          }}
        />
      )}
    </>
  );
}

/** Creates or removes the sample, after which every list is another. */
function useSampleChange(method: 'POST' | 'DELETE', message: string) {
  const ask = useApi();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const queryKey = useStartKey();
  return useMutation({
    mutationFn: async () => (await fetchApi<{ data: Start }>('/sample', { method }, ask)).data,
    onSuccess: async (start) => {
      queryClient.setQueryData(queryKey, start);
      notify(message, { type: 'success' });
      await queryClient.invalidateQueries();
    },
    onError: (error) => {
      void queryClient.invalidateQueries({ queryKey });
      reportError(error);
    },
  });
}
