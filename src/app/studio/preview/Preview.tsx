import { memo, useDeferredValue, useMemo, useState } from 'react';
import { normalise } from '../../../engine/normalise/normalise';
import { FailedState } from '../../states/FailedState';
import { SkeletonRows } from '../../states/SkeletonRows';
import { phone } from '../../theme/overrides';
import { useDraftPart } from '../draft';
import { PreviewBoundary } from './PreviewBoundary';
import { LastValidNotice } from './LastValidNotice';
import { Picker } from './Picker';
import { PreviewScene } from './PreviewScene';
import { useFitScale } from './useFitScale';
import { useCompanies, usePerson, useRoleChoices } from './useViewer';
import * as toolbarStyles from '../../list/toolbar.module.css';
import * as studioStyles from '../studio.module.css';
import * as styles from './preview.module.css';

/** The preview starts with this level: the company owner's. */
const ownerLevel = 2;
/** The smallest width in pixels of the desktop layout. */
const minDesktopWidth = 720;
const widths = ['Desktop', 'Phone'] as const;

/** Whether the studio runs on a phone: the preview then starts in phone width. */
function isPhone(): boolean {
  return window.matchMedia?.(phone.replace('@media ', '')).matches ?? false;
}

/** The list and the form of the last valid draft, with stored records, as a chosen role sees them. */
export const Preview = memo(function Preview() {
  const { valid, isStale } = useDraftPart((draft) => ({
    valid: draft.valid,
    isStale: draft.unreadable !== null || draft.plan?.valid === false,
  }));
  const [width, setWidth] = useState<(typeof widths)[number]>(() => (isPhone() ? 'Phone' : 'Desktop'));
  const [chosenCompany, setCompany] = useState<number>();
  const [chosenRole, setRole] = useState<number>();
  const askedCompanies = useCompanies();
  const companies = askedCompanies.data;
  const company = companies?.find(({ id }) => id === chosenCompany) ?? companies?.[0];
  const askedRoles = useRoleChoices(company?.id);
  const roles = askedRoles.data;
  const role = roles?.find(({ id }) => id === chosenRole) ?? roles?.find(({ level }) => level === ownerLevel);
  const askedPerson = usePerson(role, company?.id);
  const person = askedPerson.data;
  const failed = [askedCompanies, askedRoles, askedPerson].find(({ data, error }) => error && data === undefined);
  const complete = useMemo(
    () => (company && role && person !== undefined ? { company: company.id, role, person } : null),
    [company, person, role],
  );
  // The previous viewer stays until the next one is loaded.
  const [viewer, setViewer] = useState(complete);
  if (complete && complete !== viewer) setViewer(complete);
  const namedRoles = useMemo(() => roles?.map(({ id, role_name: name }) => ({ id, name })) ?? [], [roles]);
  const [scaleRef, scale] = useFitScale(minDesktopWidth);
  return (
    <>
      <header className={`${studioStyles.studioHead} ${styles.previewHead}`}>
        <h2>Live preview</h2>
        <span className={studioStyles.studioGrow} />
        {companies && companies.length > 1 && (
          <Picker label="Company:" options={companies} value={company?.id} onChange={setCompany} />
        )}
        <Picker label="Seen as" prefix="as " options={namedRoles} value={role?.id} onChange={setRole} />
        <span
          className={toolbarStyles.listViews}
          style={{ height: 28, marginLeft: 4 }}
          role="group"
          aria-label="Width of the preview"
        >
          {widths.map((name) => (
            <button key={name} type="button" aria-pressed={name === width} onClick={() => setWidth(name)}>
              {name}
            </button>
          ))}
        </span>
      </header>
      <div className={styles.preview} data-width={width} ref={scaleRef}>
        {failed ? (
          <FailedState
            title="The roles could not be loaded"
            message={failed.error?.message}
            onRetry={() => void failed.refetch()}
          />
        ) : viewer ? (
          <PreviewBoundary attempt={valid}>
            <DeferredScene {...viewer} scale={width === 'Phone' ? 1 : scale} />
          </PreviewBoundary>
        ) : (
          <SkeletonRows rows={8} />
        )}
        {isStale && <LastValidNotice time={valid.time} />}
      </div>
    </>
  );
});

type DeferredSceneProps = Omit<Parameters<typeof PreviewScene>[0], 'draft' | 'source' | 'module' | 'pointer'>;

function DeferredScene(props: DeferredSceneProps) {
  const { valid, module, pointer } = useDraftPart((draft) => ({
    valid: draft.valid,
    module: draft.module,
    pointer: draft.pointer,
  }));
  // Rendering is slow: deferred, so that typing stays fluent.
  const source = useDeferredValue(valid.source);
  const draft = useMemo(() => normalise(structuredClone(source)), [source]);
  return <PreviewScene key={module.name} {...props} {...{ draft, source, module, pointer }} />;
}
