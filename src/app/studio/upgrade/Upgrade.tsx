import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { diffDefinitions, type DefinitionChange } from '../../../engine/studio/diff-definitions';
import { resolveConflicts, type ConflictChoices } from '../../../engine/studio/merge';
import type { Module, Upgrade as Waiting } from '../../../engine/studio/module';
import { useDefinitions } from '../../data/DefinitionsContext';
import { usePage } from '../../layout/page';
import { EmptyState } from '../../states/EmptyState';
import { FailedState } from '../../states/FailedState';
import { SkeletonRows } from '../../states/SkeletonRows';
import { fetchModule, moduleKeys } from '../api';
import { startUpgradeDraft } from '../draft/savedDraft';
import { ChangeText } from '../versions/ChangeText';
import { formatCount } from '../formatCount';
import { ConflictCard } from './ConflictCard';
import * as formStyles from '../../form/form.module.css';
import * as styles from './upgrade.module.css';

/** The conflicts between a newer shipped version and local changes, each with a choice, and the resulting changes. */
export default function Upgrade() {
  const { name = '' } = useParams();
  const { data, error, refetch } = useQuery({
    queryKey: moduleKeys.one(name),
    queryFn: ({ signal }) => fetchModule(name, signal),
    retry: false,
    meta: { quiet: true },
  });
  usePage({
    title: data?.labels.many ?? name,
    note: 'Decide the upgrade',
    back: { to: `/studio/${name}`, label: 'Definition' },
  });
  if (error && !data)
    return <FailedState title={`${name} could not be loaded`} message={error.message} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={8} />;
  if (!data.upgrade)
    return <EmptyState title="No upgrade pending" sentence="The shipped version is already published." />;
  return <Decision key={data.version} module={data} upgrade={data.upgrade} />;
}

function Decision({ module, upgrade }: { module: Module; upgrade: Waiting }) {
  const { actor } = useDefinitions();
  const navigate = useNavigate();
  const [choices, setChoices] = useState<ConflictChoices>({});
  const { conflicts } = upgrade;
  const open = conflicts.filter(({ path }) => !Object.hasOwn(choices, path)).length;
  const result = resolveConflicts(upgrade, choices);
  const chooseAll = (side: 'shipped' | 'changed') =>
    setChoices(Object.fromEntries(conflicts.map(({ path }) => [path, side])));
  const goOn = () => {
    startUpgradeDraft(actor.id, module, result);
    void navigate(`/studio/${module.name}`);
  };
  return (
    <div className={styles.upgrade}>
      <div className={styles.upgradeBody}>
        <section>
          <h2>
            Conflicts<small className="num">{conflicts.length}</small>
            <Box
              component="span"
              sx={{ display: 'inline-flex', gap: 2, ml: 'auto', '@media (max-width: 600px)': { ml: 0 } }}
            >
              <Button size="small" variant="outlined" onClick={() => chooseAll('changed')}>
                Keep all local changes
              </Button>
              <Button size="small" variant="outlined" onClick={() => chooseAll('shipped')}>
                Take everything shipped
              </Button>
            </Box>
          </h2>
          {conflicts.map((conflict) => (
            <ConflictCard
              key={conflict.path}
              upgrade={upgrade}
              conflict={conflict}
              side={choices[conflict.path]}
              onChoose={(side) => setChoices((choicesBefore) => ({ ...choicesBefore, [conflict.path]: side }))}
            />
          ))}
        </section>
        <aside className={styles.upgradeOutcome}>
          <ChangeList
            title="Merged automatically"
            changes={diffDefinitions(module.definition, upgrade.merged)}
            emptyText="All newly shipped changes conflict."
          />
          <ChangeList
            title="With your choices"
            changes={diffDefinitions(upgrade.merged, result)}
            emptyText="The local changes are kept."
          />
        </aside>
      </div>
      <div className={formStyles.saveBar}>
        <p className={formStyles.saveWrong} role="status">
          {open > 0 && `${formatCount(open, 'conflict')} to decide`}
        </p>
        <Button variant="outlined" size="large" onClick={() => void navigate(`/studio/${module.name}`)}>
          Cancel
        </Button>
        <Button variant="contained" size="large" disabled={open > 0} onClick={goOn}>
          Create the draft
        </Button>
      </div>
    </div>
  );
}

function ChangeList({
  title,
  changes,
  emptyText,
}: {
  title: string;
  changes: readonly DefinitionChange[];
  emptyText: string;
}) {
  return (
    <>
      <h2>{title}</h2>
      {changes.length === 0 && <p>{emptyText}</p>}
      <ul aria-label={title}>
        {changes.map((change, index) => (
          <li key={index}>
            <ChangeText change={change} />
          </li>
        ))}
      </ul>
    </>
  );
}
