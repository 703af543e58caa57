import Button from '@mui/material/Button';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { changesBetween } from '../../../src/engine/studio/changes';
import { formatSource } from '../../../src/engine/studio/format';
import { compareLines, countLines } from '../../../src/engine/studio/lines';
import { useDefinitions } from '../../../src/app/admin/DefinitionsContext';
import { Icon } from '../../../src/app/icons/Icon';
import { PageActions, usePage } from '../../../src/app/layout/page';
import { FailedState } from '../../../src/app/states/FailedState';
import { SkeletonRows } from '../../../src/app/states/SkeletonRows';
import { fetchModule, fetchVersions, keys } from '../calls';
import { readKept } from '../draft/kept';
import { CompareFoot } from './CompareFoot';
import { Comparison } from './Comparison';
import { counted } from '../counted';
import { countGroups } from './groups';
import { InWords } from './InWords';
import { RestoreDialog } from './RestoreDialog';
import { SideHead } from './SideHead';
import { afterClick, chosenSides, sidesOf, type Side } from './sides';
import { VersionList } from './VersionList';
import { WayOfShowing } from './WayOfShowing';
import '../../../src/app/list/list.css';
import '../studio.css';
import './versions.css';

/** The versions of a module and the user's draft: who published each and when, and the differences between any two. */
export default function Versions() {
  const { name = '' } = useParams();
  const { actor } = useDefinitions();
  const [query, setQuery] = useSearchParams();
  const narrow = useMediaQuery('(max-width: 900px)', { noSsr: true });
  const [restoring, setRestoring] = useState(false);
  /** Read again after it was discarded. */
  const [kept, setKept] = useState(() => readKept(actor.id, name));
  const draft = kept?.now.source ?? null;
  const module = useQuery({
    queryKey: keys.one(name),
    queryFn: ({ signal }) => fetchModule(name, signal),
    retry: false,
    meta: { quiet: true },
  });
  const versions = useQuery({
    queryKey: keys.versions(name),
    queryFn: ({ signal }) => fetchVersions(name, signal),
    retry: false,
    meta: { quiet: true },
  });
  usePage({
    title: module.data?.labels.many ?? name,
    note: 'Compare versions',
    back: { to: `/studio/${name}`, label: 'Definition' },
  });
  const sides = useMemo(() => (versions.data ? sidesOf(versions.data, draft) : []), [versions.data, draft]);
  const inWords = query.get('as') === 'words';
  const chosen = chosenSides(sides, query.get('from'), query.get('to'), kept?.base.version);
  const ask = (change: Record<string, string>) =>
    setQuery({ ...Object.fromEntries(query), ...change }, { replace: true });
  const pick = ([old, fresh]: readonly [Side, Side]) => ask({ from: old.key, to: fresh.key });

  const error = module.error ?? versions.error;
  if (error && !(module.data && versions.data))
    return (
      <FailedState
        title="The versions could not be loaded"
        message={error.message}
        onRetry={() => void Promise.all([module.refetch(), versions.refetch()])}
      />
    );
  if (!module.data || !chosen) return <SkeletonRows rows={8} />;
  const [left] = chosen;
  const tools = (
    <>
      <WayOfShowing inWords={inWords} onChange={(words) => ask({ as: words ? 'words' : 'lines' })} />
      {left.version !== undefined && !(left.current && draft === null) && (
        <Button variant="outlined" startIcon={<Icon name="undo" />} onClick={() => setRestoring(true)}>
          Restore version {left.version}
        </Button>
      )}
    </>
  );
  return (
    <>
      {narrow ? <div className="compare-tools">{tools}</div> : <PageActions>{tools}</PageActions>}
      <Pair key={`${chosen[0].key} ${chosen[1].key}`} sides={sides} chosen={chosen} inWords={inWords} onPick={pick} />
      {restoring && left.version !== undefined && (
        <RestoreDialog
          module={module.data}
          side={left}
          onClose={() => setRestoring(false)}
          onDone={() => {
            setKept(readKept(actor.id, name));
            setQuery({});
          }}
        />
      )}
    </>
  );
}

interface PairProps {
  sides: readonly Side[];
  chosen: [Side, Side];
  inWords: boolean;
  onPick: (chosen: [Side, Side]) => void;
}

/** A comparison of two versions. */
function Pair({ sides, chosen, inWords, onPick }: PairProps) {
  const [left, right] = chosen;
  const [at, setAt] = useState(-1);
  const rows = useMemo(() => compareLines(formatSource(left.source), formatSource(right.source)), [left, right]);
  const changes = useMemo(() => changesBetween(left.source, right.source), [left, right]);
  const { removed, added } = countLines(rows);
  const go = (to: number) => {
    setAt(to);
    document.querySelector(`.compare-row[data-group="${to}"]`)?.scrollIntoView({ block: 'center' });
  };
  return (
    <div className="compare">
      <VersionList
        sides={sides}
        chosen={chosen}
        changes={counted(changes.length, 'change')}
        onPick={(side) => onPick(afterClick(sides, chosen, side))}
      />
      <div className="compare-body">
        <div className="compare-heads">
          <SideHead
            label="Older"
            side={left}
            sides={sides}
            count={removed > 0 ? `${counted(removed, 'line')} removed` : ''}
            tone="urgent"
            onPick={(side) => onPick([side, right])}
          />
          <SideHead
            label="Newer"
            side={right}
            sides={sides}
            count={added > 0 ? `${counted(added, 'line')} added` : ''}
            tone="low"
            onPick={(side) => onPick([left, side])}
          />
        </div>
        {inWords ? (
          <InWords changes={changes} />
        ) : (
          <Comparison rows={rows} label={`${left.title} and ${right.title}`} at={at} />
        )}
      </div>
      <CompareFoot changes={changes} count={inWords ? 0 : countGroups(rows)} at={at} onGo={go} />
    </div>
  );
}
