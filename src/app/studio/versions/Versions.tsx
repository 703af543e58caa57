import Button from '@mui/material/Button';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { diffDefinitions, type DefinitionChange } from '../../../engine/studio/diff-definitions';
import { formatSource } from '../../../engine/studio/format-source';
import { compareLines, countLines } from '../../../engine/studio/diff-lines';
import { Icon } from '../../icons/Icon';
import { PageActions, usePage } from '../../layout/page';
import { FailedState } from '../../states/FailedState';
import { SkeletonRows } from '../../states/SkeletonRows';
import { fetchModule, fetchVersions, moduleKeys } from '../api';
import { useCurrentDraft } from '../draft/useCurrentDraft';
import { CompareFooter } from './CompareFooter';
import { Comparison, countGroups } from './Comparison';
import { formatCount } from '../formatCount';
import { RestoreDialog } from './RestoreDialog';
import { sidesAfterClick, selectedSides, comparableSides, type ComparedSide } from './sides';
import { VersionList } from './VersionList';
import { DisplaySwitch } from './DisplaySwitch';
import * as styles from './versions.module.css';
import { EmptyState } from '../../states/EmptyState';
import { ChangeText } from './ChangeText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { usePopup } from '../../dialogs/usePopup';

/** The versions of a module and the user's draft: who published each and when, and the differences between any two. */
export default function Versions() {
  const { name = '' } = useParams();
  const [query, setQuery] = useSearchParams();
  const isNarrow = useMediaQuery('(max-width: 900px)', { noSsr: true });
  const [restoring, setRestoring] = useState(false);
  const { current: savedDraft, isLoading } = useCurrentDraft(name);
  const draft = savedDraft?.now.source ?? null;
  const module = useQuery({
    queryKey: moduleKeys.one(name),
    queryFn: ({ signal }) => fetchModule(name, signal),
    retry: false,
    meta: { quiet: true },
  });
  const versions = useQuery({
    queryKey: moduleKeys.versions(name),
    queryFn: ({ signal }) => fetchVersions(name, signal),
    retry: false,
    meta: { quiet: true },
  });
  usePage({
    title: module.data?.labels.many ?? name,
    note: 'Compare versions',
    back: { to: `/studio/${name}`, label: 'Definition' },
  });
  const sides = useMemo(() => (versions.data ? comparableSides(versions.data, draft) : []), [versions.data, draft]);
  const inWords = query.get('as') === 'words';
  const comparedSides = selectedSides(sides, query.get('from'), query.get('to'), savedDraft?.base.version);
  const ask = (change: Record<string, string>) =>
    setQuery({ ...Object.fromEntries(query), ...change }, { replace: true });
  const pick = ([oldSide, newSide]: readonly [ComparedSide, ComparedSide]) =>
    ask({ from: oldSide.key, to: newSide.key });

  const error = module.error ?? versions.error;
  if (error && !(module.data && versions.data))
    return (
      <FailedState
        title="The versions could not be loaded"
        message={error.message}
        onRetry={() => void Promise.all([module.refetch(), versions.refetch()])}
      />
    );
  if (!module.data || !comparedSides || isLoading) return <SkeletonRows rows={8} />;
  const [left] = comparedSides;
  const tools = (
    <>
      <DisplaySwitch inWords={inWords} onChange={(words) => ask({ as: words ? 'words' : 'lines' })} />
      {left.version !== undefined && !(left.current && draft === null) && (
        <Button variant="outlined" startIcon={<Icon name="undo" />} onClick={() => setRestoring(true)}>
          Restore version {left.version}
        </Button>
      )}
    </>
  );
  return (
    <>
      {isNarrow ? <div className={styles.compareTools}>{tools}</div> : <PageActions>{tools}</PageActions>}
      <ComparedPair
        key={`${comparedSides[0].key} ${comparedSides[1].key}`}
        sides={sides}
        comparedSides={comparedSides}
        inWords={inWords}
        onPick={pick}
      />
      {restoring && left.version !== undefined && (
        <RestoreDialog
          module={module.data}
          side={left}
          onClose={() => setRestoring(false)}
          onDone={() => setQuery({})}
        />
      )}
    </>
  );
}

interface ComparedPairProps {
  sides: readonly ComparedSide[];
  comparedSides: [ComparedSide, ComparedSide];
  inWords: boolean;
  onPick: (chosen: [ComparedSide, ComparedSide]) => void;
}

/** A comparison of two versions. */
function ComparedPair({ sides, comparedSides, inWords, onPick }: ComparedPairProps) {
  const [left, right] = comparedSides;
  const [position, setPosition] = useState(-1);
  const rows = useMemo(() => compareLines(formatSource(left.source), formatSource(right.source)), [left, right]);
  const changes = useMemo(() => diffDefinitions(left.source, right.source), [left, right]);
  const { removed: removedCount, added: addedCount } = countLines(rows);
  const go = (target: number) => {
    setPosition(target);
    document.querySelector(`.${styles.compareRow}[data-group="${target}"]`)?.scrollIntoView({ block: 'center' });
  };
  return (
    <div className={styles.compare}>
      <VersionList
        sides={sides}
        comparedSides={comparedSides}
        changes={formatCount(changes.length, 'change')}
        onPick={(side) => onPick(sidesAfterClick(sides, comparedSides, side))}
      />
      <div className={styles.compareBody}>
        <div className={styles.compareHeads}>
          <SideHeader
            label="Older"
            side={left}
            sides={sides}
            count={removedCount > 0 ? `${formatCount(removedCount, 'line')} removed` : ''}
            tone="urgent"
            onPick={(side) => onPick([side, right])}
          />
          <SideHeader
            label="Newer"
            side={right}
            sides={sides}
            count={addedCount > 0 ? `${formatCount(addedCount, 'line')} added` : ''}
            tone="low"
            onPick={(side) => onPick([left, side])}
          />
        </div>
        {inWords ? (
          <ChangesInWords changes={changes} />
        ) : (
          <Comparison rows={rows} label={`${left.title} and ${right.title}`} position={position} />
        )}
      </div>
      <CompareFooter changes={changes} count={inWords ? 0 : countGroups(rows)} position={position} onGo={go} />
    </div>
  );
}

/** The list of changes in words. */
function ChangesInWords({ changes }: { changes: readonly DefinitionChange[] }) {
  if (changes.length === 0) return <EmptyState title="No differences" sentence="Both are the same." />;
  return (
    <ul className={styles.compareWords} aria-label="What differs">
      {changes.map((change, index) => (
        <li key={index}>
          <ChangeText change={change} />
        </li>
      ))}
    </ul>
  );
}

interface SideHeaderProps {
  /** `Older` or `Newer`. */
  label: string;
  side: ComparedSide;
  sides: readonly ComparedSide[];
  /** The number of changed lines, such as `2 lines removed`. */
  count: string;
  tone: 'urgent' | 'low';
  onPick: (side: ComparedSide) => void;
}

/** The head of a compared text: its version, with a menu to choose another. */
function SideHeader({ label, side, sides, count, tone, onPick }: SideHeaderProps) {
  const menu = usePopup('menu');
  return (
    <header className={styles.compareHead}>
      <button type="button" aria-label={`${label}: ${side.title}`} {...menu.button}>
        {side.title}
        <Icon name="chevron-down" size={14} />
      </button>
      <small>{side.author}</small>
      <small className={styles.compareCount} data-tone={tone}>
        {count}
      </small>
      <Menu {...menu.popup}>
        {sides.map((candidate) => (
          <MenuItem key={candidate.key} selected={candidate === side} onClick={menu.and(() => onPick(candidate))}>
            {candidate.title}
          </MenuItem>
        ))}
      </Menu>
    </header>
  );
}
